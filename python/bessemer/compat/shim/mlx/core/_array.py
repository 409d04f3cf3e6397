"""mlx.core.array and its dtypes over NumPy."""

import operator

import ml_dtypes
import numpy as np

__all__ = ["Dtype", "array"]


class Dtype:
    """An element type, such as mlx.core.float32."""

    def __init__(self, name, dtype):
        self.name = name
        self.numpy = np.dtype(dtype)
        self.size = self.numpy.itemsize

    def __repr__(self):
        return f"mlx.core.{self.name}"


_NAMES = (
    "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float32 complex64"
)
_DTYPES = {name: Dtype(name, name) for name in _NAMES.split()}
_DTYPES["bfloat16"] = Dtype("bfloat16", ml_dtypes.bfloat16)
_BY_NUMPY = {dtype.numpy: dtype for dtype in _DTYPES.values()}
# `bool` is a dtype of mlx.core too; here it would hide Python's.
globals().update({name: _DTYPES[name] for name in _DTYPES if name != "bool"})
__all__ += [name for name in _DTYPES if name != "bool"]
bool_ = _DTYPES["bool"]
__all__ += ["bool_"]

# Totals of NumPy's are 64 bits wide, and so are its indices; MLX's are not.
_TOTALS = ("sum", "prod", "cumsum", "cumprod")
_TOTAL_TYPES = {np.dtype("?"): "i4", np.dtype("i4"): "i4", np.dtype("u4"): "u4"}
_INDICES = ("argmax", "argmin", "argpartition", "argsort")
# NumPy computes these of small integers in half precision, MLX in single.
_OF_FLOATS = frozenset(
    """arccos arccosh arcsin arcsinh arctan arctanh cos cosh degrees exp expm1 log log10
    log1p log2 logaddexp radians sin sinh sqrt tan tanh""".split()
)

# MLX has neither; its default types are the narrower ones.
_NARROWER = {np.dtype("f8"): np.dtype("f4"), np.dtype("c16"): np.dtype("c8")}


def to_numpy(value):
    """What NumPy's functions take for a value of MLX's."""
    if isinstance(value, array):
        return value._data
    if isinstance(value, Dtype):
        return value.numpy
    if isinstance(value, (list, tuple)):
        return type(value)(map(to_numpy, value))
    return value


def from_numpy(value):
    """The arrays of a result of NumPy's, in MLX's types."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(from_numpy, value))
    if isinstance(value, (np.ndarray, np.generic)):
        return array(value)
    return value


def as_floats(value):
    if isinstance(value, np.ndarray) and value.dtype.kind in "iub":
        return value.astype(np.float32)
    return value


def result_of(function):
    """NumPy's function as one of MLX's; a `stream` has no meaning here."""

    name = getattr(function, "__name__", "call")

    def call(*args, stream=None, **options):
        args = [to_numpy(value) for value in args]
        options = {name: to_numpy(value) for name, value in options.items()}
        if name in _OF_FLOATS:
            args = [as_floats(value) for value in args]
        if name in _TOTALS and args and isinstance(args[0], np.ndarray):
            options.setdefault("dtype", _TOTAL_TYPES.get(args[0].dtype))
        result = function(*args, **options)
        return from_numpy(result.astype(np.uint32) if name in _INDICES else result)

    call.__name__ = name
    return call


def default_integers(data):
    """Python's integers: int32 where all fit, else as NumPy has them."""
    limits = np.iinfo(np.int32)
    if data.dtype != np.int64 or ((data < limits.min) | (data > limits.max)).any():
        return data
    return data.astype(np.int32)


class array:
    """An array of numbers. NumPy sees its memory (`numpy.array(a, copy=False)`)."""

    __hash__ = None
    __array_priority__ = 1

    def __init__(self, value, dtype=None):
        data = np.asarray(to_numpy(value))
        if dtype is not None:
            data = data.astype(to_numpy(dtype))
        elif not isinstance(value, (np.ndarray, np.generic, array)):
            data = default_integers(data)
        if not data.dtype.isnative:
            data = data.astype(data.dtype.newbyteorder("="))
        self._data = data.astype(_NARROWER.get(data.dtype, data.dtype), copy=False)

    dtype = property(lambda self: _BY_NUMPY[self._data.dtype])
    shape = property(lambda self: self._data.shape)
    ndim = property(lambda self: self._data.ndim)
    size = property(lambda self: self._data.size)
    nbytes = property(lambda self: self._data.nbytes)
    itemsize = property(lambda self: self._data.itemsize)
    T = property(lambda self: array(self._data.T))

    def __array__(self, dtype=None, copy=None):
        if dtype is None and not copy:
            return self._data
        return np.array(self._data, dtype=dtype, copy=copy)

    def astype(self, dtype, stream=None):
        return array(self._data, dtype)

    def view(self, dtype, stream=None):
        return array(self._data.view(to_numpy(dtype)))

    def item(self):
        return self._data.item()

    def tolist(self):
        return self._data.tolist()

    def __len__(self):
        return len(self._data)

    def __iter__(self):
        return map(array, self._data)

    def __getitem__(self, index):
        return array(self._data[to_numpy(index)])

    def __setitem__(self, index, value):
        if not self._data.flags.writeable:
            self._data = self._data.copy()
        self._data[to_numpy(index)] = to_numpy(value)

    def __repr__(self):
        return (
            f"array({np.array2string(self._data, separator=', ')}, dtype={self.dtype})"
        )


def _promoted(*pair):
    """An array of integers beside one of another kind takes its type, as in MLX."""
    if not all(isinstance(value, np.ndarray) for value in pair):
        return pair
    whole = [value.dtype.kind in "iub" for value in pair]
    if whole[0] == whole[1]:
        return pair
    dtype = pair[whole.index(False)].dtype
    return tuple(value.astype(dtype, copy=False) for value in pair)


def _operator(function, reverse=False):
    def call(self, other):
        pair = _promoted(to_numpy(other), to_numpy(self))
        return from_numpy(function(*(pair if reverse else pair[::-1])))

    return call


for (
    _name
) in "add sub mul truediv floordiv mod pow and or xor lshift rshift matmul".split():
    _function = getattr(operator, f"__{_name}__")
    setattr(array, f"__{_name}__", _operator(_function))
    setattr(array, f"__r{_name}__", _operator(_function, reverse=True))
for _name in "eq ne lt le gt ge".split():
    setattr(array, f"__{_name}__", _operator(getattr(operator, _name)))
for _name in "neg abs invert".split():
    setattr(array, f"__{_name}__", result_of(getattr(operator, f"__{_name}__")))
for _name in "bool int float complex index".split():
    setattr(
        array, f"__{_name}__", lambda self, n=f"__{_name}__": getattr(self._data, n)()
    )
for _name in (
    "all any argmax argmin cumsum flatten max mean min prod reshape round squeeze std sum "
    "swapaxes transpose var"
).split():
    setattr(array, _name, result_of(getattr(np.ndarray, _name)))
for _name in "abs cos exp log maximum minimum sin sqrt square".split():
    setattr(array, _name, result_of(getattr(np, _name)))
