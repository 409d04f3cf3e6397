"""Arrays of NumPy and MLX, in and out of custom kernels."""

from __future__ import annotations

import sys

import numpy as np

from bessemer import memory
from bessemer.mlx.signature import dtype_name

# Python numbers become MLX's default types.
_NUMBERS = {bool: np.bool_, int: np.int32, float: np.float32, complex: np.complex64}


def numpy_dtype(dtype) -> np.dtype:
    name = dtype_name(dtype)
    return memory.BFLOAT16 if name == "bfloat16" else np.dtype(name)


def to_numpy(value) -> np.ndarray:
    """The array, not copied where its memory can be seen and is as Metal reads it."""
    return _as_read(_to_numpy(value))


def _as_read(array: np.ndarray) -> np.ndarray:
    """In this machine's byte order, and bools as bytes of 0 and 1."""
    if not array.dtype.isnative:
        return array.astype(array.dtype.newbyteorder("="))
    if array.dtype == np.bool_ and (array.view(np.uint8) > 1).any():
        return np.asarray(array.view(np.uint8) != 0)
    return array


def _to_numpy(value) -> np.ndarray:
    if isinstance(value, np.ndarray):
        return value
    if type(value) in _NUMBERS:
        return np.array(value, _NUMBERS[type(value)])
    if isinstance(value, np.generic):
        return np.asarray(value)
    if not is_mlx(value):
        raise TypeError(
            "[metal_kernel] inputs are arrays of NumPy or MLX, or numbers; got "
            f"{type(value).__name__}"
        )
    if dtype_name(value.dtype) == "bfloat16":
        # The buffer protocol has no bfloat16.
        mlx = sys.modules["mlx.core"]
        return np.array(value.view(mlx.uint16)).view(memory.BFLOAT16)
    return np.array(value, copy=None)


def is_mlx(value) -> bool:
    """Whether it is an array of MLX, or of what stands in for it."""
    mlx = sys.modules.get("mlx.core")
    return mlx is not None and isinstance(value, mlx.array)


def like_inputs(output: np.ndarray, inputs):
    """An MLX array if an input was one, or if all were numbers and MLX is in use."""
    mlx = sys.modules.get("mlx.core")
    has_numpy = any(isinstance(value, (np.ndarray, np.generic)) for value in inputs)
    if mlx is None or (has_numpy and not any(map(is_mlx, inputs))):
        return output
    if output.dtype == memory.BFLOAT16:
        return mlx.array(output.view(np.uint16)).view(mlx.bfloat16)
    return mlx.array(output)


def full(shape: tuple[int, ...], dtype, value) -> np.ndarray:
    return np.full(shape, value, numpy_dtype(dtype))


def is_walkable(array: np.ndarray) -> bool:
    """Whether its strides lead a kernel from its first element to every other."""
    return all(s >= 0 and s % array.itemsize == 0 for s in array.strides)


def bind(argument, array: np.ndarray):
    """The array's memory for a kernel."""
    reach = sum((n - 1) * s for n, s in zip(array.shape, array.strides, strict=True))
    size = reach + array.itemsize if array.size else 0
    address, read_only = array.__array_interface__["data"]
    return memory.view_bytes(argument, address, size, read_only, array)
