"""The name `coreai`, served by Bessemer."""

from bessemer import naming

__version__ = "1.0.0b3"

naming.original = True
