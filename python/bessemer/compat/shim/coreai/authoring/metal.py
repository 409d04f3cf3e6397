"""The name `coreai.authoring.metal`, served by Bessemer."""

from bessemer.authoring.metal import PARAMETER_LIMIT, CustomMetalKernel
from bessemer.authoring.parameter import MetalParameter

__all__ = ["PARAMETER_LIMIT", "CustomMetalKernel", "MetalParameter"]
