"""mlx.core.metal: kernels in Metal run."""

from bessemer.compat.missing import missing_names

__getattr__ = missing_names("mlx.core.metal")


def is_available():
    return True


def device_info():
    return {"device_name": "Bessemer", "architecture": "cpu"}
