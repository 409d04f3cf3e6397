"""Conversions between all pairs of scalar types, in every form of cast."""

import ml_dtypes
import numpy as np
import pytest

import bessemer

TYPES = {
    "bool": np.bool_,
    "char": np.int8,
    "uchar": np.uint8,
    "short": np.int16,
    "ushort": np.uint16,
    "int": np.int32,
    "uint": np.uint32,
    "long": np.int64,
    "ulong": np.uint64,
    "half": np.float16,
    "bfloat": ml_dtypes.bfloat16,
    "float": np.float32,
}
FLOATS = ("half", "bfloat", "float")
REALS = [0.0, -0.0, 1.0, -1.5, 2.5, 3.140625, -127.75, 255.5, 1e-3, 6e-8, 40000.0]
REALS += [-65536.0, 3e9, -1e19, np.inf, -np.inf, np.nan]
WHOLES = [0, 1, -1, 2, 100, 127, -128, 255, 256, -32768, 65535, 1 << 30, 1 << 40]
WHOLES += [-(1 << 31), (1 << 63) - (1 << 62), -(1 << 63)]
FORMS = {
    "static": "static_cast<{to}>(a)",
    "c": "({to})a",
    "functional": "{to}(a)",
    "vector": "{to}3({source}3(a)).z",
}


def values(name):
    if name in FLOATS:
        return np.array(REALS, np.float32).astype(TYPES[name])
    return np.array(WHOLES, np.int64).astype(TYPES[name])


def converted(array, name):
    """What Metal and docs/decisions.md promise: integers wrap, floating numbers
    saturate towards integers, NaN is 0, and every conversion rounds once."""
    target = np.dtype(TYPES[name])
    if name == "bool":
        return array.astype(np.float32) != 0
    if name in FLOATS or array.dtype.kind in "iub":
        if name in FLOATS and array.dtype not in (np.float32, np.float64):
            array = array.astype(np.float64).astype(np.float32)
        return array.astype(target)
    limits = np.iinfo(target)
    wide = [float(x) for x in array]
    whole = [
        0 if x != x else limits.max if x == np.inf else limits.min if x == -np.inf
        else min(max(int(x), limits.min), limits.max)
        for x in wide
    ]  # fmt: skip
    return np.array(whole, target)


def kernel(source, form):
    # Vectors of bool take no part: `bool3` fills from numbers by itself.
    targets = [t for t in TYPES if form != "vector" or t != "bool"]
    outputs = ", ".join(f"device {t} *o_{t}" for t in targets)
    casts = "".join(
        f"o_{t}[i] = {FORMS[form].format(to=t, source=source)};\n" for t in targets
    )
    name = f"{source}_{form}"
    head = f"(device const {source} *in, {outputs}, uint i [[thread_position_in_grid]])"
    body = f"{{ {source} a = in[i];\n{casts} }}"
    return name, targets, f"kernel void {name}{head} {body}\n"


@pytest.fixture(scope="module")
def library():
    text = "#include <metal_stdlib>\nusing namespace metal;\n"
    for source in TYPES:
        for form in FORMS:
            text += kernel(source, form)[2]
    return bessemer.compile(text)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("source", TYPES)
def test_casts(library, source, form):
    name, targets, _ = kernel(source, form)
    given = values(source)
    outputs = [np.zeros(len(given), TYPES[t]) for t in targets]
    getattr(library, name)(given, *outputs, threads=len(given))
    for target, output in zip(targets, outputs, strict=True):
        expected = converted(given, target)
        np.testing.assert_array_equal(
            output.astype(np.float64 if target in FLOATS else output.dtype),
            expected.astype(np.float64 if target in FLOATS else output.dtype),
            err_msg=f"{source} to {target}, {form}",
        )


TEMPLATE = """
#include <metal_stdlib>
using namespace metal;
template <typename A, typename B>
[[kernel]] void convert(device const A *in, device B *out,
                        uint i [[thread_position_in_grid]]) {
  out[3 * i] = static_cast<B>(in[i]);
  out[3 * i + 1] = (B)in[i];
  out[3 * i + 2] = B(in[i]);
}
"""


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("target", FLOATS)
def test_dependent_casts(source, target):
    text = TEMPLATE + (
        '\ntemplate [[host_name("k")]] [[kernel]] void '
        f"convert<{source}, {target}>(device const {source} *, device {target} *, uint);"
    )
    given = values(source)
    out = np.zeros((len(given), 3), TYPES[target])
    bessemer.compile(text).k(given, out, threads=len(given))
    expected = converted(given, target).astype(np.float64)
    for column in out.T:
        np.testing.assert_array_equal(column.astype(np.float64), expected)


ARITHMETIC = """
#include <metal_stdlib>
using namespace metal;
kernel void k(device const {a} *x, device const {b} *y, device float *out,
              device int *widths, uint i [[thread_position_in_grid]]) {{
  auto sum = x[i] + y[i];
  out[3 * i] = sum;
  out[3 * i + 1] = x[i] * y[i];
  out[3 * i + 2] = x[i] < y[i];
  widths[i] = sizeof(sum);
}}
"""


@pytest.mark.parametrize(
    ("a", "b"), [("half", "half"), ("bfloat", "bfloat"), ("half", "float"),
                 ("bfloat", "float"), ("float", "bfloat"), ("bfloat", "int"),
                 ("half", "uchar")],
)  # fmt: skip
def test_arithmetic_types(a, b):
    """Both narrow types stay narrow, float widens them, integers adapt."""
    x = np.array([1.5, -3.0, 100.0], np.float32).astype(TYPES[a])
    y = np.array([3, 7, 33], np.float32).astype(TYPES[b])
    out, widths = np.zeros((3, 3), np.float32), np.zeros(3, np.int32)
    source = ARITHMETIC.format(a=a, b=b)
    bessemer.compile(source, math="safe").k(x, y, out, widths, threads=3)
    narrow = a if a != "float" and b in (a, "int", "uchar") else "float"
    assert widths.tolist() == [4 if narrow == "float" else 2] * 3
    wide_x, wide_y = x.astype(np.float64), y.astype(np.float64)
    for column, exact in enumerate((wide_x + wide_y, wide_x * wide_y)):
        expected = exact.astype(np.float32).astype(TYPES[narrow]).astype(np.float32)
        np.testing.assert_array_equal(out[:, column], expected)
    np.testing.assert_array_equal(out[:, 2], wide_x < wide_y)


def test_literals_are_float():
    """No double anywhere: 0.1 is the float nearest to it, in every context."""
    source = """
#include <metal_stdlib>
using namespace metal;
#define PASTE(a, b) a##b
kernel void k(device float *x) {
  float a(0.1 * x[0]);
  x[1] = a;
  x[2] = (x[0]) * (0.1 * x[0]);
  if (bool below = (0.1 < x[3])) x[3] = below;
  x[4] = PASTE(0.1, f) + sizeof(0.1) + sizeof(1.0f) + sizeof(1e3F) + sizeof(0x1p2f);
  x[5] = float(1.0bf) + 1.5h;
}
"""
    x = np.array([3, 0, 0, np.float32(0.1), 0, 0], np.float32)
    bessemer.compile(source, math="safe").k(x, threads=1)
    tenth = np.float32(0.1) * np.float32(3)
    assert x.tolist() == [
        3, tenth, np.float32(3) * tenth, np.float32(0.1),
        np.float32(0.1) + np.float32(16), 2.5,
    ]  # fmt: skip
