"""Authoring of Metal kernels, without PyTorch."""

from bessemer.authoring.metal import CustomMetalKernel
from bessemer.authoring.parameter import MetalParameter

__all__ = ["CustomMetalKernel", "MetalParameter"]
