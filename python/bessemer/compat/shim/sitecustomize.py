"""Processes that a script under bessemer.compat starts see torch.mps, too."""

import importlib.machinery
import importlib.util
import sys
from pathlib import Path

_SHIM = Path(__file__).absolute().parent


def _run(name, file):
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_run("_bessemer_compat_hooks", _SHIM.parent / "hooks.py").install_inherited()

# The user's own, which this file hides.
_others = [path for path in sys.path if Path(path).absolute() != _SHIM]
_spec = importlib.machinery.PathFinder.find_spec("sitecustomize", _others)
if _spec is not None and _spec.origin:
    _run("sitecustomize", _spec.origin)
