"""mlx.core.cuda: kernels in CUDA do not run."""


def is_available():
    return False
