"""Python values as kernel arguments, by the kernel's reflection."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Mapping

import numpy as np

from bessemer import memory
from bessemer.errors import ArgumentError

_MAX_DIMENSION = 2**32 - 1


def dimensions(label: str, value) -> tuple[int, int, int] | None:
    """(x, y, z) from an integer or one to three integers."""
    if value is None:
        return None
    items = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    if not 1 <= len(items) <= 3:
        raise ArgumentError(f"{label} has one to three sizes, got {value!r}")
    try:
        sizes = [operator.index(item) for item in items]
    except TypeError:
        raise ArgumentError(f"{label} must hold integers, got {value!r}") from None
    if not all(0 <= size <= _MAX_DIMENSION for size in sizes):
        raise ArgumentError(f"{label} is out of range: {value!r}")
    return (*sizes, *[1] * (3 - len(sizes)))


def threadgroup_lengths(label: str, value) -> dict[int, int]:
    """Bytes of threadgroup memory by argument index."""
    if value is not None and not isinstance(value, Mapping):
        raise ArgumentError(f"{label} is a dict of bytes by index, got {value!r}")
    lengths = {}
    for index, length in (value or {}).items():
        try:
            lengths[operator.index(index)] = operator.index(length)
        except TypeError:
            raise ArgumentError(
                f"{label} maps argument indices to bytes, got {index!r}: {length!r}"
            ) from None
        if not (0 <= index <= _MAX_DIMENSION and 0 <= length <= _MAX_DIMENSION):
            raise ArgumentError(f"{label} is out of range: {{{index}: {length}}}")
    return lengths


def bind_arguments(kernel: str, arguments, args, named: dict) -> list:
    """One entry per argument that is not threadgroup memory, in their order."""
    buffers = [a for a in arguments if a.kind != "threadgroup memory"]
    by_index = {a.index: a for a in buffers}
    by_name = {a.name: a for a in buffers}
    values = {}
    for i, value in enumerate(args):
        if i in by_index:
            values[i] = value
        elif value is not None:
            raise ArgumentError(
                f"kernel {kernel!r} has no argument with index {i}; it has: "
                f"{_list(buffers)}"
            )
    for name, value in named.items():
        argument = by_name.get(name)
        if argument is None:
            raise ArgumentError(
                f"kernel {kernel!r} has no argument {name!r}; it has: {_list(buffers)}"
            )
        if values.get(argument.index) is not None:
            raise ArgumentError(f"kernel {kernel!r}: argument {name!r} is given twice")
        values[argument.index] = value
    missing = [a for a in buffers if values.get(a.index) is None]
    if missing:
        raise ArgumentError(
            f"kernel {kernel!r}: missing argument{'s'[: len(missing) > 1]} "
            f"{_list(missing)}"
        )
    return [_value(kernel, a, values[a.index]) for a in buffers]


def _list(arguments) -> str:
    return ", ".join(map(str, arguments)) or "none"


def _value(kernel: str, argument, value):
    try:
        if isinstance(value, (bytes, bytearray, memoryview)):
            return _inline(argument, bytes(value))
        if isinstance(value, (numbers.Number, np.generic, list, tuple)):
            return _inline(argument, encode(argument, value))
        return memory.from_object(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(
            f"kernel {kernel!r}, argument {argument}: {error}"
        ) from None


def _inline(argument, data: bytes) -> bytes:
    if argument.address_space != "constant":
        raise TypeError(
            "a value has no memory that the kernel could use; pass an array"
        )
    return data


def encode(argument, value) -> bytes:
    """The bytes of numbers for `constant T &`; vectors take sequences."""
    if argument.element_type in ("", "invalid"):
        raise TypeError(
            f"a {argument.type_name} takes bytes ({argument.size} of them) or an "
            f"array, not {type(value).__name__}"
        )
    items = list(value) if isinstance(value, (list, tuple)) else [value]
    width = argument.vector_width
    if len(items) % width or (argument.is_reference and len(items) != width):
        raise TypeError(
            f"{argument.type_name} takes {width} number{'s'[: width > 1]}, "
            f"got {len(items)}"
        )
    data = b"".join(encode_number(argument.element_type, item) for item in items)
    return data + bytes(max(0, argument.size - len(data)))


def encode_number(dtype: str, value) -> bytes:
    """One number in an element type; refuses what does not fit."""
    if dtype == "bool":
        return bytes([bool(value)])
    if dtype == "bfloat16":
        return memory.BFLOAT16.type(float(value)).tobytes()
    kind = np.dtype(dtype)
    if kind.kind == "f":
        return kind.type(float(value)).tobytes()
    try:
        integer = operator.index(value)
    except TypeError:
        raise TypeError(f"{value!r} is not an integer, {dtype} is wanted") from None
    limits = np.iinfo(kind)
    if not limits.min <= integer <= limits.max:
        raise OverflowError(f"{integer} is out of range for {dtype}")
    return kind.type(integer).tobytes()


def constant_bits(constant, value) -> int:
    """A function constant's value as the bits of its type."""
    try:
        return int.from_bytes(encode_number(constant.type, value), "little")
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(f"function constant {constant.name!r}: {error}") from None
