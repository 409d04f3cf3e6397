"""PyTorch models with Metal kernels: authoring, conversion, saving."""

from bessemer.authoring.parameter import MetalParameter
from bessemer.torch.converter import Mode, TorchConverter
from bessemer.torch.decompositions import get_decomp_table
from bessemer.torch.metal_kernel import TorchMetalKernel
from bessemer.torch.program import AIProgram

__all__ = [
    "AIProgram",
    "MetalParameter",
    "Mode",
    "TorchConverter",
    "TorchMetalKernel",
    "get_decomp_table",
]
