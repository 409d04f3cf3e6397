"""Tensors to try a functor on: layouts, shapes at the edges, numbers."""

from __future__ import annotations

import torch

# Empty, one element, less and more than one thread's four, several dimensions.
SHAPES = [(0,), (1,), (3,), (1025,), (7, 5), (4, 1, 6), (2, 3, 5, 4)]
_EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0]


def values(dtype: torch.dtype, shape, random: torch.Generator, positive: bool):
    """`positive`: no zero, and no number below one."""
    count = int(torch.Size(shape).numel())
    if dtype == torch.bool:
        result = torch.randint(0, 2, (count,), generator=random) | positive
    elif not (dtype.is_floating_point or dtype.is_complex):
        least = 1 if positive else (-12 if dtype.is_signed else 0)
        result = torch.randint(least, 13, (count,), generator=random)
    else:
        kind = torch.complex64 if dtype.is_complex else torch.float32
        result = 3 * torch.randn(count, generator=random, dtype=kind)
        if positive:
            result = result.abs() + 1
        elif not dtype.is_complex:
            edges = torch.tensor(_EDGES)[: count // 2]
            result[: len(edges)] = edges
    return result.to(dtype).reshape(shape)


def place(tensor: torch.Tensor, layout: str) -> torch.Tensor:
    """The same numbers in memory of that layout."""
    if layout == "strided" and tensor.dim():
        # Every second element, the dimensions in reverse.
        memory = torch.zeros(
            [2 * n for n in reversed(tensor.shape)], dtype=tensor.dtype
        )
        view = memory[tuple([slice(None, None, 2)] * tensor.dim())]
        view = view.permute(*reversed(range(tensor.dim())))
    elif layout == "inner-contiguous" and tensor.dim():
        *outer, inner = tensor.shape
        view = torch.zeros(*outer, inner + 3, dtype=tensor.dtype)[..., :inner]
    else:
        return tensor.contiguous()
    view.copy_(tensor)
    return view


def operands(dtypes, shape, layout: str, random: torch.Generator, positive: bool):
    """One tensor for each dtype; `positive` is about the last of two."""
    result = []
    for i, dtype in enumerate(dtypes):
        is_last = i == len(dtypes) - 1
        size = shape
        if layout == ("scalar" if is_last else "scalar first") and len(dtypes) == 2:
            size = ()
        elif layout == ("row" if is_last else "row first") and len(dtypes) == 2:
            size = shape[-1:]
        elif layout == "broadcast" and is_last:
            size = (*[1] * (len(shape) - 1), shape[-1])
        tensor = values(dtype, size, random, positive and is_last and i > 0)
        if layout == "broadcast":
            tensor = tensor.expand(shape)
        else:
            tensor = place(tensor, layout)
        result.append(tensor)
    return result
