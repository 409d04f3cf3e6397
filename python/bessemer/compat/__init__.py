"""The original packages' names, served by Bessemer.

`python -m bessemer.compat script.py [args]` runs a script that imports `coreai`
and `coreai_torch`, or uses `torch.mps.compile_shader` and tensors on "mps", or
`mlx.core.fast.metal_kernel`, unchanged, here and in every Python process that it
starts. `install()` does the same from within a process, `pytest -p
bessemer.compat.pytest_plugin` for a test run.

The names are packages in the folder `shim`, put in front of sys.path and
PYTHONPATH; of torch, only torch.mps is changed, when it is imported. Interpreters
that ignore PYTHONPATH (-I, -E) are not followed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bessemer import naming
from bessemer.compat import hooks

SHIM = Path(__file__).absolute().parent / "shim"
# The packages that the shim has for a name.
_PACKAGES = {"coreai": ("coreai", "coreai_torch"), "mps": (), "mlx": ()}


def install(*names: str) -> None:
    """Makes the names ("coreai", "mps", "mlx") resolve to Bessemer from here on."""
    names = names or tuple(_PACKAGES)
    for name in names:
        if name not in _PACKAGES:
            raise ValueError(
                f"bessemer.compat cannot stand in for {name!r}; it can for: "
                f"{', '.join(_PACKAGES)}"
            )
        for package in _PACKAGES[name]:
            _refuse_original(package)
    _put_in_front()
    known = os.environ.get(hooks.VARIABLE, "").split(",")
    os.environ[hooks.VARIABLE] = ",".join(sorted({*names, *known} - {""}))
    hooks.install(names)
    naming.original |= "coreai" in names


def _refuse_original(package: str) -> None:
    module = sys.modules.get(package)
    file = getattr(module, "__file__", None)
    if module is not None and not (file and SHIM in Path(file).absolute().parents):
        raise RuntimeError(
            f"{package!r} is already imported from {file}: call "
            "bessemer.compat.install() before anything imports it"
        )


def _put_in_front() -> None:
    shim = str(SHIM)
    if shim not in sys.path:
        sys.path.insert(0, shim)
    # Children need the shim, and Bessemer itself if it came by PYTHONPATH.
    inherited = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    package_root = str(SHIM.parents[2])
    paths = [shim, *(p for p in inherited if p and p != shim)]
    if package_root not in paths:
        paths.append(package_root)
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
