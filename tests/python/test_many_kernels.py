"""Sources of more kernels than are compiled at once: each is when it is asked for."""

import re
import subprocess
import sys

import numpy as np
import pytest

import bessemer

COUNT = 200
# The assignment of a struct needs a function that Clang declares itself; the
# kernel of 130 has an error that only its instantiation shows.
SOURCE = """
#include <metal_stdlib>
using namespace metal;
struct Block { float values[16]; };
template <int n> struct Check { static_assert(n != 130, "not this one"); };
template <int n> kernel void add(device float *x, uint i [[thread_position_in_grid]]) {
  Block from, to;
  for (int k = 0; k < 16; ++k)
    from.values[k] = x[i] + k;
  to = from;
  x[i] = to.values[n % 16] + sizeof(Check<n>) * n;
}
""" + "\n".join(
    f'template [[host_name("add_{n}")]] kernel void add<{n}>(device float *, uint);'
    for n in range(COUNT)
)


@pytest.fixture(scope="module")
def library():
    return bessemer.compile(SOURCE)


def check(library, n):
    x = np.arange(5, dtype=np.float32)
    library[f"add_{n}"](x, threads=5)
    np.testing.assert_array_equal(x, np.arange(5) + n % 16 + n)


def test_all_are_listed(library):
    assert library.kernels == [f"add_{n}" for n in range(COUNT)]


@pytest.mark.parametrize("n", [0, 199, 1, 64, 199])
def test_kernels_in_any_order(library, n):
    check(library, n)


def test_an_error_in_one_kernel_is_no_error_in_another(library):
    for _ in range(2):
        with pytest.raises(bessemer.CompileError, match="not this one") as caught:
            library.emit("add_130", "ir")
        assert re.search(r":5:\d+: error", str(caught.value))
    check(library, 129)
    check(library, 131)


def test_both_ways_make_the_same_code(library):
    alone = "\n".join(SOURCE.splitlines()[:12] + [line for line in SOURCE.splitlines()
                                                  if '"add_7"' in line])  # fmt: skip
    few = bessemer.compile(alone)
    assert few.kernels == ["add_7"]
    assert library.emit("add_7", "object") == few.emit("add_7", "object")


def test_limits_are_for_each_kernel():
    # 1200 instantiations a kernel: together more than one source may have.
    kernels = 250
    source = """
#include <metal_stdlib>
using namespace metal;
template <int n, int k> struct Sum { static constant int value = Sum<n, k - 1>::value + 1; };
template <int n> struct Sum<n, 0> { static constant int value = n; };
template <int n> kernel void add(device int *x, uint i [[thread_position_in_grid]]) {
  x[i] = Sum<3 * n, 400>::value + Sum<3 * n + 1, 400>::value + Sum<3 * n + 2, 400>::value;
}
""" + "\n".join(
        f'template [[host_name("add_{n}")]] kernel void add<{n}>(device int *, uint);'
        for n in range(kernels)
    )
    library = bessemer.compile(source)
    for n in range(64, kernels):
        assert f"add_{n}" in library.emit(f"add_{n}", "ir")


TWICE = """
import sys, bessemer
library = bessemer.compile(sys.argv[1])
codes = [library.emit("add_7", "object") for _ in range(3)]
print(len(set(codes)))
"""


def test_the_first_code_of_a_process_is_as_any_other():
    run = subprocess.run(
        [sys.executable, "-c", TWICE, SOURCE],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == "1\n"
