"""Kernels of thousands of operations: compiled within a bound, and right."""

import os
import subprocess
import sys

import pytest

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
