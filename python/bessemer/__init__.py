"""Bessemer: Metal compute kernels on any machine.

library = bessemer.compile(source)
library.saxpy(x, y, 2.0, threads=1000, group_size=256)
"""

from bessemer._bessemer import Diagnostic, version
from bessemer.devices import device, devices
from bessemer.errors import (
    ArgumentError,
    AssetError,
    CompileError,
    InternalError,
    KernelFault,
    UnsupportedError,
)
from bessemer.library import Kernel, Library, compile

__version__ = version()

__all__ = [
    "ArgumentError",
    "AssetError",
    "CompileError",
    "Diagnostic",
    "InternalError",
    "Kernel",
    "KernelFault",
    "Library",
    "UnsupportedError",
    "compile",
    "device",
    "devices",
    "version",
]
