"""How element-wise kernels walk over their arrays: MLX has one entry point for each
way, and a letter or two in the kernel's name for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .cases import DTYPES, ceil_div, strided, strides, values

SIZE = 1003
PLANE = (17, 59)  # x, y of kernels with an index of two words.
SHAPES = {1: (203,), 2: (13, 37), 3: (5, 7, 19), 4: (3, 4, 5, 21)}


@dataclass
class Form:
    """`prefix` of the kernel's name; `scalars` are the operands of one element."""

    prefix: str
    entry: str
    scalars: tuple[int, ...] = ()
    per_thread: bool = False  # Several elements a thread, by the type's size.
    plane: bool = False
    dimensions: int = 0
    reads: int = 1  # Elements a thread of a general kernel.
    ranked: bool = False  # Takes shape and number of dimensions.


@dataclass
class Walk:
    """The operands of a launch, their elements in order, and what comes with them."""

    arrays: list[np.ndarray]
    elements: list[np.ndarray]
    size: int
    threads: tuple[int, ...]
    group_size: tuple[int, ...]
    shape: tuple[int, ...]
    strides: list[np.ndarray]
    size_argument: dict[str, int]


Draw = Callable[[int, tuple], np.ndarray]


def walk(form: Form, operands: list[str], width: int, draw) -> Walk:
    """`draw(i, shape)` gives operand i; `width` is the size of the type that says
    how many elements a thread has."""
    if form.dimensions:
        return _general(form, operands, draw)
    count = max(1, 8 // width) if form.per_thread or form.plane else 1
    size = PLANE[0] * PLANE[1] if form.plane else SIZE
    if form.plane and count > 1:
        size -= 1  # The last thread's elements are cut.
    arrays = [draw(i, 1 if i in form.scalars else size) for i in range(len(operands))]
    if form.plane:
        threads = (PLANE[0], ceil_div(ceil_div(size, count), PLANE[0]))
    else:
        threads = (ceil_div(size, count),)
    return Walk(
        arrays,
        [np.broadcast_to(array, size) for array in arrays],
        size,
        threads,
        (8, 4) if form.plane else (64,),
        (size,),
        [],
        {"size": size},
    )


def _general(form: Form, operands: list[str], draw) -> Walk:
    shape = SHAPES[form.dimensions]
    views = [draw(i, shape) for i in range(len(operands))]
    arrays = [memory for _, memory in views]
    reads = [view for view, _ in views]
    outer = shape[:-2]
    threads = (
        ceil_div(shape[-1], form.reads),
        shape[-2] if len(shape) > 1 else 1,
        int(np.prod(outer)) if outer else 1,
    )
    return Walk(
        arrays,
        [view.reshape(-1) for view in reads],
        int(np.prod(shape)),
        threads,
        (16, 4, 2),
        shape,
        [strides(view) for view in reads],
        {},
    )


def drawer(rng, form: Form, names: list[str], low, high):
    """Flat operands of a plain form, strided views of a general one."""

    def draw(i, shape):
        if form.dimensions:
            return strided(rng, names[i], shape, low, high)
        return values(rng, names[i], shape, low, high)

    return draw


def stride_arguments(form: Form, walked: Walk, names: list[str], rank: str) -> dict:
    """`names` are those of the kernel's strides; `rank` says what its shape and
    number of dimensions are called."""
    arguments: dict[str, object] = {}
    for name, steps in zip(names, walked.strides, strict=True):
        arguments[name] = int(steps[0]) if form.dimensions == 1 else steps
    if form.ranked:
        arguments[rank] = np.array(walked.shape, np.int32)
        arguments["ndim"] = len(walked.shape)
    return arguments


def width_of(name: str) -> int:
    return DTYPES[name].itemsize
