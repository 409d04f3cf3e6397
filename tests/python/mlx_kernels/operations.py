"""What the element-wise operations mean, in NumPy and in wide arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import ml_dtypes
import numpy as np

from .cases import DTYPES, FLOATS, INTEGERS, tolerance

COMPLEX = "complex64"
ALL = ("bool_", *INTEGERS, *FLOATS)


@dataclass
class Unary:
    function: Callable
    types: tuple[str, ...] = FLOATS
    bounds: tuple[float, float] = (-3.0, 3.0)
    result: str = ""  # Another type than the operand's.
    operations: float = 4.0  # Roundings that the result may be off by.
    complex_operations: float = 16.0

    def tolerance(self, name: str) -> float:
        is_complex = name == COMPLEX
        return tolerance(
            name, self.complex_operations if is_complex else self.operations
        )


def _error_function(x):
    return np.vectorize(math.erf)(x)


def _inverse_error_function(x):
    """Newton steps on erf, from a first guess that is near enough."""
    guess = np.sign(x) * np.sqrt(-np.log((1 - x) * (1 + x))) * 0.8
    for _ in range(60):
        slope = 2 / math.sqrt(math.pi) * np.exp(-guess * guess)
        guess -= (_error_function(guess) - x) / slope
    return guess


def _sign(x):
    if x.dtype.kind == "c":
        return x / np.abs(x)
    return np.sign(x) if x.dtype.kind != "b" else x


def _to_fp8(x):
    return np.clip(x, -448, 448).astype(ml_dtypes.float8_e4m3fn).view(np.uint8)


def _from_fp8(x):
    return x.view(ml_dtypes.float8_e4m3fn).astype(np.float64)


UNARY = {
    "Abs": Unary(np.abs, (*ALL, COMPLEX)),
    # Their square root of 1 - x^2 cancels to half of the digits near an axis.
    "ArcCos": Unary(
        np.arccos, (*FLOATS, COMPLEX), (-0.9, 0.9), complex_operations=4096
    ),
    "ArcCosh": Unary(np.arccosh, FLOATS, (1.1, 9)),
    "ArcSin": Unary(
        np.arcsin, (*FLOATS, COMPLEX), (-0.9, 0.9), complex_operations=4096
    ),
    "ArcSinh": Unary(np.arcsinh),
    "ArcTan": Unary(np.arctan, (*FLOATS, COMPLEX), (-0.9, 0.9)),
    "ArcTanh": Unary(np.arctanh, FLOATS, (-0.9, 0.9)),
    "Ceil": Unary(lambda x: x if x.dtype.kind in "biu" else np.ceil(x), ALL),
    "Cos": Unary(np.cos, (*FLOATS, COMPLEX)),
    "Cosh": Unary(np.cosh, (*FLOATS, COMPLEX)),
    "Exp": Unary(np.exp, (*FLOATS, COMPLEX)),
    # MLX reduces the argument by a log(2) of 19 bits.
    "Expm1": Unary(np.expm1, operations=64),
    "Floor": Unary(lambda x: x if x.dtype.kind in "biu" else np.floor(x), ALL),
    "Log": Unary(np.log, (*FLOATS, COMPLEX), (0.1, 9)),
    "Log2": Unary(np.log2, (*FLOATS, COMPLEX), (0.1, 9)),
    "Log10": Unary(np.log10, (*FLOATS, COMPLEX), (0.1, 9)),
    "Log1p": Unary(np.log1p, (*FLOATS, COMPLEX), (0.1, 9)),
    "Negative": Unary(lambda x: x if x.dtype.kind == "b" else -x, (*ALL, COMPLEX)),
    "Sigmoid": Unary(lambda x: 1 / (1 + np.exp(-x))),
    "Erf": Unary(_error_function, operations=64),
    "ErfInv": Unary(_inverse_error_function, FLOATS, (-0.99, 0.99), operations=16),
    "Sign": Unary(_sign, (*ALL, COMPLEX)),
    "Sin": Unary(np.sin, (*FLOATS, COMPLEX)),
    "Sinh": Unary(np.sinh, (*FLOATS, COMPLEX)),
    "Square": Unary(lambda x: x if x.dtype.kind == "b" else x * x, (*ALL, COMPLEX)),
    "Sqrt": Unary(np.sqrt, (*FLOATS, COMPLEX), (0.1, 9)),
    "Rsqrt": Unary(lambda x: 1 / np.sqrt(x), (*FLOATS, COMPLEX), (0.1, 9)),
    "Tan": Unary(np.tan, (*FLOATS, COMPLEX), (-1.4, 1.4), operations=16),
    "Tanh": Unary(np.tanh, (*FLOATS, COMPLEX), (-1.4, 1.4)),
    "Round": Unary(np.rint, (*FLOATS, COMPLEX)),
    "BitwiseInvert": Unary(np.invert, INTEGERS),
    "LogicalNot": Unary(np.logical_not, ("bool_",)),
    "Conjugate": Unary(np.conj, (COMPLEX,)),
    "Real": Unary(np.real, (COMPLEX,), result="float32"),
    "Imag": Unary(np.imag, (COMPLEX,), result="float32"),
    "ToFP8": Unary(_to_fp8, FLOATS, (-500, 500), result="uint8"),
    "FromFP8": Unary(_from_fp8, ("uint8",), (0, 126), result=",".join(FLOATS)),
}


def unary_kernels() -> Iterator[tuple[str, str, str]]:
    """Operation, type of the operand, type of the result."""
    for op, about in UNARY.items():
        for name in about.types:
            for result in (about.result or name).split(","):
                yield op, name, result


@dataclass
class Binary:
    function: Callable
    types: tuple[str, ...] = (*ALL, COMPLEX)
    bounds: tuple[float, float] = (1.0, 6.0)
    is_test: bool = False  # Gives bool.
    operations: float = 4.0

    def apply(self, a, b):
        wide = a.dtype.kind not in "biu"
        kind = np.complex128 if a.dtype.kind == "c" else np.float64
        return self.function(
            a.astype(kind) if wide else a, b.astype(kind) if wide else b
        )

    def tolerance(self, name: str) -> float:
        return tolerance(name, self.operations)


def _divide(a, b):
    return a // b if a.dtype.kind in "iu" else a & b if a.dtype.kind == "b" else a / b


def _remainder(a, b):
    if a.dtype.kind != "c":
        return np.zeros_like(a) if a.dtype.kind == "b" else np.mod(a, b)
    # By component, with the sign of the divisor.
    return np.mod(a.real, b.real) + 1j * np.mod(a.imag, b.imag)


def _power(a, b):
    return a | ~b if a.dtype.kind == "b" else np.power(a, b)


def _greater(a, b):
    return a > b if a.dtype.kind != "c" else _ordered(a, b)


def _ordered(a, b):
    """Complex numbers compare by the real part, then by the imaginary one."""
    return (a.real > b.real) | ((a.real == b.real) & (a.imag > b.imag))


def _wanted(greater):
    def function(a, b):
        return np.where(_greater(a, b) == greater, a, b)

    return function


def _subtract(a, b):
    return a ^ b if a.dtype.kind == "b" else a - b


def _nan_equal(a, b):
    return (a == b) | (np.isnan(a) & np.isnan(b))


BINARY = {
    "Add": Binary(np.add),
    "Divide": Binary(_divide, (*INTEGERS, *FLOATS, COMPLEX)),
    "Equal": Binary(np.equal, bounds=(1, 3), is_test=True),
    "Greater": Binary(_greater, is_test=True),
    "GreaterEqual": Binary(lambda a, b: ~_greater(b, a), is_test=True),
    "Less": Binary(lambda a, b: _greater(b, a), is_test=True),
    "LessEqual": Binary(lambda a, b: ~_greater(a, b), is_test=True),
    "NotEqual": Binary(np.not_equal, bounds=(1, 3), is_test=True),
    "LogAddExp": Binary(np.logaddexp, FLOATS),
    "Maximum": Binary(_wanted(True)),
    "Minimum": Binary(_wanted(False)),
    "Multiply": Binary(np.multiply),
    "Subtract": Binary(_subtract),
    "Power": Binary(_power, bounds=(0, 3), operations=24),
    "Remainder": Binary(_remainder, (*INTEGERS, *FLOATS, COMPLEX), operations=8),
    "ArcTan2": Binary(np.arctan2, FLOATS, (-3, 3)),
    "NaNEqual": Binary(_nan_equal, (*FLOATS, COMPLEX), (1, 3), True),
    "LogicalOr": Binary(np.logical_or, ("bool_",)),
    "LogicalAnd": Binary(np.logical_and, ("bool_",)),
    "BitwiseAnd": Binary(np.bitwise_and, ("bool_", *INTEGERS), (0, 99)),
    "BitwiseOr": Binary(np.bitwise_or, ("bool_", *INTEGERS), (0, 99)),
    "BitwiseXor": Binary(np.bitwise_xor, ("bool_", *INTEGERS), (0, 99)),
    "LeftShift": Binary(np.left_shift, INTEGERS, (0, 4)),
    "RightShift": Binary(np.right_shift, INTEGERS, (0, 4)),
}


def binary_kernels() -> Iterator[tuple[str, str, str]]:
    """Operation, type of the operands, type of the result."""
    for op, about in BINARY.items():
        for name in about.types:
            yield op, name, "bool_" if about.is_test else name


def rounded(array: np.ndarray, name: str) -> np.ndarray:
    return np.asarray(array).astype(DTYPES[name])
