"""MLX's custom kernels on any machine, over NumPy and MLX arrays."""

from bessemer.mlx.custom_kernel import metal_kernel

__all__ = ["metal_kernel"]
