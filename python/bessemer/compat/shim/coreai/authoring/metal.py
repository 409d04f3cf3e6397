"""The name `coreai.authoring.metal`, served by Bessemer."""

from bessemer.authoring.metal import PARAMETER_LIMIT, CustomMetalKernel
from bessemer.authoring.parameter import MetalParameter
from bessemer.compat.missing import missing_names

__all__ = ["PARAMETER_LIMIT", "CustomMetalKernel", "MetalParameter"]
__getattr__ = missing_names("coreai.authoring.metal")
