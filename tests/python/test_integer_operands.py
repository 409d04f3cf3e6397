"""Shifts by any count and divisions by 0 and -1: what Clang evaluates, what it
emits, the interpreter and compiled code all have Metal's result."""

import interpreter
import numpy as np
import pytest
from test_kernels_arithmetic import INTEGERS, divide, wrap

COUNTS = [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 63, 64, 65, 127, -1, -31]
DIVISORS = [0, -1, 1, 3]
# How constants reach an operation; the last are behind the vector's components.
FORMS = """  out[N] = T(T(X) OP Y); // written
  { const T x = T(X) OP Y; out[N + 1] = x; }
  { const long y = Y; T x = X; x OP= y; out[N + 2] = x; }
  out[N + 3] = function<Y>(X);
  out[N + 4] = evaluated(X, Y);
  { const T x = evaluated(X, Y); out[N + 5] = x + T(0); }
  out[N + 6] = global_N;
  out[N + 7] = T(T(X) OP y[K]); // not known
  { vec<T, 2> x = vec<T, 2>(X) OP vec<T, 2>(Y); out[N + 8] = x.y; }
  { vec<T, 3> x = X; x OP= T(Y); out[N + 9] = x.z; }
  { vec<T, 4> x = vec<T, 4>(X) OP T(y[K]); out[N + 10] = x.w; }
"""
SCALARS, VECTORS = 8, 3


def kernel_text(name, operator, pairs):
    def with_values(text, k, x, y):
        for key, value in {
            "Y": f"({y})",
            # The least long has no literal.
            "X": f"(({name})({x + 1} - 1))",
            "T": name,
            "OP": operator,
            "K": k,
        }.items():
            text = text.replace(key, str(value))
        first = k * (SCALARS + VECTORS)
        return text.replace("global_N", f"global_{k}").replace("N", str(first))

    def defined(y):
        return y or operator in ("<<", ">>")

    # Division by 0 is no constant expression: an error outside of functions.
    globals_ = "".join(
        with_values(
            f"constant T global_{k} = {'T(X) OP Y' if defined(y) else 0};\n", k, x, y
        )
        for k, (x, y) in enumerate(pairs)
    )
    lines = "".join(with_values(FORMS, k, x, y) for k, (x, y) in enumerate(pairs))
    return f"""#include <metal_stdlib>
using namespace metal;
template <int y> {name} function({name} x) {{ return x {operator} y; }}
constexpr {name} evaluated({name} x, int y) {{ return x {operator} y; }}
{globals_}
kernel void k(device const int *y, device {name} *out) {{
{lines}}}
"""


def promoted(x, dtype):
    """The value and its type in an operation of scalars."""
    return (x, np.int32) if np.iinfo(dtype).bits < 32 else (x, dtype)


def shift(operator, x, count, dtype):
    count %= np.iinfo(dtype).bits
    return wrap(x << count if operator == "<<" else x >> count, dtype)


def division(operator, x, y, dtype):
    y = wrap(y, dtype)
    if y == 0:
        return 0
    quotient = divide(x, y)
    return wrap(quotient if operator == "/" else x - y * quotient, dtype)


def check(tmp_path, name, operator, pairs, reference):
    dtype = INTEGERS[name]
    source = interpreter.from_text(kernel_text(name, operator, pairs), tmp_path)
    counts = np.array([y for _, y in pairs], np.int32)
    out = np.zeros((len(pairs), SCALARS + VECTORS), dtype)
    source.compare("k", counts, out.copy(), threads=1, group=1)
    source.run("k", counts, out, threads=1, group=1)
    want = [
        [wrap(reference(operator, *promoted_pair(x, y, dtype)), dtype)] * SCALARS
        + [reference(operator, x, y, dtype)] * VECTORS
        for x, y in pairs
    ]
    np.testing.assert_array_equal(out, np.array(want, dtype))


def promoted_pair(x, y, dtype):
    value, kind = promoted(x, dtype)
    return value, y, kind


@pytest.mark.parametrize("operator", ["<<", ">>"])
@pytest.mark.parametrize("name", INTEGERS)
def test_shifts(name, operator, tmp_path):
    info = np.iinfo(INTEGERS[name])
    pairs = [(x, n) for x in (3, info.max - 4, info.min + 6) for n in COUNTS]
    check(tmp_path, name, operator, pairs, shift)


@pytest.mark.parametrize("operator", ["/", "%"])
@pytest.mark.parametrize("name", ["char", "short", "int", "long"])
def test_divisions(name, operator, tmp_path):
    info = np.iinfo(INTEGERS[name])
    pairs = [(x, y) for x in (7, info.max, info.min) for y in DIVISORS]
    check(tmp_path, name, operator, pairs, division)
