"""What a program of this folder is, and the parts most of them share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch

from bessemer.torch import MetalParameter, TorchMetalKernel

FLOATS = (torch.float32, torch.float16, torch.bfloat16)
TOLERANCES = {
    torch.float32: {"rtol": 2e-5, "atol": 2e-5},
    torch.float16: {"rtol": 4e-3, "atol": 4e-3},
    torch.bfloat16: {"rtol": 3e-2, "atol": 3e-2},
}
GRID = MetalParameter("gid", "uint2", "thread_position_in_grid")
ID = MetalParameter("id", "uint", "thread_position_in_grid")
ROW = MetalParameter("row", "uint", "threadgroup_position_in_grid")
TID = MetalParameter("tid", "uint", "thread_index_in_threadgroup")
LANE = MetalParameter("lane", "uint", "thread_index_in_simdgroup")
SIMD = MetalParameter("simd", "uint", "simdgroup_index_in_threadgroup")


@dataclass
class Program:
    """One model whose inputs grow with a number n."""

    name: str
    model: Callable[[], torch.nn.Module]
    # The inputs by name, for a size and an element type.
    inputs: Callable[[int, torch.dtype], dict[str, torch.Tensor]]
    kernels: list[TorchMetalKernel]
    # The axes whose length is n, by input.
    dynamic: dict[str, int]
    dtypes: tuple[torch.dtype, ...] = FLOATS
    sizes: tuple[int, int] = (7, 64)
    atol: float = 0.0  # At least this much.

    def dynamic_shapes(self, names):
        n = torch.export.Dim("n", min=1, max=4096)
        return {
            name: {self.dynamic[name]: n} if name in self.dynamic else None
            for name in names
        }


def over(count, group=64, **options):
    """A dispatch of `count` threads in a row."""
    return {
        "threads_per_grid": (count, 1, 1),
        "threads_per_thread_group": (group, 1, 1),
        **options,
    }


def a_group_each(rows, group=64, **options):
    """A dispatch of one threadgroup for each row."""
    return over(rows * group, group, **options)
