"""Names of the original packages that Bessemer does not have: errors that say so."""

from __future__ import annotations

import importlib.abc
import sys
from pathlib import Path

_SHIM = Path(__file__).absolute().parent / "shim"
_COMPOSITES = "write the composite operator as a plain function of PyTorch"
_AUTHORING = (
    "write the program as a torch.nn.Module and convert it with "
    "coreai_torch.TorchConverter"
)
_MLX = "install mlx for it"
# What to do instead, by the beginning of the name; the longest one counts.
_WAYS_OUT = {
    "coreai": "the part that Bessemer has is coreai.authoring and coreai.runtime",
    "coreai.authoring": _AUTHORING,
    "coreai.runtime": "return the value from the model to see it"
    " (bessemer.torch.validate compares it with PyTorch)",
    "coreai.runtime.ImageDescriptor": "pass the image as an NDArray of its numbers",
    "coreai_torch": "it has MetalParameter, Mode, TorchConverter, TorchMetalKernel and "
    "get_decomp_table",
    "coreai_torch.ExternalizeSpec": _COMPOSITES,
    "coreai_torch.composite_ops": _COMPOSITES,
    "coreai_torch.debugging": "bessemer.torch.validate runs a model with its kernels "
    "against PyTorch and says which outputs differ, and where (return values in "
    "between from the model to see them); coreai.runtime.Profiler measures calls",
    "coreai_torch.externalize": _COMPOSITES,
    "coreai_torch.generate_composite_decl": _COMPOSITES,
    "coreai_torch.register_torch_lowering": "decompose the operator "
    "(run_decompositions) or write it as a TorchMetalKernel",
    "mlx": "it stands in for MLX here with mlx.core; install mlx for the rest",
    "mlx.core": "it stands in for MLX here with arrays, functions of NumPy and "
    "fast.metal_kernel; install mlx for the rest",
    "mlx.core.fast": _MLX,
    "mlx.core.metal": _MLX,
    "mlx.core.random": _MLX,
}


def _message(name: str) -> str:
    from bessemer import __version__

    known = name
    while known not in _WAYS_OUT:
        known = known.rpartition(".")[0]
    return f"{name} is not part of Bessemer {__version__}: {_WAYS_OUT[known]}"


class _Finder(importlib.abc.MetaPathFinder):
    """Answers for the modules of the shim's packages that nobody else found, and so
    for `from package import name`, which would hide what __getattr__ says."""

    def find_spec(self, name, path=None, target=None):
        if path and any(_SHIM in Path(entry).absolute().parents for entry in path):
            raise ModuleNotFoundError(_message(name))


def missing_names(module: str):
    """The __getattr__ of a module of the shim."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())

    def __getattr__(name: str):
        # Python itself asks for these, and gets an ordinary answer.
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        raise AttributeError(_message(f"{module}.{name}"))

    return __getattr__
