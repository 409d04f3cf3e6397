"""The name `coreai_torch`, served by Bessemer."""

from bessemer import naming
from bessemer.torch import (
    MetalParameter,
    Mode,
    TorchConverter,
    TorchMetalKernel,
    get_decomp_table,
)

__version__ = "0.4.3"
__all__ = [
    "MetalParameter",
    "Mode",
    "TorchConverter",
    "TorchMetalKernel",
    "get_decomp_table",
]

naming.original = True
