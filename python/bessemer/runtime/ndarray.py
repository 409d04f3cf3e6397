"""NDArray: what functions of a model take and return."""

from __future__ import annotations

import numpy as np

from bessemer import memory
from bessemer._bessemer import Tensor
from bessemer.runtime.options import StorageKind

_ALIASES = {"complex64": "cfloat32", "complex128": "cfloat64"}


class NDArray:
    """A contiguous array with a copy of the data it was made from."""

    def __init__(self, data, backing: StorageKind = StorageKind.BYTES):
        if not isinstance(backing, StorageKind):
            raise TypeError(
                f"backing must be a StorageKind, got {type(backing).__name__}"
            )
        self._data = _copy(data)
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
        name = memory.dtype_name(self._data.dtype)
        return _ALIASES.get(name, name)

    @property
    def shape(self) -> list[int]:
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
        return self._data.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._data.__dlpack_device__()

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, index):
        return self._data[index]

    def __repr__(self) -> str:
        return f"NDArray({self._data!r})"


def _copy(data) -> np.ndarray:
    if isinstance(data, NDArray):
        return data.numpy()
    if memory.is_torch_tensor(data):
        if data.requires_grad:
            raise TypeError(
                f"Unable to create NDArray from {data!r}: it requires grad; call "
                ".detach() first"
            )
        tensor = memory.from_torch(data)
        return np.array(memory.to_numpy(tensor), order="C")
    if isinstance(data, (list, tuple, np.ndarray)):
        try:
            array = np.array(data, order="C")
        except ValueError as error:
            raise TypeError(
                f"Unable to create NDArray from {data!r}: {error}"
            ) from None
    elif hasattr(data, "__dlpack__"):
        array = np.array(memory.to_numpy(Tensor.from_dlpack(data)), order="C")
    else:
        raise TypeError(
            f"Unable to create NDArray from {data!r}: pass a NumPy array, a torch "
            "tensor or a list of numbers"
        )
    if array.dtype.kind not in "biufcV" or not array.dtype.isnative:
        raise TypeError(f"Unable to create NDArray with elements of {array.dtype}")
    if array.dtype.kind == "V" and array.dtype != memory.BFLOAT16:
        raise TypeError(f"Unable to create NDArray with elements of {array.dtype}")
    return array
