"""The name `mlx`: MLX itself where it is installed, else what stands in for it."""

import importlib.machinery
import sys
from pathlib import Path

from bessemer.compat import hooks

_SHIM = Path(__file__).absolute().parents[1]
_others = [path for path in sys.path if Path(path).absolute() != _SHIM]
_original = importlib.machinery.PathFinder.find_spec("mlx", _others)
_folders = list(_original and _original.submodule_search_locations or ())
# A folder that is only called mlx has no core.
if importlib.machinery.PathFinder.find_spec("mlx.core", _folders):
    __path__ = _folders
    hooks.after_import("mlx.core", hooks.install_mlx)
else:
    from bessemer.compat.missing import missing_names

    __getattr__ = missing_names("mlx")
