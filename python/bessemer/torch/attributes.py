"""MLIR attributes as text."""

from __future__ import annotations

import math
import struct

import torch


def string(text: str) -> str:
    """A quoted string; everything but plain ASCII as \\XX bytes."""
    quoted = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}"
        for byte in text.encode()
    )
    return f'"{quoted}"'


def array(items: list[str]) -> str:
    return f"[{', '.join(items)}]"


def dictionary(items: dict[str, str]) -> str:
    return "{" + ", ".join(f"{name} = {text}" for name, text in items.items()) + "}"


def scalar(value) -> str:
    """A Python value as `torch.call` spells it."""
    if value is None:
        return "unit"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value} : si64"
    if isinstance(value, float):
        return f"{_float(value)} : f64"
    if isinstance(value, torch.dtype):
        return string(str(value).removeprefix("torch."))
    return string(str(value))


def _float(value: float) -> str:
    if not math.isfinite(value):
        (bits,) = struct.unpack("<Q", struct.pack("<d", value))
        return f"0x{bits:016X}"
    mantissa, e, exponent = repr(value).partition("e")
    if "." not in mantissa:
        mantissa += ".0"
    return mantissa + e + exponent
