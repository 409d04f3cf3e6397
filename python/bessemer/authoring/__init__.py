"""Authoring of Metal kernels, without PyTorch."""

from bessemer.authoring.constraints import (
    AllocationType,
    HardwareConstraints,
    OSVersion,
)
from bessemer.authoring.metal import CustomMetalKernel
from bessemer.authoring.parameter import MetalParameter

__all__ = [
    "AllocationType",
    "CustomMetalKernel",
    "HardwareConstraints",
    "MetalParameter",
    "OSVersion",
]
