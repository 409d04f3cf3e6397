"""The name `coreai.authoring`, served by Bessemer."""

from bessemer.authoring import *  # noqa: F403
from bessemer.authoring import __all__ as _authoring
from bessemer.compat.missing import missing_names

__all__ = ["AIProgram", *_authoring]  # noqa: F405

_missing = missing_names("coreai.authoring")


def __getattr__(name):
    # Only programs need PyTorch; kernels and parameters do not.
    if name == "AIProgram":
        from bessemer.torch.program import AIProgram

        return AIProgram
    return _missing(name)
