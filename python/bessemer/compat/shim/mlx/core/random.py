"""mlx.core.random over NumPy; other numbers than MLX's for the same seed."""

import numpy as np

from bessemer.compat.missing import missing_names
from mlx.core._array import array, float32, int32, to_numpy

__getattr__ = missing_names("mlx.core.random")
_generator = np.random.default_rng(0)


def seed(seed):
    global _generator
    _generator = np.random.default_rng(seed)


def normal(shape=(), dtype=float32, loc=0.0, scale=1.0, key=None, stream=None):
    return array(_generator.normal(loc, scale, tuple(shape)), dtype)


def uniform(low=0, high=1, shape=(), dtype=float32, key=None, stream=None):
    low, high = to_numpy(low), to_numpy(high)
    return array(_generator.uniform(low, high, tuple(shape)), dtype)


def randint(low, high, shape=(), dtype=int32, key=None, stream=None):
    low, high = to_numpy(low), to_numpy(high)
    return array(_generator.integers(low, high, tuple(shape)), dtype)
