"""The decomposition table for exported programs."""

from __future__ import annotations

import warnings

import torch

# PyTorch's run_decompositions warns about its own code, which users cannot change.
warnings.filterwarnings(
    "ignore",
    message=r"`isinstance\(treespec, LeafSpec\)` is deprecated",
    category=FutureWarning,
)

# Kept whole: the lowering knows them as composites.
_KEPT = (
    "hardsigmoid",
    "hardswish",
    "instance_norm",
    "pixel_shuffle",
    "reflection_pad1d",
    "reflection_pad2d",
    "reflection_pad3d",
    "replication_pad1d",
    "replication_pad2d",
    "replication_pad3d",
    "scaled_dot_product_attention",
    "silu",
)


def get_decomp_table() -> dict:
    """A fresh table: PyTorch's own without the operators that stay whole."""
    table = torch.export.default_decompositions()
    for name in _KEPT:
        packet = getattr(torch.ops.aten, name)
        table.pop(packet.default, None)
    return table
