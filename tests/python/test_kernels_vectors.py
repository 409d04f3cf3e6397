"""Vectors, packed vectors and matrices, interpreted, against NumPy."""

import interpreter
import numpy as np


def run(kernel, *arguments, **keywords):
    interpreter.source("vectors", "--math=safe").run(kernel, *arguments, **keywords)


def test_swizzles():
    v = np.array([[1, 2, 3, 4], [-1.5, 0, 7, -8]], np.float32)
    out = np.zeros((8, 2, 4), np.float32)
    run("swizzles", v, out, threads=2, group=2)
    x, y, z, w = v.T
    one = np.ones(2)
    expected = [
        [w, z, y, x], [x, y, x, y], [y, one, x, one + z],
        [y, 2 * one, 2 * x, 2 * (one + z)],
        [3 * x, 3 * y, 3 * z, 1 + 2 * w],
        list(np.where(v > 0, -v, v).T), list((np.trunc(v) / 2).T),
        [v.sum(axis=1)] * 4,
    ]  # fmt: skip
    for row, want in zip(out, expected, strict=True):
        np.testing.assert_array_equal(row.T, np.array(want))


def test_packed_vectors():
    v = np.array([[1, 2, 3], [40, 50, 60]], np.float32)
    halves, padded = np.zeros((2, 3), np.float16), np.zeros((2, 4), np.float32)
    octets = np.zeros((2, 4), np.uint8)
    run("packed", v, halves, padded, octets, threads=2, group=2)
    np.testing.assert_array_equal(halves, v / 2)
    np.testing.assert_array_equal(padded[:, :3], v[:, ::-1])
    assert octets.tolist() == [[1, 3, 3, 255], [40, 51, 60, 255]]


def test_geometry():
    rng = np.random.default_rng(6)
    a, b = rng.uniform(-2, 2, (2, 5, 3)).astype(np.float32)
    wide_a, wide_b = np.zeros((2, 5, 4), np.float32)
    wide_a[:, :3], wide_b[:, :3] = a, b
    out = np.zeros((5, 12), np.float32)
    run("geometry", wide_a, wide_b, out, threads=5, group=5)
    x, y = a.astype(np.float64), b.astype(np.float64)
    length = np.linalg.norm(x, axis=1)
    unit = x / length[:, None]
    mirrored = x - 2 * (unit * x).sum(axis=1)[:, None] * unit
    gap = x - y
    expected = np.column_stack(
        [
            (x * y).sum(axis=1),
            length,
            np.linalg.norm(gap, axis=1),
            length**2,
            np.cross(x, y),
            unit,
            (gap**2).sum(axis=1),
            (mirrored * y).sum(axis=1),
        ]  # fmt: skip
    )
    np.testing.assert_allclose(out, expected, rtol=3e-6, atol=2e-6)


def test_matrices():
    values = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9], np.float32)
    out = np.zeros(13, np.float32)
    run("matrices", values, out, threads=1, group=1)
    m = values[:6].reshape(3, 2).T  # Columns of two.
    square = m @ m.T
    expected = [
        *(m @ values[6:]), *(values[:2] @ m), *square.T.reshape(-1),
        square[0, 0] * square[1, 1] - square[0, 1] * square[1, 0], 2, 0, 20,
    ]  # fmt: skip
    np.testing.assert_array_equal(out, np.array(expected, np.float32))


def test_integer_vectors():
    rng = np.random.default_rng(8)
    x, y = rng.integers(-1000, 1000, (2, 3, 4)).astype(np.int32)
    y[1, 2] = x[1, 2]
    out = np.zeros((7, 3, 4), np.int32)
    run("integer_vectors", x, y, out, threads=3, group=3)
    bits = [[bin(int(p) & 0xFFFFFFFF).count("1") for p in row] for row in x]
    zeros = [[32 - (int(q) & 0xFFFFFFFF).bit_length() for q in row] for row in y]
    equal = (x == y).any(axis=1)
    expected = [
        x * y - (x >> 2), np.minimum(x, y), x < y,
        np.array(bits) + np.array(zeros), np.abs(x) % 7,
        (x & 0xFF) | (y << 8), np.where(equal[:, None], 1, np.arange(4)),
    ]  # fmt: skip
    for row, want in zip(out, expected, strict=True):
        np.testing.assert_array_equal(row, want)


def quantise(values, scale, low):
    clamped = np.clip(np.nan_to_num(values), low, 1)
    return np.rint(clamped.astype(np.float64) * scale).astype(np.int64)


def test_packing():
    v = np.array([[0, 0.25, 0.5, 1], [-1, 2, -0.3, 0.7]], np.float32)
    words, back = np.zeros((2, 4), np.uint32), np.zeros((4, 4), np.float32)
    run("packing", v, words, back, threads=2, group=2)
    for i in range(2):
        u8, s8 = quantise(v[i], 255, 0), quantise(v[i], 127, -1)
        u16, s16 = quantise(v[i, :2], 65535, 0), quantise(v[i, :2], 32767, -1)
        expected = [
            sum((int(q) & 0xFF) << 8 * k for k, q in enumerate(u8)),
            sum((int(q) & 0xFF) << 8 * k for k, q in enumerate(s8)),
            sum((int(q) & 0xFFFF) << 16 * k for k, q in enumerate(u16)),
            sum((int(q) & 0xFFFF) << 16 * k for k, q in enumerate(s16)),
        ]
        assert words[i].tolist() == expected
        np.testing.assert_allclose(back[2 * i], u8 / 255, rtol=2e-7)
        np.testing.assert_allclose(back[2 * i + 1], s8 / 127, rtol=2e-7)
