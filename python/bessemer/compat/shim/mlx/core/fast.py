"""mlx.core.fast, of which Bessemer has metal_kernel."""

from bessemer.mlx import metal_kernel

__all__ = ["metal_kernel"]


def __getattr__(name):
    raise AttributeError(
        f"mlx.core.fast.{name} is not part of Bessemer; install mlx for it"
    )
