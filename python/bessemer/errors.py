"""The exceptions of Bessemer.

Every failure of the library has a kind (ErrorKind of bessemer/result.h); each
kind is one class here. Messages name the thing, the place and the way out.
"""

from __future__ import annotations

import os

__all__ = [
    "ArgumentError",
    "AssetError",
    "AssetNotFoundError",
    "CompileError",
    "ConversionError",
    "InternalError",
    "KernelCompileWarning",
    "KernelFault",
    "KernelWarning",
    "UnsupportedError",
]


def printable(path: str | os.PathLike) -> str:
    """A file's name for messages; bytes that are not UTF-8 as \\xff."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


class CompileError(RuntimeError):
    """Metal source that does not compile; `diagnostics` has each message."""

    def __init__(self, message: str, diagnostics=()):
        super().__init__(message)
        self.diagnostics = list(diagnostics)

    def __reduce__(self):
        return type(self), (self.args[0], self.diagnostics)


class KernelCallError(TypeError, RuntimeError):
    """A call of a kernel with the wrong inputs."""


class KernelFault(RuntimeError):
    """A kernel faulted while it ran: kernel, line and reason."""


class AssetError(RuntimeError):
    """An .aimodel that is damaged, truncated or foreign."""


class AssetNotFoundError(AssetError, FileNotFoundError):
    """A path where no .aimodel lies."""


class ArgumentError(TypeError, ValueError):
    """A value, shape, dtype or option that is not allowed."""


class InputError(ArgumentError, RuntimeError):
    """An input of a model or a shader that is missing, unknown or does not fit."""


class ShaderSyntaxError(SyntaxError, CompileError):
    """Source for compile_shader that does not compile."""

    def __init__(self, message: str, diagnostics=()):
        SyntaxError.__init__(self, message)
        self.diagnostics = list(diagnostics)


class UnknownShaderKernelError(AttributeError, RuntimeError):
    """A kernel that the source of compile_shader does not have."""


class NameNotFoundError(KeyError):
    """An unknown name; unlike KeyError, str() is the plain message."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class ScalarRangeError(ValueError, OverflowError):
    """An integer scalar beyond MSL's 32-bit int."""


class ResultShapeError(ValueError):
    """A call's result_shapes are not those of torch_defn."""


class ConversionError(ValueError):
    """A PyTorch program that cannot be converted; names node and line."""


class UnsupportedError(NotImplementedError):
    """Valid, but not in this build."""


class InternalError(RuntimeError):
    """A defect in Bessemer itself."""


class KernelWarning(UserWarning):
    """A kernel of the program that is valid, and most likely not what was meant."""


class KernelCompileWarning(KernelWarning):
    """Under the original names: a kernel of the program does not compile."""


# By the name of the ErrorKind.
KINDS = {
    "InvalidArgument": ArgumentError,
    "NotFound": NameNotFoundError,
    "Compile": CompileError,
    "Corrupt": AssetError,
    "Fault": KernelFault,
    "Interrupted": KeyboardInterrupt,
    "Unsupported": UnsupportedError,
    "Internal": InternalError,
}


def make(kind: str, message: str) -> BaseException:
    """The exception for an error of the library; called by the extension."""
    return KINDS.get(kind, InternalError)(message)
