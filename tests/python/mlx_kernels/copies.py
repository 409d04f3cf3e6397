"""Copies between types and memory layouts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .cases import DTYPES, Case, ceil_div, output, strided, strides
from .forms import SHAPES, Form, drawer, stride_arguments, walk, width_of

FORMS = [
    Form("v", "copy_v"),
    Form("s", "copy_s", scalars=(0,)),
    Form("v2", "copy_v2", plane=True),
    Form("s2", "copy_s2", scalars=(0,), plane=True),
    *(Form(f"g{d}{large}", f"copy_g_nd{d}", dimensions=d)
      for d in (1, 2, 3) for large in ("", "large")),
    Form("gn2", "copy_g", dimensions=4, reads=2, ranked=True),
    Form("gn4large", "copy_g", dimensions=3, reads=4, ranked=True),
    Form("vn", "copy_v", per_thread=True),
    Form("sn", "copy_s", scalars=(0,), per_thread=True),
]  # fmt: skip


def _cast(x: np.ndarray, target: str) -> np.ndarray:
    """Floating numbers go through float; a complex one keeps its real part."""
    if x.dtype.kind == "c" and target == "bool_":
        return x != 0
    if x.dtype.kind == "c" and target != "complex64":
        x = x.real
    if x.dtype.kind == "V" or x.dtype.name == "bfloat16":
        x = x.astype(np.float32)
    return x.astype(DTYPES[target])


def copy(rng) -> Iterator[Case]:
    turn = 0
    for source in DTYPES:
        for target in DTYPES:
            wide = width_of(target) == 8
            usable = [f for f in FORMS if not (wide and f.per_thread)]
            turn += 1
            chosen = [usable[0], usable[1 + turn % (len(usable) - 1)]]
            for form in (
                usable if (source, target) == ("float32", "float16") else chosen
            ):
                yield _converting(rng, form, source, target)
        yield from _both_strided(rng, source)


def _converting(rng, form: Form, source: str, target: str) -> Case:
    # Inside of what every type holds: conversions out of range are another matter.
    draw = drawer(rng, form, [source], 0, 100)
    walked = walk(form, [source], width_of(target), draw)
    arguments = {"src": walked.arrays[0], "dst": output(walked.size, target)}
    arguments |= walked.size_argument
    if form.dimensions:
        name = "src_stride" if form.dimensions == 1 else "src_strides"
        arguments |= stride_arguments(form, walked, [name], "src_shape")
    return Case(
        f"{form.entry} {form.prefix}",
        f"{form.prefix}_copy{source}{target}",
        arguments,
        {"dst": _cast(walked.elements[0], target)},
        threads=walked.threads,
        group_size=walked.group_size,
    )


def _both_strided(rng, name: str) -> Iterator[Case]:
    """Strided on both sides, with offsets in memory or without."""
    variants = [(d, "", 1, f"gg{d}") for d in (1, 2, 3)]
    variants += [(d, "large", 1, f"gg{d}") for d in (1, 2, 3)]
    variants += [(4, "", 2, "ggn2"), (4, "large", 4, "ggn4")]
    for dimensions, large, reads, prefix in variants:
        for dynamic in ("", "_dynamic"):
            shape = SHAPES[dimensions]
            view, memory = strided(rng, name, shape, 0, 100)
            offset = 5 if dynamic else 0
            out = output(memory.size + offset, name)
            expected = out.copy()[: memory.size + offset]
            target = expected[offset:].reshape(shape)
            target[...] = view
            if offset:
                memory = np.concatenate([memory[:3], memory])
            arguments = {"src": memory, "dst": out}
            for side, steps in (("src", strides(view)), ("dst", strides(target))):
                key = f"{side}_stride" + ("" if dimensions == 1 else "s")
                arguments[key] = int(steps[0]) if dimensions == 1 else steps
            if dimensions == 4:
                arguments["src_shape"] = np.array(shape, np.int32)
                arguments["ndim"] = dimensions
            if dynamic:
                arguments |= {"src_offset": 3, "dst_offset": offset}
            outer = int(np.prod(shape[:-2])) if dimensions > 2 else 1
            inner = shape[-2] if dimensions > 1 else 1
            entry = f"nd{dimensions}" if dimensions < 4 else "any"
            yield Case(
                f"copy_gg{dynamic} {entry}{large}",
                f"{prefix}{large}{dynamic}_copy{name}{name}",
                arguments,
                {"dst": expected},
                threads=(ceil_div(shape[-1], reads), inner, outer),
                group_size=(16, 4, 2),
            )
