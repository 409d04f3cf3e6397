"""PyTorch models with Metal kernels: authoring, conversion, saving."""

from bessemer.authoring.parameter import MetalParameter
from bessemer.torch.comparison import Comparison, compare
from bessemer.torch.converter import Mode, TorchConverter
from bessemer.torch.decompositions import get_decomp_table
from bessemer.torch.eager import eager_kernels
from bessemer.torch.metal_kernel import TorchMetalKernel
from bessemer.torch.program import AIProgram
from bessemer.torch.shader_errors import synchronize
from bessemer.torch.shaders import compile_shader
from bessemer.torch.validation import (
    ValidationReport,
    validate,
    validate_numerical_output,
)

__all__ = [
    "AIProgram",
    "Comparison",
    "MetalParameter",
    "Mode",
    "TorchConverter",
    "TorchMetalKernel",
    "ValidationReport",
    "compare",
    "compile_shader",
    "eager_kernels",
    "get_decomp_table",
    "synchronize",
    "validate",
    "validate_numerical_output",
]
