"""The name `coreai`, served by Bessemer."""

from bessemer import naming
from bessemer.compat.missing import missing_names

__version__ = "1.0.0b3"
__getattr__ = missing_names("coreai")

naming.original = True
