"""The name `coreai.authoring`, served by Bessemer."""

from bessemer.authoring import CustomMetalKernel, MetalParameter
from bessemer.compat.missing import missing_names

__all__ = ["AIProgram", "CustomMetalKernel", "MetalParameter"]

_missing = missing_names(
    "coreai.authoring",
    """
    AllocationType Context DebugInfo HandleType HardwareConstraints ImageSpec Module
    OSVersion Operation TensorSpec TensorType TokenType Value graph
    """,
)


def __getattr__(name):
    # Only programs need PyTorch; kernels and parameters do not.
    if name == "AIProgram":
        from bessemer.torch.program import AIProgram

        return AIProgram
    return _missing(name)
