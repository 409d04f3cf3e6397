"""InferenceFunction: an entry point of a model."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import numpy as np

from bessemer import _bessemer, memory, naming
from bessemer._bessemer import Tensor
from bessemer.authoring.places import with_folder
from bessemer.errors import InputError, KernelFault
from bessemer.runtime.ndarray import NDArray
from bessemer.runtime.options import StorageKind
from bessemer.runtime.profiling import Profiler, interval

# Wider types that programs hold in a narrower one: PyTorch's default integer and
# NumPy's default float. What does not fit is an error.
_NARROWED = {("int64", "int32"), ("float64", "float32")}


class InferenceFunctionDescriptor:
    """Names, element types and shapes of inputs, outputs and states."""

    def __init__(self, function: _bessemer.Function):
        self.name = function.name
        self._inputs = {d.name: NDArrayDescriptor(d) for d in function.inputs}
        self._outputs = {d.name: NDArrayDescriptor(d) for d in function.outputs}
        self._states = {d.name: NDArrayDescriptor(d) for d in function.states}
        self.input_names = [d.name for d in function.inputs]
        self.output_names = [d.name for d in function.outputs]
        self.state_names = [d.name for d in function.states]

    def input_descriptor(self, name: str) -> NDArrayDescriptor:
        """Element type and shape of an input."""
        return _find("input", self._inputs, name)

    def output_descriptor(self, name: str) -> NDArrayDescriptor:
        """Element type and shape of an output."""
        return _find("output", self._outputs, name)

    def state_descriptor(self, name: str) -> NDArrayDescriptor:
        """Element type and shape of a state."""
        return _find("state", self._states, name)


class NDArrayDescriptor:
    """One input or output; -1 in the shape is a dynamic dimension."""

    def __init__(self, descriptor: _bessemer.TensorDescriptor):
        self.dtype: str = descriptor.dtype
        self.shape: list[int] = descriptor.shape
        self.rank = len(self.shape)
        self.storage_kind = StorageKind.BYTES.value

    def __str__(self) -> str:
        return f"{self.dtype}{self.shape}"


def _find(kind: str, descriptors: dict, name: str) -> NDArrayDescriptor:
    if name not in descriptors:
        raise KeyError(f"No {kind} descriptor named: {name}")
    return descriptors[name]


class InferenceFunction:
    """Call it with a dict of arrays and await the dict of results."""

    def __init__(self, function: _bessemer.Function, profiler: Profiler | None = None):
        self._function = function
        self._profiler = profiler
        self.desc = InferenceFunctionDescriptor(function)

    async def __call__(
        self, inputs: Mapping, state: Mapping | None = None
    ) -> dict[str, NDArray]:
        tensors, states = self._tensors(inputs), self._states(state or {})
        cancellation = _bessemer.Cancellation()
        try:
            with interval(self._profiler, "inference"):
                results = await asyncio.to_thread(
                    self._function.run, tensors, states, cancellation
                )
        except KernelFault as error:
            raise KernelFault(with_folder(str(error))) from None
        except asyncio.CancelledError:
            cancellation.cancel()
            raise
        return self._named(results)

    def run(self, inputs: Mapping, state: Mapping | None = None) -> dict[str, NDArray]:
        """The same without an event loop."""
        tensors, states = self._tensors(inputs), self._states(state or {})
        try:
            with interval(self._profiler, "inference"):
                return self._named(self._function.run(tensors, states))
        except KernelFault as error:
            raise KernelFault(with_folder(str(error))) from None

    def _named(self, results: list[Tensor]) -> dict[str, NDArray]:
        return {
            name: NDArray._adopt(tensor)
            for name, tensor in zip(self.desc.output_names, results, strict=True)
        }

    def _states(self, state: Mapping) -> list[Tensor]:
        """Views of the arrays that the run changes; never copies."""
        for name in state:
            if name not in self.desc.state_names:
                raise InputError(
                    f"{name} is not a declared state of this function. It has: "
                    f"{', '.join(self.desc.state_names) or 'none'}"
                )
        for name in self.desc.state_names:
            if name not in state:
                raise InputError(
                    f"Missing state view for {name}. Pass state={{{name!r}: array}}; "
                    f"NDArray.from_descriptor(desc.state_descriptor({name!r})) makes "
                    "one of zeros"
                )
        return [self._state(name, state[name]) for name in self.desc.state_names]

    def _state(self, name: str, value) -> Tensor:
        if not isinstance(value, (NDArray, np.ndarray)) and not memory.is_torch_tensor(
            value
        ):
            raise TypeError(f'Value for "{name}" in state is not an NDArray.')
        array = _as_array(name, value)
        expected = self.desc.state_descriptor(name)
        if memory.dtype_name(array.dtype) != expected.dtype:
            raise InputError(
                f"{name} has an invalid scalar type: {array.dtype}, expected: "
                f"{expected.dtype}"
            )
        _check_shape(name, array, expected)
        return _view(name, array)

    def _tensors(self, inputs: Mapping) -> list[Tensor]:
        if not isinstance(inputs, Mapping):
            raise TypeError(
                f"inputs must be a dict of arrays by name ({self._signature()}), got "
                f"{type(inputs).__name__}"
            )
        for name in inputs:
            if not isinstance(name, str):
                raise InputError("Key for 'inputs' dict must be a string.")
            if name not in self.desc.input_names:
                raise InputError(
                    f"{name} is not a declared input of this function. "
                    f"It has: {self._signature()}"
                )
        missing = [name for name in self.desc.input_names if name not in inputs]
        if missing:
            raise InputError(
                f"{', '.join(missing)}: missing input of function "
                f"'{self.desc.name}'. It takes: {self._signature()}"
            )
        return [self._tensor(name, inputs[name]) for name in self.desc.input_names]

    def _signature(self) -> str:
        return ", ".join(
            f"{name}: {self.desc.input_descriptor(name)}"
            for name in self.desc.input_names
        )

    def _tensor(self, name: str, value) -> Tensor:
        expected = self.desc.input_descriptor(name)
        array = _as_array(name, value)
        dtype = memory.dtype_name(array.dtype)
        if (dtype, expected.dtype) in _NARROWED:
            array = _narrow(name, array, np.dtype(expected.dtype))
        elif dtype != expected.dtype:
            raise InputError(
                f"{name} has an invalid scalar type: {dtype}, expected: "
                f"{expected.dtype}"
            )
        _check_shape(name, array, expected)
        return _view(name, array)


def _view(name: str, array: np.ndarray) -> Tensor:
    try:
        return memory.from_numpy(array)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None


def _check_shape(name: str, array: np.ndarray, expected: NDArrayDescriptor) -> None:
    shape = list(array.shape)
    if len(shape) != expected.rank or any(
        want not in (-1, size) for size, want in zip(shape, expected.shape, strict=True)
    ):
        raise InputError(
            f"{name} has an invalid shape: {shape}, expected: {expected.shape}"
        )


def _as_array(name: str, value) -> np.ndarray:
    """The value's memory if it is an array, a copy if it is a list."""
    if isinstance(value, NDArray):
        return value._data
    if isinstance(value, np.ndarray):
        return value
    try:
        if memory.is_torch_tensor(value):
            return memory.to_numpy(memory.from_torch(value.detach()))
        return NDArray(value)._data
    except TypeError as error:
        message = f'Value for "{name}" in input is not an NDArray.'
        reason = f" It is a {type(value).__name__}: {error}"
        raise TypeError(message + ("" if naming.original else reason)) from None


def _narrow(name: str, array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    with np.errstate(over="ignore"):
        narrow = array.astype(dtype)
    if dtype.kind == "i" and not np.array_equal(narrow, array):
        raise InputError(
            f"{name} holds integers beyond the 32 bits of its scalar type {dtype}"
        )
    if dtype.kind == "f" and not np.array_equal(
        np.isfinite(narrow), np.isfinite(array)
    ):
        raise InputError(f"{name} holds numbers beyond the range of {dtype}")
    return narrow
