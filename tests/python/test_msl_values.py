"""Single values of the library that are easy to get wrong."""

import numpy as np
import pytest

import bessemer

HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
NAN = np.float32("nan")


@pytest.mark.parametrize("math", ["safe", "relaxed"])
def test_fdim_keeps_nan(math):
    source = (
        HEAD
        + """
kernel void k(device const float *x, device const float *y, device float *o,
              uint i [[thread_position_in_grid]]) { o[i] = fdim(x[i], y[i]); }
"""
    )
    x = np.array([NAN, 1, NAN, 3, 1, -np.inf, np.inf], np.float32)
    y = np.array([1, NAN, NAN, 1, 3, 1, 1], np.float32)
    out = np.zeros(7, np.float32)
    bessemer.compile(source, math=math).k(x, y, out, threads=7)
    np.testing.assert_array_equal(out, [NAN, NAN, NAN, 2, 0, 0, np.inf])


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_half_fma_rounds_once(width):
    t = "half" if width == 1 else f"half{width}"
    source = (
        HEAD
        + f"""
kernel void k(device const half *x, device const half *y, device const half *z,
              device half *o, uint i [[thread_position_in_grid]]) {{
  {t} r = fma({t}(x[i]), {t}(y[i]), {t}(z[i]));
  o[i] = {"r" if width == 1 else f"r[{width - 1}]"};
}}
"""
    )
    random = np.random.default_rng(11)
    bits = random.integers(0, 1 << 16, (3, 20000)).astype(np.uint16)
    x, y, z = bits.view(np.float16)
    finite = np.isfinite(x) & np.isfinite(y) & np.isfinite(z)
    x, y, z = (np.ascontiguousarray(v[finite]) for v in (x, y, z))
    out = np.zeros(len(x), np.float16)
    bessemer.compile(source, math="safe").k(x, y, z, out, threads=len(x))
    # A product of halves has 22 bits; the sum in extended precision is exact or
    # far from a tie of half.
    wide = np.longdouble
    with np.errstate(over="ignore"):
        expected = (x.astype(wide) * y.astype(wide) + z.astype(wide)).astype(np.float16)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
@pytest.mark.parametrize("kind", ["inclusive", "exclusive"])
@pytest.mark.parametrize("operation", ["sum", "product"])
def test_prefixes_of_64_bits(dtype, kind, operation):
    t = "long" if dtype == np.int64 else "ulong"
    source = (
        HEAD
        + f"""
kernel void k(device {t} *x, uint i [[thread_position_in_grid]]) {{
  x[i] = simd_prefix_{kind}_{operation}(x[i]);
}}
"""
    )
    random = np.random.default_rng(5)
    x = random.integers(0, 1 << 62, 64).astype(dtype)
    rows = x.reshape(2, 32)
    with np.errstate(over="ignore"):
        scan = (np.cumsum if operation == "sum" else np.cumprod)(rows, 1, dtype=dtype)
    if kind == "exclusive":
        first = np.full((2, 1), operation == "product", dtype)
        scan = np.concatenate([first, scan[:, :-1]], 1)
    bessemer.compile(source).k(x, threads=64, group_size=64)
    np.testing.assert_array_equal(x.reshape(2, 32), scan)


@pytest.mark.parametrize(
    "pragma", ["math_mode(safe)", "contract(off)", "math_mode(relaxed)"]
)
def test_pragmas_set_the_mode_of_what_follows(pragma):
    """Contracted, x * x - y is the rounding error of the product; else 0."""
    source = (
        HEAD
        + f"""
#pragma METAL fp {pragma}
kernel void k(device float *x) {{
  float square = x[0] * x[0];
  x[2] = square - x[1];
}}
"""
    )
    value = np.float32(1 + 2**-12 + 2**-23)
    x = np.array([value, value * value, 7], np.float32)
    error = np.float32(np.float64(value) ** 2 - np.float64(value * value))
    assert error != 0
    bessemer.compile(source, math="safe" if "relaxed" in pragma else "relaxed").k(
        x, threads=1
    )
    # What may be contracted need not be.
    assert x[2] in ([0, error] if "relaxed" in pragma else [0])


@pytest.mark.parametrize("language", ["9.9", "", "0.9", "2.5", "4", "5.0"])
def test_languages(language):
    with pytest.raises(ValueError, match="4.1"):
        bessemer.compile(HEAD, language=language)
    bessemer.compile(HEAD, language="4.1")


def test_size_of_a_template_that_nothing_used_yet():
    """The kernel's body, which would make the struct complete, is not read until
    the kernel is wanted."""
    source = (
        HEAD
        + """
template <int n> struct Sizes { int of[n]; long total; };
template <int n>
kernel void k(constant Sizes<n> *sizes, device long *out) {
  out[0] = sizes->of[n - 1] + sizes->total;
}
template [[host_name("k3")]] kernel void k<3>(constant Sizes<3> *, device long *);
template [[host_name("k4")]] kernel void k<4>(constant Sizes<4> *, device long *);
"""
    )
    library = bessemer.compile(source)
    for n in (3, 4):
        kind = np.dtype([("of", np.int32, n), ("total", np.int64)], align=True)
        sizes = np.zeros(1, kind)
        sizes["of"][0, n - 1], sizes["total"] = 5, 7 + n
        out = np.zeros(1, np.int64)
        library[f"k{n}"](sizes, out, threads=1)
        assert out[0] == 12 + n
