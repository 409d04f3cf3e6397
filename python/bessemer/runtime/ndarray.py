"""NDArray: what functions of a model take and return."""

from __future__ import annotations

import sys

import ml_dtypes
import numpy as np

from bessemer import memory
from bessemer._bessemer import Tensor
from bessemer.runtime.options import StorageKind

_ALIASES = {
    "complex64": "cfloat32",
    "complex128": "cfloat64",
    "float8_e5m2": "float8e5m2",
    "float8_e4m3fn": "float8e4m3fn",
}
# Element types that are not NumPy's own.
_FOREIGN = {
    np.dtype(getattr(ml_dtypes, name))
    for name in ("bfloat16", "float8_e5m2", "float8_e4m3fn", "int4", "uint4")
}


class NDArray:
    """A contiguous array with a copy of the data it was made from.

    With `copy=False` it shares the memory of a contiguous NumPy array, CPU tensor or
    DLPack object; data that cannot be shared is a ValueError.
    """

    def __init__(
        self, data, backing: StorageKind = StorageKind.BYTES, *, copy: bool = True
    ):
        if not isinstance(backing, StorageKind):
            raise TypeError(
                f"backing must be a StorageKind, got {type(backing).__name__}"
            )
        self._data = _as_numpy(data)
        if not copy:
            _check_shared(data, self._data)
        elif not isinstance(data, (list, tuple)):
            self._data = np.array(self._data, order="C")
        self.storage_kind = backing

    @classmethod
    def _adopt(cls, tensor: Tensor) -> NDArray:
        """An array over the memory of a result."""
        self = cls.__new__(cls)
        self._data = memory.to_numpy(tensor)
        self.storage_kind = StorageKind.BYTES
        return self

    @classmethod
    def from_descriptor(cls, descriptor) -> NDArray:
        """Zeros of a descriptor's shape and dtype."""
        if not hasattr(descriptor, "shape") or not hasattr(descriptor, "dtype"):
            raise TypeError(
                "from_descriptor takes a descriptor of a function, such as "
                f"function.desc.input_descriptor(name), got {descriptor!r}"
            )
        if any(size < 0 for size in descriptor.shape):
            raise ValueError(
                f"the shape {list(descriptor.shape)} has dynamic dimensions: make an "
                "NDArray of the sizes you want instead"
            )
        dtype = (
            memory.BFLOAT16
            if descriptor.dtype == "bfloat16"
            else np.dtype(descriptor.dtype)
        )
        return cls(np.zeros(descriptor.shape, dtype))

    def numpy(self) -> np.ndarray:
        """A copy as a NumPy array."""
        return self._data.copy()

    @property
    def dtype(self) -> str:
        """The element type: "float32", "bfloat16", "cfloat32" ..."""
        name = memory.dtype_name(self._data.dtype)
        return _ALIASES.get(name, name)

    @property
    def shape(self) -> list[int]:
        """The extents, outermost first."""
        return list(self._data.shape)

    @property
    def strides(self) -> list[int]:
        """In elements."""
        if self._data.size == 0:
            return [0] * self._data.ndim
        return [stride // self._data.itemsize for stride in self._data.strides]

    def __bessemer_tensor__(self) -> Tensor:
        return memory.from_numpy(self._data)

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.array(self._data, dtype=dtype, copy=copy)

    def __dlpack__(self, **options):
        torch = sys.modules.get("torch")
        if torch and self._data.dtype == memory.BFLOAT16:  # NumPy cannot.
            bits = torch.from_numpy(self._data.view(np.int16))
            return bits.view(torch.bfloat16).__dlpack__(**options)
        return self._data.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._data.__dlpack_device__()

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, index):
        return self._data[index]

    def __repr__(self) -> str:
        return f"NDArray({self._data!r})"


def _as_numpy(data) -> np.ndarray:
    """The data's own memory where it has one that NumPy can show."""
    if isinstance(data, NDArray):
        array = data._data
    elif memory.is_torch_tensor(data):
        array = _from_torch(data)
    elif isinstance(data, np.ndarray):
        array = data
    elif isinstance(data, (list, tuple)):
        try:
            array = np.array(data)
        except ValueError as error:
            raise TypeError(
                f"Unable to create NDArray from {data!r}: {error}"
            ) from None
    elif hasattr(data, "__dlpack__"):
        array = memory.to_numpy(Tensor.from_dlpack(data))
    else:
        raise TypeError(
            f"Unable to create NDArray from {data!r}: pass a NumPy array, a torch "
            "tensor or a list of numbers"
        )
    is_known = array.dtype.kind in "biufc" or array.dtype in _FOREIGN
    if not is_known or not array.dtype.isnative:
        raise TypeError(f"Unable to create NDArray with elements of {array.dtype}")
    return array


def _from_torch(tensor) -> np.ndarray:
    if tensor.requires_grad:
        raise TypeError(
            f"Unable to create NDArray from {tensor!r}: it requires grad; call "
            ".detach() first"
        )
    if tensor.is_complex():
        return tensor.resolve_conj().numpy()
    name = str(tensor.dtype).removeprefix("torch.")
    if name.startswith("float8") and hasattr(ml_dtypes, name):
        bits = tensor.view(sys.modules["torch"].uint8).numpy()
        return bits.view(getattr(ml_dtypes, name))
    return memory.to_numpy(memory.from_torch(tensor))


def _check_shared(data, array: np.ndarray) -> None:
    if isinstance(data, (list, tuple)) or (
        memory.is_torch_tensor(data) and data.is_conj()
    ):
        reason = f"a {type(data).__name__} has no memory to share"
    elif not array.flags.c_contiguous:
        reason = f"strides {array.strides} are not those of a contiguous array"
    else:
        return
    raise ValueError(f"NDArray(copy=False): {reason}; leave copy=False out")
