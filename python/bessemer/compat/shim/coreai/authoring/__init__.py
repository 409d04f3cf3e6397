"""The name `coreai.authoring`, served by Bessemer."""

from bessemer.authoring import CustomMetalKernel, MetalParameter

__all__ = ["AIProgram", "CustomMetalKernel", "MetalParameter"]


def __getattr__(name):
    # Only programs need PyTorch; kernels and parameters do not.
    if name == "AIProgram":
        from bessemer.torch.program import AIProgram

        return AIProgram
    raise AttributeError(
        f"module 'coreai.authoring' of Bessemer has no attribute {name!r}"
    )
