"""Element types under their four names: torch, IR, Metal, NumPy."""

from __future__ import annotations

from typing import NamedTuple

import torch


class ElementType(NamedTuple):
    ir: str  # In the program: "si32".
    metal: str | None  # In a kernel; None: kernels do not take it.
    numpy: str  # dtypeName of the library.


# int64 and float64 are narrowed: the dialect's indices are 32 bits wide.
TORCH_TYPES = {
    torch.bfloat16: ElementType("bf16", "bfloat", "bfloat16"),
    torch.float16: ElementType("f16", "half", "float16"),
    torch.float32: ElementType("f32", "float", "float32"),
    torch.float64: ElementType("f32", "float", "float32"),
    torch.int8: ElementType("si8", "int8_t", "int8"),
    torch.uint8: ElementType("ui8", "uint8_t", "uint8"),
    torch.int16: ElementType("si16", "int16_t", "int16"),
    torch.uint16: ElementType("ui16", "uint16_t", "uint16"),
    torch.int32: ElementType("si32", "int", "int32"),
    torch.uint32: ElementType("ui32", "uint", "uint32"),
    torch.int64: ElementType("si32", "int", "int32"),
    torch.bool: ElementType("i1", None, "bool"),
}

# Tensors of these are held in 32 bits.
NARROWED = {torch.int64: torch.int32, torch.float64: torch.float32}

# How the original's messages spell types that kernels do not take.
_FOREIGN = {
    torch.float8_e4m3fn: "f8E4M3FN",
    torch.float8_e5m2: "f8E5M2",
    torch.complex64: "complex<f32>",
    torch.complex128: "complex<f64>",
    torch.bool: "i1",
    torch.uint64: "ui64",
}


def ir_name(dtype: torch.dtype) -> str:
    """The element type as messages spell it."""
    known = TORCH_TYPES.get(dtype)
    if dtype in _FOREIGN or known is None:
        return _FOREIGN.get(dtype, str(dtype).removeprefix("torch."))
    return known.ir


def tensor_type(shape, dtype: torch.dtype) -> str:
    """`tensor<?x4xf32>`; symbolic sizes are `?`."""
    element = TORCH_TYPES.get(dtype)
    if element is None:
        raise TypeError(f"tensors of {dtype} cannot be converted")
    sizes = "".join(f"{s}x" if isinstance(s, int) else "?x" for s in shape)
    return f"tensor<{sizes}{element.ir}>"
