"""Arrays of NumPy, PyTorch and others as tensors of the library, uncopied."""

from __future__ import annotations

import math
import sys

import ml_dtypes
import numpy as np

from bessemer._bessemer import Tensor

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def dtype_name(dtype: np.dtype) -> str:
    """The library's name of a NumPy dtype ("float32", "bfloat16")."""
    return "bfloat16" if dtype == BFLOAT16 else dtype.name


def numpy_dtype(name: str) -> np.dtype:
    """The inverse of dtype_name."""
    return BFLOAT16 if name == "bfloat16" else np.dtype(name)


# Element types of arguments that are structs or void.
OPAQUE = ("", "invalid")


def view_bytes(argument, address: int, size: int, read_only: bool, owner) -> Tensor:
    """Memory as an argument wants it, whatever it holds, in whole elements."""
    if argument.is_reference:
        size = min(size, argument.size)
    if argument.element_type in OPAQUE:
        # Of a reference all bytes, so that an error can tell how many there are.
        rest = 0 if argument.is_reference else size % (argument.size or 1)
        dtype, count = "uint8", size - rest
    else:
        dtype = argument.element_type
        count = size // numpy_dtype(dtype).itemsize
    return Tensor.view(address, dtype, [count], [1], read_only, owner)


def from_numpy(array: np.ndarray) -> Tensor:
    """A view of the array's memory, which stays alive with it."""
    dtype = array.dtype
    if not dtype.isnative:
        raise TypeError(
            f"arrays in foreign byte order ({dtype.str}) are not supported; pass "
            "array.astype(array.dtype.newbyteorder('='))"
        )
    if any(stride % dtype.itemsize for stride in array.strides):
        raise TypeError(
            f"the array's strides {array.strides} are no multiples of its element "
            f"size {dtype.itemsize}; pass a copy"
        )
    interface = array.__array_interface__
    return Tensor.view(
        interface["data"][0],
        dtype_name(dtype),
        array.shape,
        _strides(array),
        interface["data"][1],
        array,
    )


def _strides(array: np.ndarray) -> list[int]:
    """In elements. NumPy gives an array without elements any: dense ones here."""
    if array.size:
        return [stride // array.itemsize for stride in array.strides]
    return [math.prod(array.shape[axis + 1 :]) or 1 for axis in range(array.ndim)]


def check_torch(tensor) -> None:
    """Refuses a tensor of PyTorch whose memory is not here or holds other numbers."""
    if tensor.device.type != "cpu":
        raise TypeError(
            f"the tensor lies on {tensor.device}; call .cpu() and pass the copy"
        )
    if tensor.layout != sys.modules["torch"].strided:
        raise TypeError(f"tensors with layout {tensor.layout} are not supported")
    if tensor.is_conj() or tensor.is_neg():
        # The memory holds other numbers than the tensor shows.
        what = "conj" if tensor.is_conj() else "neg"
        raise TypeError(
            f"the tensor is a lazy view of other numbers; call .resolve_{what}() and "
            "pass the result"
        )


def from_torch(tensor) -> Tensor:
    """A view of a CPU tensor of PyTorch."""
    check_torch(tensor)
    return Tensor.view(
        tensor.data_ptr(),
        str(tensor.dtype).removeprefix("torch."),
        list(tensor.shape),
        list(tensor.stride()),
        False,
        tensor,
    )


def is_torch_tensor(value) -> bool:
    """Without importing torch: a tensor exists only if someone else did."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def from_object(value) -> Tensor:
    """A view of any array; raises TypeError for what is none."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.ndarray):
        return from_numpy(value)
    if is_torch_tensor(value):
        return from_torch(value)
    view = getattr(value, "__bessemer_tensor__", None)
    return view() if view is not None else Tensor.from_dlpack(value)


def to_numpy(tensor: Tensor) -> np.ndarray:
    """The tensor's memory as an array."""
    array = tensor.numpy()
    return array.view(BFLOAT16) if tensor.dtype == "bfloat16" else array
