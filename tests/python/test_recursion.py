"""Recursive functions that are loops."""

import numpy as np
import pytest

import bessemer

X = np.array([-3, -0.5, -1, 0, 0.5, 2, 7, np.inf, -np.inf], np.float32)


# (body of f, what it returns)
FUNCTIONS = [
    ("return x < 0 ? -f(-x) : 2 * x + 1;",
     lambda x: -(2 * -x + 1) if x < 0 else 2 * x + 1),
    ("if (x > 1) return -f(x * 0.5f); if (x < 0) return f(-x); return x;",
     lambda x: np.nan if np.isinf(x) else
     abs(x) / 2 ** (k := int(np.ceil(np.log2(max(abs(x), 1))))) * (-1) ** k),
    ("return x > 1 && x < 9 ? f(x - 1) : x;",
     lambda x: x - max(0, np.ceil(x) - 1) if x < 9 else x),
]  # fmt: skip


@pytest.mark.parametrize("math", ["safe", "relaxed"])
@pytest.mark.parametrize("body, expected", FUNCTIONS)
def test_self_recursion(body, expected, math):
    library = bessemer.compile(
        f"float f(float x) {{ {body} }}\n"
        "kernel void k(device float *x, uint i [[thread_position_in_grid]])"
        "{ x[i] = f(x[i]); }",
        math=math,
    )
    finite = X[np.isfinite([expected(x) if np.isfinite(x) else np.nan for x in X])]
    y = finite.copy()
    library.k(y, threads=len(y))
    np.testing.assert_array_equal(y, [expected(x) for x in finite])
