"""Python values as kernel arguments, by the kernel's reflection."""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Mapping

import numpy as np

from bessemer import memory
from bessemer.errors import ArgumentError

# Keywords of a call that are no arguments of the kernel.
CALL_OPTIONS = ("threads", "groups", "group_size", "threadgroup_memory")
_MAX_DIMENSION = 2**32 - 1
# Element types of arguments that are structs.
_NO_ELEMENT = ("", "invalid")


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
        raise ArgumentError(
            f"{label} is a dict of bytes by name or index, got {value!r}"
        )
    lengths = {}
    for index, length in (value or {}).items():
        try:
            lengths[operator.index(index)] = operator.index(length)
        except TypeError:
            raise ArgumentError(
                f"{label} maps names or indices of threadgroup arguments to bytes, "
                f"got {index!r}: {length!r}"
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
        taken = [repr(a.name) for a in missing if a.name in CALL_OPTIONS]
        hint = f"; {', '.join(taken)} is an option of the call" if taken else ""
        raise ArgumentError(
            f"kernel {kernel!r}: missing argument{'s'[: len(missing) > 1]} "
            f"{_list(missing)}{hint and hint + ': pass the argument by position'}"
        )
    return [_value(kernel, a, values[a.index]) for a in buffers]


def _list(arguments) -> str:
    return ", ".join(map(str, arguments)) or "none"


def _value(kernel: str, argument, value):
    try:
        if isinstance(value, (bytes, bytearray, memoryview)):
            return _inline(argument, bytes(value))
        if isinstance(value, (np.ndarray, np.void)) and value.dtype.names:
            return _structs(argument, value)
        if isinstance(value, (list, tuple)) and not argument.is_reference:
            return _list_for_pointer(argument, value)
        if isinstance(value, (numbers.Number, np.generic, list, tuple)):
            return _inline(argument, encode(argument, value))
        return memory.from_object(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentError(
            f"kernel {kernel!r}, argument {argument}: {error}"
        ) from None


def _structs(argument, value: np.ndarray | np.void):
    """A structured array or scalar of NumPy for a struct of the same size."""
    if argument.element_type not in _NO_ELEMENT:
        raise TypeError(
            f"a structured array of NumPy goes to a struct, not to {argument.type_name}"
        )
    if value.dtype.itemsize != argument.size:
        raise TypeError(
            f"{argument.type_name} has {argument.size} bytes, the elements of the "
            f"array have {value.dtype.itemsize} ({value.dtype}); "
            "np.dtype(..., align=True) lays fields out as C does, padding included"
        )
    if isinstance(value, np.void):
        return _inline(argument, value.tobytes())
    if not value.flags.c_contiguous:
        raise TypeError("the array is not contiguous; pass a contiguous copy")
    return memory.from_numpy(value.reshape(-1).view(np.uint8))


def _list_for_pointer(argument, value: list | tuple) -> bytes:
    """Numbers that the kernel only reads; what it writes would be lost."""
    if argument.kind != "buffer" or argument.access != "read":
        dtype = (
            "float32" if argument.element_type in _NO_ELEMENT else argument.element_type
        )
        raise TypeError(
            f"a {type(value).__name__} has no memory that the kernel could use; pass "
            f"an array, such as np.array(..., dtype={dtype!r})"
        )
    return encode(argument, value)


def _inline(argument, data: bytes) -> bytes:
    if argument.address_space != "constant":
        raise TypeError(
            "a value has no memory that the kernel could use; pass an array"
        )
    return data


def encode(argument, value) -> bytes:
    """The bytes of numbers for `constant T &`; vectors take sequences."""
    if argument.element_type in _NO_ELEMENT:
        raise TypeError(
            f"a {argument.type_name} takes bytes ({argument.size} of them), as of "
            "struct.pack, or a structured array of NumPy, not "
            f"{type(value).__name__}"
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
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{value!r} is text, a number is wanted")
    if dtype == "bool":
        return bytes([bool(value)])
    kind = memory.BFLOAT16 if dtype == "bfloat16" else np.dtype(dtype)
    if dtype == "bfloat16" or kind.kind == "f":
        with np.errstate(over="ignore"):
            number = kind.type(float(value))
        if math.isfinite(value) and not math.isfinite(number):
            raise OverflowError(f"{value} is out of range for {dtype}")
        return number.tobytes()
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
