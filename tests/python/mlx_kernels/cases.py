"""What a case is, and the numbers that cases are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import ml_dtypes
import numpy as np

DTYPES = {
    "bool_": np.dtype(np.bool_),
    "uint8": np.dtype(np.uint8),
    "uint16": np.dtype(np.uint16),
    "uint32": np.dtype(np.uint32),
    "uint64": np.dtype(np.uint64),
    "int8": np.dtype(np.int8),
    "int16": np.dtype(np.int16),
    "int32": np.dtype(np.int32),
    "int64": np.dtype(np.int64),
    "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "float32": np.dtype(np.float32),
    "complex64": np.dtype(np.complex64),
}
FLOATS = ("float32", "float16", "bfloat16")
INTEGERS = tuple(name for name in DTYPES if name.startswith(("int", "uint")))
# Of one operation in the type, rounding included.
EPSILON = {"float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}
GUARD = 16  # Elements behind an output that must stay as they are.


@dataclass
class Case:
    """One launch. `expected` holds outputs by argument name, flat."""

    kind: str
    kernel: str
    arguments: dict[str, object]
    expected: dict[str, np.ndarray]
    threads: tuple[int, ...] | None = None
    groups: tuple[int, ...] | None = None
    group_size: tuple[int, ...] = (64,)
    # |got - expected| <= tolerance * max(1, |expected|); 0 is exact.
    tolerance: float = 0.0
    constants: dict[str, object] = field(default_factory=dict)
    label: str = ""


@dataclass
class Family:
    """A file of kernels, below the folder of kernels, and its cases."""

    file: str
    cases: Callable[[np.random.Generator], Iterator[Case]]
    math: str = "safe"  # MLX compiles its library without fast maths.


def is_float(name: str) -> bool:
    return name in EPSILON


def values(rng, name: str, shape, low=-8.0, high=8.0) -> np.ndarray:
    """Numbers between two bounds, as far as the type has them."""
    dtype = DTYPES[name]
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind == "c":
        parts = rng.uniform(low, high, (2, *np.atleast_1d(shape)))
        return (parts[0] + 1j * parts[1]).astype(dtype)
    if is_float(name):
        return rng.uniform(low, high, shape).astype(dtype)
    limits = np.iinfo(dtype)
    bounds = max(int(low), limits.min), min(int(high), limits.max)
    return rng.integers(bounds[0], bounds[1], shape, endpoint=True).astype(dtype)


def wide(array: np.ndarray) -> np.ndarray:
    """Floating numbers as float64, complex ones as complex128."""
    if array.dtype.kind in "biu":
        return array
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def output(size: int, name: str) -> np.ndarray:
    """Room for results: what no kernel writes is told by its value."""
    array = np.zeros(size + GUARD, DTYPES[name])
    array.view(np.uint8)[:] = 1 if name == "bool_" else 0x5A
    return array


def tolerance(name: str, operations: float = 4) -> float:
    return EPSILON.get("float32" if name == "complex64" else name, 0.0) * operations


def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


def strides(array: np.ndarray) -> np.ndarray:
    """In elements."""
    return np.array([s // array.itemsize for s in array.strides], np.int64)


def strided(rng, name: str, shape, low=-8.0, high=8.0) -> tuple[np.ndarray, np.ndarray]:
    """A view with its axes in another order in memory, and that memory."""
    memory = values(rng, name, tuple(reversed(shape)), low, high)
    return memory.transpose(), memory.reshape(-1)
