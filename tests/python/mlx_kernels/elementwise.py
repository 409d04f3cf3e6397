"""arange, unary, binary and ternary kernels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import operations
from .cases import (
    DTYPES,
    FLOATS,
    INTEGERS,
    Case,
    is_float,
    output,
    tolerance,
    wide,
)
from .forms import Form, drawer, stride_arguments, walk, width_of

WIDE = ("uint64", "int64", "complex64")  # Types with one element a thread only.
UNARY = [
    Form("v", "unary_v"),
    Form("vn", "unary_v", per_thread=True),
    Form("v2", "unary_v2", plane=True),
    Form("gn1", "unary_g", dimensions=4, ranked=True),
    Form("gn4large", "unary_g", dimensions=3, reads=4, ranked=True),
]
BINARY = [
    Form("ss", "binary_ss", scalars=(0, 1)),
    *(Form(f"{v}{n}", f"binary_{v}", s, per_thread=n == "n", plane=n == "2")
      for v, s in (("sv", (0,)), ("vs", (1,)), ("vv", ())) for n in ("", "n", "2")),
    *(Form(f"g{d}{large}", f"binary_g_nd{d}", dimensions=d)
      for d in (1, 2, 3) for large in ("", "large")),
    Form("gn2", "binary_g", dimensions=4, reads=2, ranked=True),
    Form("gn4large", "binary_g", dimensions=3, reads=4, ranked=True),
]  # fmt: skip
TERNARY = [
    *(Form(f"{v}{n}", f"ternary_{'v2' if n == '2' else 'v'}", s, n == "n", n == "2")
      for v, s in (("v", ()), ("vs", (2,)), ("sv", (1,))) for n in ("", "n", "2")),
    *(Form(f"g{d}{large}", f"ternary_g_nd{d}", dimensions=d)
      for d in (1, 2, 3) for large in ("", "large")),
    Form("gn2", "ternary_g", dimensions=4, reads=2, ranked=True),
    Form("gn4large", "ternary_g", dimensions=3, reads=4, ranked=True),
]  # fmt: skip


def arange(rng) -> Iterator[Case]:
    for name in (*INTEGERS, *FLOATS):
        start, step, size = (3, 2, 101) if name in INTEGERS else (3, 0.25, 200)
        dtype = DTYPES[name]
        # The product and the sum round in the type.
        steps = (np.arange(size, dtype=np.float64) * step).astype(dtype)
        yield Case(
            "arange",
            f"arange{name}",
            {"start": start, "step": step, "out": output(size, name)},
            {"out": (wide(steps) + start).astype(dtype)},
            threads=(size,),
        )


def _forms(forms: list[Form], turn: int, name: str) -> list[Form]:
    """The plain form, and the others in turn; all of them for float."""
    usable = [f for f in forms if not (f.per_thread and name in WIDE)]
    if name == "float32" and turn % 8 == 0:
        return usable
    return [usable[0], usable[1 + turn % (len(usable) - 1)]]


def unary(rng) -> Iterator[Case]:
    for turn, (op, source, target) in enumerate(operations.unary_kernels()):
        about = operations.UNARY[op]
        for form in _forms(UNARY, turn, source):
            draw = drawer(rng, form, [source], *about.bounds)
            walked = walk(form, [source], width_of(source), draw)
            (x,) = walked.elements
            arguments = {"in": walked.arrays[0], "out": output(walked.size, target)}
            arguments |= walked.size_argument
            if form.dimensions:
                arguments |= stride_arguments(form, walked, ["in_strides"], "in_shape")
                arguments["ndim"] = np.array([len(walked.shape)], np.int32)
            yield Case(
                f"{form.entry} {form.prefix}",
                f"{form.prefix}_{op}{source}{target}",
                arguments,
                {"out": operations.rounded(about.function(wide(x)), target)},
                threads=walked.threads,
                group_size=walked.group_size,
                tolerance=about.tolerance(target),
            )


def _operands(rng, about, form: Form, names: list[str]):
    draw = drawer(rng, form, names, *about.bounds)
    return walk(form, names, width_of(names[-1]), draw)


def binary(rng) -> Iterator[Case]:
    for turn, (op, name, result) in enumerate(operations.binary_kernels()):
        about = operations.BINARY[op]
        for form in _forms(BINARY, turn, name):
            walked = _operands(rng, about, form, [name, name])
            a, b = walked.elements
            arguments = dict(zip("ab", walked.arrays, strict=True))
            arguments["c"] = output(walked.size, result)
            if form.prefix != "ss":
                arguments |= walked.size_argument
            arguments |= stride_arguments(form, walked, _names(form, "ab"), "shape")
            yield Case(
                f"{form.entry} {form.prefix}",
                f"{form.prefix}_{op}{name}",
                arguments,
                {"c": operations.rounded(about.apply(a, b), result)},
                threads=walked.threads,
                group_size=walked.group_size,
                tolerance=about.tolerance(result),
            )


def _names(form: Form, operands: str, ending: str = "stride") -> list[str]:
    """a_stride of a kernel of one dimension, a_strides of the others."""
    if not form.dimensions:
        return []
    end = ending if form.dimensions == 1 else "strides"
    return [f"{operand}_{end}" for operand in operands]


def binary_two(rng) -> Iterator[Case]:
    names = (*INTEGERS, *FLOATS)
    about = operations.BINARY["Remainder"]
    for turn, name in enumerate(names):
        for form in _forms(BINARY, 8 * turn if name == "float32" else turn, name):
            walked = _operands(rng, about, form, [name, name])
            a, b = map(wide, walked.elements)
            arguments = dict(zip("ab", walked.arrays, strict=True))
            arguments["c"] = output(walked.size, name)
            arguments["d"] = output(walked.size, name)
            if form.prefix != "ss":
                arguments |= walked.size_argument
            arguments |= stride_arguments(form, walked, _names(form, "ab"), "shape")
            # A floating quotient rounds before it is rounded down.
            quotient = operations.rounded(a / b, name) if is_float(name) else a // b
            expected = {
                "c": operations.rounded(np.floor(wide(quotient)), name),
                "d": operations.rounded(about.apply(a, b), name),
            }
            yield Case(
                f"{form.entry} {form.prefix}",
                f"{form.prefix}_DivMod{name}",
                arguments,
                expected,
                threads=walked.threads,
                group_size=walked.group_size,
                tolerance=tolerance(name, 8),
            )


def ternary(rng) -> Iterator[Case]:
    for turn, name in enumerate(DTYPES):
        for form in _forms(TERNARY, 0 if name == "float32" else turn, name):
            names = ["bool_", name, name]
            walked = walk(
                form, names, width_of(name), drawer(rng, form, names, -100, 100)
            )
            a, b, c = walked.elements
            arguments = dict(zip("abc", walked.arrays, strict=True))
            arguments["d"] = output(walked.size, name)
            arguments |= walked.size_argument
            ends = _names(form, "abc", "strides")
            arguments |= stride_arguments(form, walked, ends, "shape")
            yield Case(
                f"{form.entry} {form.prefix}",
                f"{form.prefix}_Select{name}",
                arguments,
                {"d": np.where(a, b, c)},
                threads=walked.threads,
                group_size=walked.group_size,
            )
