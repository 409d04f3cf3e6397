"""The name `coreai.runtime`, served by Bessemer."""

from bessemer.runtime import *  # noqa: F403
from bessemer.runtime import __all__  # noqa: F401

HAS_IMAGE_SUPPORT = False
