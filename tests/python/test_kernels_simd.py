"""simd_* and quad_* functions, interpreted, against NumPy."""

import interpreter
import numpy as np
import pytest

TYPES = {
    "int": np.int32, "uint": np.uint32, "float": np.float32,
    "half": np.float16, "short": np.int16, "uchar": np.uint8,
}  # fmt: skip


def shuffles(x):
    """Rows 8 to 17 for one full simdgroup."""
    i = np.arange(32)
    rows = [
        np.full(32, x[3]), np.full(32, x[0]), x[i * 7 % 32], x[i ^ 5],
        np.where(i >= 2, x[i - 2], x), np.where(i < 30, x[(i + 2) % 32], x),
        x[(i - 3) % 32], x[(i + 3) % 32],
        np.where(i >= 4, x[i - 4], 1), np.where(i < 28, x[(i + 4) % 32], 1),
    ]  # fmt: skip
    return rows


def quads(x):
    groups = x.reshape(-1, 4)
    sums = groups.sum(axis=1, dtype=x.dtype)
    before = np.cumsum(groups, axis=1, dtype=x.dtype) - groups
    return [
        np.repeat(sums, 4), np.repeat(groups.max(axis=1), 4),
        np.repeat(groups[:, 2], 4), groups[:, [1, 0, 3, 2]].reshape(-1),
        before.reshape(-1),
    ]  # fmt: skip


@pytest.mark.parametrize("name", TYPES)
def test_full_simdgroups(name):
    dtype = TYPES[name]
    # Products of 32 small values stay exact in every type.
    values = np.random.default_rng(2).choice([1, 1, 1, 1, 1, 2], 64).astype(dtype)
    out = np.zeros((23, 64), dtype)
    interpreter.source("simd").run(
        f"reductions_{name}", values, out, threads=64, group=64
    )
    for first in (0, 32):
        x = values[first : first + 32]
        with np.errstate(over="ignore"):
            sums = np.cumsum(x, dtype=dtype)
            products = np.cumprod(x, dtype=dtype)
        one = np.ones(1, dtype)
        expected = [
            np.full(32, sums[-1]), np.full(32, products[-1]),
            np.full(32, x.min()), np.full(32, x.max()),
            sums, sums - x, products, np.concatenate([one, products[:-1]]),
            *shuffles(x), *quads(x),
        ]  # fmt: skip
        for row, want in enumerate(expected):
            got = out[row, first : first + 32]
            np.testing.assert_array_equal(got, want, err_msg=f"row {row}")


def test_bitwise_and_votes_of_a_partial_simdgroup():
    values = np.array([7, 3, 21, 5, 15, 6], np.uint32)
    out = np.zeros((7, 6), np.uint32)
    interpreter.source("simd").run("bitwise", values, out, threads=6, group=6)
    every = [7 & 3 & 21 & 5 & 15 & 6, 31, 7 ^ 3 ^ 21 ^ 5 ^ 15 ^ 6, 0b011111]
    for row, want in zip(out, every, strict=False):
        assert row.tolist() == [want] * 6
    # simd_all counts the lanes that are active.
    assert out[4].tolist() == [1] * 6
    assert out[5].tolist() == [1] * 6
    assert out[6].tolist() == [1, 0, 0, 0, 0, 0]


def test_divergent_branches():
    values = np.random.default_rng(9).integers(0, 50, 40).astype(np.int32)
    out = np.zeros(40, np.int32)
    interpreter.source("simd").run("divergent", values, out, threads=40, group=40)
    for first, last in ((0, 32), (32, 40)):
        x = [int(v) for v in values[first:last]]
        sums = sum(v for v in x if v % 2 == 0)
        largest = max((v for v in x if v % 2 and v % 3 == 0), default=0)
        others = next((v for v in x if v % 2 and v % 3), 0)
        for lane, v in enumerate(x):
            want = sums if v % 2 == 0 else largest if v % 3 == 0 else 1000 + others
            for k in range(lane % 4):
                want += sum(1 for other in range(len(x)) if other % 4 > k)
            assert out[first + lane] == want


def test_vectors():
    values = np.arange(128, dtype=np.float32).reshape(32, 4)
    out = np.zeros((2, 32, 4), np.float32)
    interpreter.source("simd").run("vectors", values, out, threads=32, group=32)
    assert (out[0] == values.sum(axis=0)).all()
    assert (out[1] == values[np.arange(32) ^ 1]).all()


def test_matrix_multiply():
    rng = np.random.default_rng(4)
    a, b = rng.integers(-5, 6, (2, 8, 8)).astype(np.float32)
    out = np.zeros((8, 8), np.float32)
    interpreter.source("simd").run("matrix", a, b, out, threads=32, group=32)
    np.testing.assert_array_equal(out, a @ b.T + 1)
