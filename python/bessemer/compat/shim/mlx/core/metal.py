"""mlx.core.metal: kernels in Metal run."""


def is_available():
    return True


def device_info():
    return {"device_name": "Bessemer", "architecture": "cpu"}
