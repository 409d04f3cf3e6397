"""Math functions, interpreted, against NumPy in double precision."""

import interpreter
import numpy as np
import pytest

WIDE = np.linspace(-6, 6, 41)
POSITIVE = np.concatenate([np.linspace(0.01, 30, 40), [1e-30, 1e30]])
UNIT = np.linspace(-1, 1, 41)
ABOVE_ONE = np.linspace(1, 50, 40)


def exact(x):
    return x.astype(np.float64)


def sign(x):
    return np.where(np.isnan(x), 0, np.sign(x))


def half_away(x):
    return np.trunc(x + np.copysign(0.5, x))


UNARY = {
    "sin": (np.sin, WIDE),
    "cos": (np.cos, WIDE),
    "tan": (np.tan, UNIT),
    "asin": (np.arcsin, UNIT),
    "acos": (np.arccos, UNIT),
    "atan": (np.arctan, WIDE),
    "sinh": (np.sinh, WIDE),
    "cosh": (np.cosh, WIDE),
    "tanh": (np.tanh, WIDE),
    "asinh": (np.arcsinh, WIDE),
    "acosh": (np.arccosh, ABOVE_ONE),
    "atanh": (np.arctanh, UNIT * 0.9),
    "exp": (np.exp, WIDE),
    "exp2": (np.exp2, WIDE),
    "exp10": (lambda x: 10.0**x, WIDE),
    "log": (np.log, POSITIVE),
    "log2": (np.log2, POSITIVE),
    "log10": (np.log10, POSITIVE),
    "sqrt": (np.sqrt, POSITIVE),
    "rsqrt": (lambda x: 1 / np.sqrt(x), POSITIVE),
    "sinpi": (lambda x: np.sin(np.pi * x), UNIT * 0.4),
    "cospi": (lambda x: np.cos(np.pi * x), UNIT * 0.4),
    "tanpi": (lambda x: np.tan(np.pi * x), UNIT * 0.2),
    "fabs": (np.abs, WIDE),
    "floor": (np.floor, WIDE),
    "ceil": (np.ceil, WIDE),
    "trunc": (np.trunc, WIDE),
    "rint": (np.rint, WIDE),
    "round": (half_away, WIDE),
    "fract": (lambda x: x - np.floor(x), WIDE),
}
SIMPLE = {
    "sign": (sign, WIDE), "saturate": (lambda x: np.clip(x, 0, 1), WIDE),
    "abs": (np.abs, WIDE),
}  # fmt: skip


def run(kernel, dtype, *inputs, rows=None, options=()):
    n = len(inputs[0])
    out = np.zeros(n if rows is None else (rows, n), dtype)
    interpreter.source("math", *options).run(kernel, *inputs, out, threads=n, group=n)
    return out


def close(out, expected, ulp=1.0):
    """Within `ulp` units of float32 (of the larger magnitude)."""
    spacing = np.spacing(np.abs(expected).astype(np.float32)).astype(np.float64)
    error = np.abs(out.astype(np.float64) - expected)
    assert (error <= ulp * spacing).all(), (error / spacing).max()


@pytest.mark.parametrize("form", ["unary", "precise", "fast"])
@pytest.mark.parametrize("name", UNARY)
def test_unary(name, form):
    function, domain = UNARY[name]
    x = domain.astype(np.float32)
    out = run(f"{form}_{name}", np.float32, x, options=("--math=safe",))
    # Default functions are the fast ones; some are compositions by definition.
    close(out, function(exact(x)), 1 if form == "precise" else 4)


@pytest.mark.parametrize("name", SIMPLE)
def test_unary_without_variants(name):
    function, domain = SIMPLE[name]
    x = domain.astype(np.float32)
    close(run(f"unary_{name}", np.float32, x), function(exact(x)), 0)


@pytest.mark.parametrize("name", UNARY | SIMPLE)
def test_half(name):
    function, domain = (UNARY | SIMPLE)[name]
    x = domain[(np.abs(domain) < 100) & (np.abs(domain) > 1e-3)]
    x = x.astype(np.float16)
    out = run(f"half_{name}", np.float16, x)
    with np.errstate(over="ignore", invalid="ignore"):
        expected = function(exact(x)).astype(np.float16)
        spacing = np.spacing(np.abs(expected)).astype(np.float64)
        error = np.abs(exact(out) - exact(expected))
    assert ((out == expected) | (error <= spacing)).all()


BINARY = {
    "atan2": np.arctan2, "fmod": np.fmod, "fmin": np.fmin, "fmax": np.fmax,
    "min": np.fmin, "max": np.fmax, "fdim": lambda x, y: np.maximum(x - y, 0),
    "copysign": np.copysign, "step": lambda x, y: np.where(y < x, 0.0, 1.0),
    "divide": np.divide,
    "nextafter": lambda x, y: np.nextafter(
        x.astype(np.float32), y.astype(np.float32)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BINARY)
def test_binary(name):
    rng = np.random.default_rng(11)
    x = rng.uniform(-5, 5, 40).astype(np.float32)
    y = rng.uniform(-5, 5, 40).astype(np.float32)
    out = run(f"binary_{name}", np.float32, x, y, options=("--math=safe",))
    close(out, BINARY[name](exact(x), exact(y)))


@pytest.mark.parametrize("name", ["pow", "powr"])
def test_power(name):
    rng = np.random.default_rng(12)
    x = rng.uniform(0.1, 5, 40).astype(np.float32)
    y = rng.uniform(-5, 5, 40).astype(np.float32)
    close(run(f"binary_{name}", np.float32, x, y), exact(x) ** exact(y), 2)


def test_minimum_drops_nan():
    nan = np.float32(np.nan)
    x = np.array([nan, 1, nan], np.float32)
    y = np.array([2, nan, nan], np.float32)
    for name in ("fmin", "fmax"):
        out = run(f"binary_{name}", np.float32, x, y, options=("--math=safe",))
        assert out[:2].tolist() == [2, 1] and np.isnan(out[2])


def test_ternary():
    rng = np.random.default_rng(13)
    x, y, z = rng.uniform(-2, 3, (3, 40)).astype(np.float32)
    out = run("ternary", np.float32, x, y, z, rows=8, options=("--math=safe",))
    dx, dy, dz = exact(x), exact(y), exact(z)
    close(out[0], dx * dy + dz)
    close(out[1], dx + (dy - dx) * dz, 8)
    close(out[2], np.clip(dx, -0.5, 0.75))
    t = np.clip((dx + 1) / 3, 0, 1)
    close(out[3], t * t * (3 - 2 * t), 8)
    close(out[4], np.median([dx, dy, dz], axis=0))
    close(out[5], np.min([dx, dy, dz], axis=0))
    close(out[6], np.max([dx, dy, dz], axis=0))
    close(out[7], dx * 8)


def test_parts():
    x = np.array([1.5, -2.75, 100, 0.1, -0.3], np.float32)
    out = run("parts", np.float32, x, rows=7)
    fraction, whole = np.modf(x)
    mantissa, exponent = np.frexp(x)
    for row, want in zip(out, [fraction, whole, mantissa, exponent], strict=False):
        np.testing.assert_array_equal(row, want)
    close(out[4], np.sin(exact(x)), 2)
    close(out[5], np.cos(exact(x)), 2)
    np.testing.assert_array_equal(out[6], np.floor(np.log2(np.abs(x))))


def test_relational():
    x = np.array([np.nan, np.inf, -np.inf, 1, 1e-40, -0.0, 5], np.float32)
    out = run("relational", np.int32, x, rows=7, options=("--math=safe",))
    assert out.tolist() == [
        [1, 0, 0, 0, 0, 0, 0],
        [0, 1, 1, 0, 0, 0, 0],
        [0, 0, 0, 1, 1, 1, 1],
        [0, 0, 0, 1, 0, 0, 1],
        [out[4][0], 0, 1, 0, 0, 1, 0],
        [0, 1, 0, 0, 0, 0, 1],
        [0, 1, 0, 0, 0, 0, 1],
    ]
