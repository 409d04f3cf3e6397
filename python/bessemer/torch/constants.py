"""PyTorch data as constants of a program."""

from __future__ import annotations

import torch

from bessemer import memory
from bessemer._bessemer import Tensor
from bessemer.errors import ConversionError
from bessemer.torch.dtypes import NARROWED


def as_constant(data: torch.Tensor, name: str) -> Tensor:
    """Dense CPU memory in an element type of the program."""
    data = data.detach().cpu().contiguous()
    if data.dtype in NARROWED:
        narrow = data.to(NARROWED[data.dtype])
        if data.dtype is torch.int64 and not torch.equal(narrow.to(data.dtype), data):
            raise ConversionError(
                f"the constant {name!r} holds integers beyond 32 bits, which programs "
                "cannot hold"
            )
        data = narrow
    return memory.from_torch(data)


def vector(values: list[int]) -> Tensor:
    """A grid, a threadgroup size or a shape."""
    return memory.from_torch(torch.tensor(values, dtype=torch.int64).to(torch.uint32))
