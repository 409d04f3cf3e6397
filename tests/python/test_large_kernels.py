"""Kernels of thousands of operations: compiled within a bound, and right."""

import os
import subprocess
import sys

import pytest

import bessemer

SECONDS = 240  # for what takes a few
HEADER = "#include <metal_stdlib>\nusing namespace metal;\n"
# The work on `x` and `y`, operation k, in Metal and in NumPy.
STEPS = {
    "straight": ("x = x * {k}u ^ y; y = y - (x >> {s});", "x = x * {k} ^ y; y -= x >> {s}"),
    "stores": ("o[i + {k} * 64] = x = x * {k}u + 1;", "x = x * {k} + 1; o[{k}] = x"),
}  # fmt: skip
RUN = """
import sys, numpy as np, bessemer
source, steps, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
out = np.arange(64 * (count + 1), dtype=np.uint32)
o = out.reshape(-1, 64).copy()
x = o[0].copy(); y = x.copy()
exec(steps)
o[0] = x + y
bessemer.compile(source)["large"](out, threads=64, group_size=64)
np.testing.assert_array_equal(out, o.ravel())
"""


def check(body: str, steps: str, count: int = 0) -> None:
    source = (
        f"{HEADER}kernel void large(device uint *o, "
        f"uint i [[thread_position_in_grid]]) {{ uint x = o[i], y = x; {body} "
        "o[i] = x + y; }"
    )
    result = subprocess.run(
        [sys.executable, "-c", RUN, source, steps, str(count)],
        check=False,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert result.returncode == 0, result.stderr[-2000:]


@pytest.mark.parametrize("form", STEPS)
def test_statements(form):
    count = 500
    metal, numpy = STEPS[form]
    numbers = [{"k": k, "s": k % 31 + 1} for k in range(1, count + 1)]
    check(
        " ".join(metal.format(**number) for number in numbers),
        "; ".join(numpy.format(**number) for number in numbers),
        count,
    )


def test_a_long_sum():
    check(f"x = {'x + ' * 8000}1;", "x = x * 8000 + 1")


def test_nested_branches():
    conditions = "".join(f"if (i != {k + 64})" for k in range(1000))
    check(conditions + "x = 5;", "x[:] = 5")


def nest(count: int, opening: str, closing: str) -> str:
    """Blocks in each other."""
    numbers = range(count)
    return (
        "".join(opening.format(k=k) for k in numbers)
        + "y ^= x;"
        + "".join(closing.format(k=k) for k in numbers)
    )


SHAPES = {
    "branches": lambda n: nest(
        n, "if (a[i + {k}] > x) {{ x += {k}u * y; ", "}} else {{ y += {k}u + x; }}"
    ),
    "loops": lambda n: nest(
        n, "for (uint k{k} = 0; k{k} < a[i + {k}]; ++k{k}) {{ x += k{k};", "}}"
    ),
    "cases": lambda n: (
        "for (uint j = 0; j < 4; ++j) switch (x % 1000) {"
        + "".join(f"case {k}: x += y * {k}u; {'break;' * (k % 3)}" for k in range(n))
        + "}"
    ),
    "statements": lambda n: " ".join(
        f"x = x * {k}u ^ y; y -= x >> {k % 31 + 1};" for k in range(1, n + 1)
    ),
}


def emitted(body: str) -> int:
    """Lines of LLVM IR, for all grids."""
    source = (
        f"{HEADER}kernel void large(device uint *o, device const uint *a, "
        "uint i [[thread_position_in_grid]]) { uint x = o[i], y = x; "
        f"{body} o[i] = x + y; }}"
    )
    library = bessemer.compile(source)
    return len(library.emit("large", "llvm", group_size=(256, 1, 1)).splitlines())


@pytest.mark.parametrize(
    ("shape", "count", "most"),
    [
        ("branches", 200, 40_000),  # Nested; each has a path of its own.
        ("loops", 40, 20_000),  # Nested, left lane by lane.
        ("cases", 300, 50_000),
        ("statements", 5000, 120_000),  # 20,000 instructions.
    ],
)
def test_code_grows_with_the_source(shape, count, most):
    """No version of a version: code, and with it time, is linear in the source."""
    make = SHAPES[shape]
    whole, half = emitted(make(count)), emitted(make(count // 2))
    assert whole <= most
    assert whole <= 2.2 * half
