"""Integer, float and math kernels, interpreted, against NumPy."""

import interpreter
import numpy as np
import pytest

INTEGERS = {
    "char": np.int8,
    "uchar": np.uint8,
    "short": np.int16,
    "ushort": np.uint16,
    "int": np.int32,
    "uint": np.uint32,
    "long": np.int64,
    "ulong": np.uint64,
}


def integer_pairs(dtype):
    """Python integers: interesting values and random ones, y never 0."""
    info = np.iinfo(dtype)
    rng = np.random.default_rng(7)
    edge = [info.min, info.max, 0, 1, 2, 5, 100, info.max - 3]
    x = edge + [int(v) for v in rng.integers(info.min, info.max, 24, dtype)]
    y = [3, 2, 7, 1, info.max, 4, 9, 2]
    y += [int(v) or 1 for v in rng.integers(info.min, info.max, 24, dtype)]
    return x, y


def wrap(value: int, dtype) -> int:
    bits = np.iinfo(dtype).bits
    value &= (1 << bits) - 1
    signed = np.iinfo(dtype).min < 0
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def unsigned(value: int, bits: int) -> int:
    return value & ((1 << bits) - 1)


def run_integers(kernel, dtype, x, y, rows):
    a, b = np.array(x, dtype), np.array(y, dtype)
    out = np.zeros((rows, len(x)), dtype)
    interpreter.source("integers").run(kernel, a, b, out, threads=len(x), group=len(x))
    return [[int(v) for v in row] for row in out]


def divide(x, y):
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


OPERATORS = [
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: x * y,
    divide,
    lambda x, y: x - y * divide(x, y),
    lambda x, y: x & y,
    lambda x, y: x | y,
    lambda x, y: x ^ y,
    lambda x, y: ~x,
    lambda x, y: -x,
    lambda x, y: x << 3,
    lambda x, y: x >> 3,
    lambda x, y: x < y,
    lambda x, y: x if x == y else y,
]


@pytest.mark.parametrize("name", INTEGERS)
def test_integer_operators(name):
    dtype = INTEGERS[name]
    x, y = integer_pairs(dtype)
    rows = run_integers(f"operators_{name}", dtype, x, y, len(OPERATORS))
    for index, function in enumerate(OPERATORS):
        expected = [wrap(function(p, q), dtype) for p, q in zip(x, y, strict=True)]
        assert rows[index] == expected, index


def integer_functions(dtype):
    info = np.iinfo(dtype)
    bits = info.bits

    def text(v):
        return f"{unsigned(v, bits):0{bits}b}"

    def saturate(v):
        return min(max(v, info.min), info.max)

    def rotate(v, n):
        n %= bits
        u = unsigned(v, bits)
        return u << n | u >> (bits - n)

    def extract(v):
        field = unsigned(v, bits) >> 2 & 31
        return field - 32 if info.min < 0 and field & 16 else field

    return [
        lambda x, y: len(text(x)) - len(text(x).lstrip("0")),
        lambda x, y: len(text(x)) - len(text(x).rstrip("0")),
        lambda x, y: text(x).count("1"),
        lambda x, y: int(text(x)[::-1], 2),
        rotate,
        min,
        max,
        lambda x, y: min(max(x, 3), 50),
        lambda x, y: saturate(x + y),
        lambda x, y: saturate(x - y),
        lambda x, y: (x + y) >> 1,
        lambda x, y: (x + y + 1) >> 1,
        lambda x, y: (x * y) >> bits,
        lambda x, y: abs(x - y),
        lambda x, y: abs(x),
        lambda x, y: y if x < y else x,
        lambda x, y: extract(x),
        lambda x, y: (x & ~30) | ((y & 15) << 1),
    ]


@pytest.mark.parametrize("name", INTEGERS)
def test_integer_functions(name):
    dtype = INTEGERS[name]
    x, y = integer_pairs(dtype)
    functions = integer_functions(dtype)
    rows = run_integers(f"functions_{name}", dtype, x, y, len(functions))
    for index, function in enumerate(functions):
        expected = [wrap(function(p, q), dtype) for p, q in zip(x, y, strict=True)]
        assert rows[index] == expected, index


def test_multiplication_of_24_bits():
    a = np.array([3, -5, 0x7FFFFF, -0x800000], np.int32)
    b = np.array([7, 11, 2, 3], np.int32)
    out = np.zeros(8, np.int32)
    interpreter.source("integers").run("mul24s", a, b, out, threads=4, group=4)
    assert out.tolist() == [*(a * b), *(a * b + 7)]


def test_open_results_are_fixed():
    a = np.array([7, -(2**31), 1], np.int32)
    b = np.array([0, -1, 33], np.int32)
    out = np.zeros(12, np.int32)
    interpreter.source("integers").run("fixed", a, b, out, threads=3, group=3)
    low = -(2**31)
    assert out.tolist()[:2] == [0, 0]
    assert out.tolist()[4:8] == [low, 0, 0, -1]
    assert out.tolist()[8:] == [0, 1, 2, 0]


def to_bfloat(values: np.ndarray) -> np.ndarray:
    """float32 rounded to the nearest even bfloat16, as float32."""
    bits = values.astype(np.float32).view(np.uint32)
    bits = bits + 0x7FFF + ((bits >> 16) & 1)
    return (bits & np.uint32(0xFFFF0000)).view(np.float32)


ROUND = {
    "float": lambda v: v.astype(np.float32),
    "half": lambda v: v.astype(np.float16).astype(np.float32),
    "bfloat": to_bfloat,
}


def encode(values, name):
    if name == "bfloat":
        return (to_bfloat(values).view(np.uint32) >> 16).astype(np.uint16)
    return values.astype({"float": np.float32, "half": np.float16}[name])


def decode(values, name):
    if name == "bfloat":
        return (values.astype(np.uint32) << 16).view(np.float32)
    return values.astype(np.float32)


@pytest.mark.parametrize("name", ROUND)
def test_float_operators(name):
    rounded = ROUND[name]
    rng = np.random.default_rng(3)
    x = rounded((rng.standard_normal(32) * 20).astype(np.float32))
    y = rounded((rng.standard_normal(32) * 3).astype(np.float32))
    out = encode(np.zeros((8, 32), np.float32), name)
    interpreter.source("floats", "--math=safe").run(
        f"operators_{name}",
        encode(x, name),
        encode(y, name),
        out,
        threads=32,
        group=32,
    )
    total = x
    for _ in range(5):
        total = rounded(total + y)
    # float32 has more than twice the bits, so rounding its result once more
    # gives the correctly rounded quotient.
    expected = [
        rounded(x + y),
        rounded(x - y),
        rounded(x * y),
        rounded(x / y),
        -x,
        total,
        np.minimum(x, y),
        rounded(np.trunc(x) + 3),
    ]
    for row, want in zip(decode(out, name), expected, strict=True):
        np.testing.assert_array_equal(row, want)


def test_float_conversions():
    values = np.array(
        [0.1, 65504, 65519, 65520, 1e-7, -3e38, 2.0**-24, 1 / 3], np.float32
    )
    halves, bfloats = np.zeros(8, np.float16), np.zeros(8, np.uint16)
    back = np.zeros((8, 2), np.float32)
    interpreter.source("floats").run(
        "conversions", values, halves, bfloats, back, threads=8, group=8
    )
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(halves, values.astype(np.float16))
    np.testing.assert_array_equal(back[:, 0], halves.astype(np.float32))
    np.testing.assert_array_equal(back[:, 1], to_bfloat(values))


def test_float_to_integers():
    values = np.array([1.9, -1.9, 3e9, -3e9, np.nan, np.inf, 200], np.float32)
    ints, uints = np.zeros(7, np.int32), np.zeros(7, np.uint32)
    chars, longs = np.zeros(7, np.int8), np.zeros(7, np.int64)
    interpreter.source("floats").run(
        "to_integers", values, ints, uints, chars, longs, threads=7, group=7
    )
    top = 2**31 - 1
    assert ints.tolist() == [1, -1, top, -top - 1, 0, top, 200]
    assert uints.tolist() == [1, 0, 3 * 10**9, 0, 0, 2**32 - 1, 200]
    assert chars.tolist() == [1, -1, 127, -128, 0, 127, 127]
    assert longs.tolist() == [1, -1, 3 * 10**9, -3 * 10**9, 0, 2**63 - 1, 200]


def test_bit_casts():
    words = np.array([1.5, -2.25, 1e10, 3], np.float32).view(np.uint32)
    out = np.zeros(12, np.uint32)
    interpreter.source("floats").run("bits", words, out, threads=4, group=4)
    np.testing.assert_array_equal(out[:4].view(np.float32), words.view(np.float32) * 2)
    np.testing.assert_array_equal(out[4:8], (words & 0xFFFF) + (words >> 16))
    assert out[8:].tolist() == [0x4000] * 4


def test_float_literals():
    out = np.zeros(9, np.float32)
    interpreter.source("floats", "--math=safe").run("literals", out, threads=1, group=1)
    f = np.float32
    expected = [f(0.1), f(0.1) * f(3), f(np.float16(0.1)), f(1e-3), f(np.pi)]
    expected += [np.inf, np.inf, np.finfo(f).max, f(np.float16(1) / np.float16(3))]
    np.testing.assert_array_equal(out, np.array(expected, f))
