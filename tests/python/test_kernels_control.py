"""Control flow and products that lanes make hard, against NumPy."""

import interpreter
import numpy as np
import pytest

THREADS, GROUP = 192, 64


@pytest.fixture(scope="module")
def kernels():
    return interpreter.source("control")


def run(kernels, kernel, *arguments, group=GROUP):
    """Interpreted, and compiled in every configuration."""
    launch = {"threads": THREADS, "group": group}
    copies = [np.array(argument) for argument in arguments]
    kernels.compare(kernel, *copies, **launch)
    kernels.run(kernel, *arguments, **launch)


def searched():
    """Numbers with gaps; the last but one is negative."""
    ints = np.random.default_rng(1).permutation(80)[:40].astype(np.int32)
    return np.concatenate([ints, [-1, 0]]).astype(np.int32)


def stands(ints, wanted):
    """Whether it does behind the first place, where the search begins."""
    return wanted in ints[1:-2]


def test_way_out_of_a_loop_over_a_barrier(kernels):
    ints, out = searched(), np.zeros(THREADS, np.int32)
    run(kernels, "found_over_barrier", ints, out)
    how = np.array([1 + stands(ints, thread) for thread in range(GROUP)])
    assert set(how) == {1, 2}
    expected = np.tile(10 * how + np.roll(how, -1), THREADS // GROUP)
    np.testing.assert_array_equal(out, expected)


def test_exits_of_nested_loops(kernels):
    ints, out = searched(), np.zeros(THREADS, np.int32)
    run(kernels, "nested_exits", ints, out)
    expected = []
    for thread in range(GROUP):
        found = 0
        while stands(ints, thread + found):
            found += 1
        expected.append(found)
    assert len(set(expected)) > 3
    np.testing.assert_array_equal(out, np.tile(expected, THREADS // GROUP))


def test_loop_without_an_end_that_nobody_enters(kernels):
    ints = np.random.default_rng(3).integers(-300, 300, THREADS).astype(np.int32)
    out = np.zeros(THREADS, np.int32)
    run(kernels, "endless", ints, out, np.zeros(1, np.int32))
    np.testing.assert_array_equal(out, np.select([ints > 100, ints < -100], [1, 2]))


@pytest.mark.parametrize("group", [33, 64, 96])
def test_only_later_simdgroups(kernels, group):
    ints = np.random.default_rng(4).integers(1, 300, THREADS).astype(np.int32)
    out = np.zeros(THREADS, np.int32)
    run(kernels, "later_simdgroups", ints, out, group=group)
    thread = np.arange(THREADS) % group
    lane = thread % 32
    expected = np.where(lane < thread, np.maximum(lane, 5) * ints, 0)
    np.testing.assert_array_equal(out, expected)


def test_high_halves_of_products(kernels):
    rng = np.random.default_rng(5)
    a, b = rng.integers(-32768, 32768, (2, THREADS)).astype(np.int16)
    out, unsigned = np.zeros(THREADS, np.int64), np.zeros(THREADS, np.uint64)
    run(kernels, "high_products", a, b, out, unsigned)
    a, b = a.astype(np.int64), b.astype(np.int64)
    high = (a * b >> 16).astype(np.int16).astype(np.int64)
    expected = (a * high >> 16).astype(np.int16).astype(np.int64) * 31
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(unsigned, (a * b).astype(np.uint64) >> np.uint64(16))


@pytest.mark.parametrize("group", [64, 33])
def test_what_a_loop_leaves_over_a_barrier(kernels, group):
    ints = np.random.default_rng(4).integers(0, 12, THREADS).astype(np.int32)
    out = np.zeros(THREADS, np.float32)
    run(kernels, "left_over_barrier", ints, out, group=group)
    np.testing.assert_array_equal(out, np.where(ints & 7, 3, 0.5))
