"""Checks of what a call site says: grid, threadgroup and result shapes."""

from __future__ import annotations

import operator
from collections.abc import Iterable

import torch
from torch.fx.experimental.symbolic_shapes import guard_or_false

from bessemer.errors import ResultShapeError
from bessemer.torch.sizes import shape_text

_LARGEST = 2**32 - 1


def check_triple(label: str, value) -> list:
    """Three sizes; plain integers must be positive or zero."""
    if not isinstance(value, Iterable) or isinstance(value, str):
        raise TypeError(f"{label} must be a 3-tuple, got {value!r}")
    value = tuple(value)
    if len(value) != 3:
        raise ValueError(
            f"{label} must be a 3-tuple, got {len(value)} elements: {value}"
        )
    return [_size(label, item, value) for item in value]


def check_shapes(shapes, result_names: list[str]) -> list[list]:
    """One shape per result, each a sequence of sizes."""
    if not isinstance(shapes, Iterable) or isinstance(shapes, str):
        raise TypeError(
            "result_shapes must be a list with one shape per result, got "
            f"{shapes!r}; write result_shapes=[list(x.shape)]"
        )
    shapes = list(shapes)
    if len(shapes) != len(result_names):
        raise ValueError(
            "result_shapes must contain one shape per result name; expected "
            f"{len(result_names)} (for {result_names}), got {len(shapes)}"
        )
    checked = []
    for i, (name, shape) in enumerate(zip(result_names, shapes, strict=True)):
        if not hasattr(shape, "__iter__"):
            raise TypeError(
                f"result_shapes[{i}] (for {name!r}) must be a list of sizes, got "
                f"{shape!r}; write result_shapes=[[...]]"
            )
        shape = list(shape)
        label = f"result_shapes[{i}] (for {name!r})"
        checked.append([_size(label, item, shape) for item in shape])
    return checked


def check_not_empty(grid: list, group: list, shapes: list[list]) -> None:
    """Refuses a size of zero, unless there is nothing to compute anyway."""
    if torch.compiler.is_dynamo_compiling() or any(
        _is_zero(size) for shape in shapes for size in shape
    ):
        return
    for label, sizes in (
        ("threads_per_grid", grid),
        ("threads_per_thread_group", group),
    ):
        if any(_is_zero(size) for size in sizes):
            raise ValueError(f"{label} must be positive, got {tuple(sizes)}")


def check_results(results: list[torch.Tensor], shapes: list, names: list[str]) -> None:
    """What torch_defn returned against the call site's result_shapes.

    A fixed size under a dynamic dimension is left to the converter, which knows
    the place of the call.
    """
    if len(results) != len(names):
        raise ValueError(f"Expected {len(names)} results, got {len(results)}")
    for i, (name, result, shape) in enumerate(zip(names, results, shapes, strict=True)):
        if not isinstance(result, torch.Tensor):
            raise TypeError(
                f"torch_defn returned {type(result).__name__} for result {name!r}; it "
                "must return tensors"
            )
        if len(result.shape) != len(shape) or any(
            _differ(a, b) for a, b in zip(result.shape, shape, strict=True)
        ):
            raise ResultShapeError(
                f"result_shapes[{i}] (for {name!r}) is {shape_text(shape)}, but "
                f"torch_defn returned a tensor of shape {shape_text(result.shape)}"
            )


def _differ(actual, given) -> bool:
    if isinstance(actual, int) and isinstance(given, int):
        return actual != given
    if isinstance(actual, torch.SymInt) and isinstance(given, torch.SymInt):
        # Sizes only equal for some inputs become a constraint of the export.
        return guard_or_false(actual != given)
    # A symbol where torch_defn's size is fixed: equal by the export's constraint.
    return isinstance(actual, int) and guard_or_false(actual != given)


def _is_zero(size) -> bool:
    return isinstance(size, int) and size == 0


def check_numbers(label: str, sizes: list) -> None:
    """The same for a call in an exported graph, whose sizes may be nodes."""
    for size in sizes:
        if isinstance(size, int):
            _size(label, size, sizes)


def _size(label: str, item, whole):
    # Branches of torch.cond are compiled first: there a symbol looks like an int, and
    # to compare it would fix its value. The converter looks again.
    if torch.compiler.is_dynamo_compiling() or isinstance(item, torch.SymInt):
        return item
    try:
        item = operator.index(item)
    except TypeError:
        raise TypeError(
            f"{label} must hold integers, got {item!r} in {whole}"
        ) from None
    if item < 0:
        raise ValueError(f"{label} must not be negative, got {whole}")
    if item > _LARGEST:
        raise ValueError(f"{label} must be below 2**32, got {item} in {whole}")
    return item
