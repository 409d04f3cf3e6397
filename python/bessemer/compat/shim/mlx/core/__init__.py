"""`mlx.core` without MLX: arrays of NumPy's for scripts around fast.metal_kernel."""

import numpy as _numpy

from bessemer.compat.missing import missing_names
from mlx.core import cuda, fast, metal, random  # noqa: F401
from mlx.core._array import *  # noqa: F403
from mlx.core._array import result_of
from mlx.core._functions import *  # noqa: F403

pi, inf, nan, e = _numpy.pi, _numpy.inf, _numpy.nan, _numpy.e
newaxis = None
gpu, cpu = "gpu", "cpu"

# Those of NumPy's functions that MLX has with the same meaning.
_FROM_NUMPY = frozenset(
    """abs add all any arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin
    argpartition argsort array_equal broadcast_to ceil clip concatenate conjugate cos cosh
    cumprod cumsum degrees diag diagonal divide divmod equal exp expand_dims expm1 eye
    flip floor floor_divide full_like greater greater_equal identity imag inner isclose
    isfinite isinf isnan isneginf isposinf kron less less_equal linspace log log10 log1p
    log2 logaddexp logical_and logical_not logical_or matmul max maximum mean median
    meshgrid min minimum moveaxis multiply negative not_equal ones_like outer pad
    partition power prod radians real remainder repeat reshape roll round sign sin sinh
    sort split sqrt square squeeze stack std subtract sum swapaxes take take_along_axis
    tan tanh tensordot tile trace transpose tri tril triu var where zeros_like""".split()
)

_missing = missing_names("mlx.core")


def __getattr__(name):
    if name in _FROM_NUMPY:
        return result_of(getattr(_numpy, name))
    return _missing(name)
