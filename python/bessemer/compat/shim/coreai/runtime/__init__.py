"""The name `coreai.runtime`, served by Bessemer."""

from bessemer.compat.missing import missing_names
from bessemer.runtime import *  # noqa: F403
from bessemer.runtime import __all__  # noqa: F401

HAS_IMAGE_SUPPORT = False
__getattr__ = missing_names("coreai.runtime")
