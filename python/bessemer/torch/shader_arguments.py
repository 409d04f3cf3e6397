"""Python values as buffers of a kernel, as torch.mps binds them.

There neither the number of arguments nor their types are checked; here they are.
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping

import numpy as np
import torch

from bessemer import memory
from bessemer._bessemer import Tensor
from bessemer.errors import InputError

_CASTS = {
    "fp16": np.dtype(np.float16),
    "bf16": memory.BFLOAT16,
    "int32": np.dtype(np.int32),
    "int16": np.dtype(np.int16),
    "int8": np.dtype(np.int8),
    "uint8": np.dtype(np.uint8),
}
# What Metal lacks, bound by value in the type that it has.
_NARROWER = {torch.float64: torch.float32, torch.complex128: torch.complex64}
_COMPLEX = {"complex64": "float32", "complex32": "float16"}
_BYTES = ("int8", "uint8")


def bind_arguments(info, args, arg_casts, own: dict[int, torch.Tensor]) -> list:
    """One entry for each buffer of the kernel. `own` are bound beside `args`."""
    casts = _casts(info.name, arg_casts)
    memories = [a.name for a in info.arguments if a.kind == "threadgroup memory"]
    if memories:
        raise InputError(
            f"kernel {info.name!r}: argument {memories[0]!r} is threadgroup memory, "
            "which compile_shader has no size for; declare a threadgroup array in the "
            "kernel, or use bessemer.compile"
        )
    values = dict(enumerate(args)) | own
    indices = {argument.index for argument in info.arguments}
    names = ", ".join(map(str, info.arguments)) or "none"
    for index in values:
        if index not in indices:
            raise InputError(
                f"kernel {info.name!r} has no argument with index {index}; it has: "
                f"{names}"
            )
    bound = []
    for argument in info.arguments:
        if argument.index not in values:
            raise InputError(f"kernel {info.name!r}: missing argument {argument}")
        cast = casts(argument.index)
        try:
            bound.append(_value(argument, values[argument.index], cast))
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(
                f"kernel {info.name!r}, argument {argument}: {error}"
            ) from None
    return bound


def _casts(kernel: str, arg_casts):
    """From an index to the dtype of arg_casts, or None."""
    if arg_casts is None:
        return lambda index: None
    if isinstance(arg_casts, str):
        names, default = {}, arg_casts
    elif isinstance(arg_casts, Mapping):
        names, default = arg_casts, None
    else:
        raise InputError(
            f"kernel {kernel!r}: arg_casts is a string or a dict of strings by index, "
            f"got {arg_casts!r}"
        )
    for name in [*names.values(), *([default] if default is not None else [])]:
        if name not in _CASTS:
            raise InputError(
                f"kernel {kernel!r}: Unsupported cast instruction {name!r}; arg_casts "
                f"knows {', '.join(_CASTS)}"
            )
    return lambda index: _CASTS.get(names.get(index, default))


def _value(argument, value, cast: np.dtype | None):
    if isinstance(value, torch.Tensor):
        return _tensor(argument, value)
    items = list(value) if isinstance(value, (list, tuple)) else [value]
    if not items:
        raise TypeError("an empty list has no type; pass at least one number")
    if all(isinstance(item, torch.Tensor) for item in items):
        addresses = np.array([*map(_address, range(len(items)), items)], np.uint64)
        return _raw(argument, addresses.tobytes(), f"{len(items)} addresses")
    # NumPy's numbers as Python's, which compare and convert without wrapping.
    items = [item.item() if isinstance(item, np.generic) else item for item in items]
    if not all(isinstance(item, numbers.Real) for item in items):
        raise TypeError(f"Unsupported argument type {type(value).__name__}")
    return _numbers(argument, items, cast)


def _address(index: int, tensor: torch.Tensor) -> int:
    """Of one in a list."""
    try:
        memory.check_torch(tensor)
    except TypeError as error:
        raise TypeError(f"tensor {index} of the list: {error}") from None
    if tensor.dtype in _NARROWER:
        raise TypeError(
            f"tensor {index} of the list: Metal has no {tensor.dtype}; pass "
            f"x.to({_NARROWER[tensor.dtype]})"
        )
    return tensor.data_ptr()


def _numbers(argument, items: list, cast: np.dtype | None) -> bytes:
    # The first decides.
    is_integer = isinstance(items[0], numbers.Integral)
    dtype = cast or np.dtype(np.int64 if is_integer else np.float32)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        for item in items:
            if not limits.min <= item <= limits.max:
                raise OverflowError(f"{item} is out of range for {dtype.name}")
    numbers_ = np.array([int(i) if dtype.kind in "iu" else float(i) for i in items])
    data = numbers_.astype(dtype)
    what = f"{memory.dtype_name(dtype)}[{len(items)}]"
    element = argument.element_type
    if element in memory.OPAQUE:
        return _raw(argument, data.tobytes(), what)
    wanted = memory.numpy_dtype(element)
    if wanted.kind in "iub" and dtype == np.int64 and len(items) == 1:
        data = _narrowed(items[0], wanted, argument.vector_width)
    elif not _is_bits_of(wanted, dtype):
        raise TypeError(
            f"{argument.type_name} is wanted, and the value is bound as {what}"
            f"{_hint(wanted, dtype, argument.index)}"
        )
    return _raw(argument, data.tobytes(), what)


def _is_bits_of(wanted: np.dtype, dtype: np.dtype) -> bool:
    integers = wanted.kind in "iub" and dtype.kind in "iu"
    return wanted == dtype or (integers and wanted.itemsize == dtype.itemsize)


def _narrowed(value: int, wanted: np.dtype, width: int) -> np.ndarray:
    """The low bytes of 64 bits, as a kernel that reads fewer sees them."""
    if width != 1:
        raise TypeError(f"{width} numbers are wanted, got one")
    bits = 8 * wanted.itemsize
    if not -(2 ** (bits - 1)) <= value < 2**bits:
        raise OverflowError(f"{value} is out of range for {wanted.name}")
    return np.array([value % 2**64], np.uint64).view(np.uint8)[: wanted.itemsize]


def _hint(wanted: np.dtype, dtype: np.dtype, index: int) -> str:
    for name, kind in _CASTS.items():
        same_kind = (wanted.kind in "iub") == (kind.kind in "iu")
        if same_kind and _is_bits_of(wanted, kind):
            return f"; pass arg_casts={{{index}: {name!r}}}"
    if wanted == np.float32 and dtype == np.int64:
        return "; pass a float"
    return ""


def _raw(argument, data: bytes, what: str) -> bytes:
    size = argument.size
    if argument.is_reference and len(data) > size:
        raise TypeError(
            f"{argument.type_name} has {size} bytes, {what} has {len(data)}"
        )
    is_vector = argument.vector_width > 1 or argument.element_type in memory.OPAQUE
    if len(data) < size and not is_vector:
        raise TypeError(
            f"{argument.type_name} has {size} bytes, {what} has {len(data)}"
        )
    # A float3 has a fourth, and a list may fill an array in part.
    return data.ljust(size, b"\0")


def _tensor(argument, tensor: torch.Tensor):
    if argument.kind == "tensor":
        return memory.from_torch(tensor)
    memory.check_torch(tensor)
    if tensor.dtype in _NARROWER:
        if tensor.dim() or argument.access != "read":
            raise TypeError(
                f"Metal has no {tensor.dtype}; pass x.to({_NARROWER[tensor.dtype]})"
            )
        tensor = tensor.to(_NARROWER[tensor.dtype])
    dtype = str(tensor.dtype).removeprefix("torch.")
    if not _fits(argument, tensor.dtype, dtype):
        if tensor.dim() == 0 and not tensor.dtype.is_complex:
            return _numbers(argument, [tensor.item()], None)
        raise TypeError(
            f"{argument.type_name} is wanted, got a tensor of {dtype}; convert it, or "
            "pass x.view(dtype) if its bits are meant"
        )
    return _view(argument, tensor)


def _fits(argument, dtype: torch.dtype, name: str) -> bool:
    element = argument.element_type
    # Atomics of 32 bits stand for the parts of other types.
    if element in (*memory.OPAQUE, name) or "atomic" in argument.type_name.lower():
        return True
    if name in _BYTES or _COMPLEX.get(name) == element:
        return True
    wanted = memory.numpy_dtype(element)
    if wanted.kind not in "iub" or dtype.is_floating_point or dtype.is_complex:
        return False
    return dtype.itemsize in (wanted.itemsize, wanted.itemsize * argument.vector_width)


def _view(argument, tensor: torch.Tensor) -> Tensor:
    """What lies behind the tensor's first element, strides or not."""
    begin = tensor.storage_offset() * tensor.element_size()
    size = tensor.untyped_storage().nbytes() - begin
    return memory.view_bytes(argument, tensor.data_ptr(), size, False, tensor)
