"""What to do when somebody imports a package. Imports nothing of Bessemer: every
Python process of a script reads this (shim/sitecustomize.py)."""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import sys

# The names that install() made resolve, for the processes that a script starts.
VARIABLE = "BESSEMER_COMPAT"


class _AfterImport(importlib.abc.MetaPathFinder):
    def __init__(self, module: str, action):
        self.module = module
        self.action = action

    def find_spec(self, name, path=None, target=None):
        if name != self.module:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                self.action()

            spec.loader.exec_module = exec_module
        return spec


def after_import(module: str, action) -> None:
    """Calls `action` as soon as the module has been imported: now, if it has."""
    if module in sys.modules:
        action()
    else:
        sys.meta_path.insert(0, _AfterImport(module, action))


def _install_mps() -> None:
    from bessemer.compat import mps

    mps.install()


def install_mlx() -> None:
    """The original's metal_kernel becomes ours."""
    from bessemer.mlx import metal_kernel

    sys.modules["mlx.core"].fast.metal_kernel = metal_kernel


def install(names) -> None:
    """Prepares for the imports of other packages that `names` stand for."""
    if "mps" in names:
        after_import("torch", _install_mps)
    if "mlx" in names and "mlx" in sys.modules:
        # Imported before: no package of the shim will do it.
        after_import("mlx.core", install_mlx)


def install_inherited() -> None:
    """In a process that a script started: what install() was called with there."""
    install(os.environ.get(VARIABLE, "").split(","))
