"""mlx.core.fast, of which Bessemer has metal_kernel."""

from bessemer.compat.missing import missing_names
from bessemer.mlx import metal_kernel

__all__ = ["metal_kernel"]
# A package, so that `from mlx.core.fast import name` says what is missing.
__path__ = [__file__]
__getattr__ = missing_names("mlx.core.fast")
