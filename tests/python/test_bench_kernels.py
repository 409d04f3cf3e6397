"""Every kernel of bench/kernels, at sizes the interpreter reaches: compiled
code against the interpreter, and both against NumPy in float64."""

from functools import cache
from pathlib import Path

import interpreter
import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "bench" / "kernels"
SEED = 2026


@cache
def source(name: str) -> interpreter.Source:
    # Without contraction and reassociation both round alike.
    return interpreter.Source(FOLDER / f"{name}.metal", "--math=safe")


def random(*shape, dtype=np.float32) -> np.ndarray:
    return np.random.default_rng(SEED).uniform(-1, 1, shape).astype(dtype)


def u32(value: int) -> np.ndarray:
    return np.array([value], np.uint32)


def wide(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float64)


def check(
    name, kernel, inputs, result, want, *, index, rtol=1e-5, atol=2e-6, ulps=8, **launch
):
    """Launches `kernel`, whose buffer `index` is the result; `ulps`: what the
    compiled math functions may make of it."""
    arguments = [*inputs[:index], result, *inputs[index:]]
    source(name).compare(kernel, *arguments, ulps={index: ulps}, **launch)
    source(name).run(kernel, *arguments, **launch)
    np.testing.assert_allclose(wide(result), want, rtol=rtol, atol=atol)


def test_vadd():
    a, b = random(2, 1000)
    check("vadd", "vadd", [a, b], np.zeros_like(a), wide(a) + b, index=2,
          threads=1000, group=256)  # fmt: skip


@pytest.mark.parametrize(
    ("kernel", "dtype", "rtol"),
    [("silu_f32", np.float32, 1e-5), ("silu_f16", np.float16, 1e-3)],
)
def test_silu(kernel, dtype, rtol):
    a, b = 4 * random(2, 1000, dtype=dtype)
    want = wide(a) / (1 + np.exp(-wide(a))) * b
    check("silu", kernel, [a, b], np.zeros_like(a), want, index=2, rtol=rtol,
          atol=rtol / 10, threads=1000, group=256)  # fmt: skip


def test_softmax():
    x = 4 * random(3, 1000)
    powers = np.exp(wide(x))
    want = powers / powers.sum(axis=1, keepdims=True)
    check("softmax", "softmax", [x, u32(1000)], np.zeros_like(x), want, index=1,
          threads=3 * 256, group=256)  # fmt: skip


def test_rmsnorm():
    x, weight = random(3, 1000), random(1000)
    want = wide(x) / np.sqrt((wide(x) ** 2).mean(axis=1, keepdims=True) + 1e-5)
    check("rmsnorm", "rmsnorm", [x, weight, u32(1000)], np.zeros_like(x),
          want * weight, index=2, threads=3 * 256, group=256)  # fmt: skip


@pytest.mark.parametrize(
    ("kernel", "group"),
    [
        ("matmul_naive", (16, 16)),
        ("matmul_int", (32, 4)),
        ("matmul_tiled", (16, 16)),
        ("matmul_tiled32", (32, 32)),
    ],
)
def test_matmul(kernel, group):
    a, b = random(2, 64, 64)
    check("matmul", kernel, [a, b, u32(64)], np.zeros_like(a), wide(a) @ wide(b),
          index=2, atol=2e-5, threads=(64, 64), group=group)  # fmt: skip


def test_simdgroup_matmul():
    a, b = random(2, 64, 64)
    check("simdgroup_matmul", "simdgroup_matmul", [a, b, u32(64)], np.zeros_like(a),
          wide(a) @ wide(b), index=2, atol=2e-5, threads=(64, 4), group=(32, 1))  # fmt: skip


def test_reduce():
    x = random(3, 4096)
    check("reduce", "reduce", [x], np.zeros(3, np.float32), wide(x).sum(axis=1),
          index=1, atol=1e-4, threads=3 * 256, group=256)  # fmt: skip


def test_quantised_matvec():
    rows = 5
    weights = np.random.default_rng(SEED).integers(0, 2**32, (rows, 512), np.uint32)
    scales, x = random(rows, 128, dtype=np.float16), random(4096)
    codes = (weights[..., None] >> (4 * np.arange(8, dtype=np.uint32))) & 15
    values = (codes.astype(np.float64) - 8).reshape(rows, 128, 32)
    want = (values * wide(scales)[..., None]).reshape(rows, 4096) @ wide(x)
    check("quantised_matvec", "quantised_matvec", [weights, scales, x],
          np.zeros(rows, np.float32), want, index=3, atol=1e-3,
          threads=rows * 64, group=64)  # fmt: skip


def test_xor_shuffle_ballot():
    # Sums of multiples of 1/64 are exact, so that no vote is on the edge.
    x = np.round(random(1024) * 64).astype(np.float32) / 64
    rows = x.reshape(-1, 32)
    sums = rows.sum(axis=1, keepdims=True)
    want = rows - sums + (rows > sums / 32).sum(axis=1, keepdims=True)
    check("simdgroups", "xor_shuffle_ballot", [x], np.zeros_like(x),
          want.reshape(-1), index=1, threads=1024, group=256)  # fmt: skip


def test_dynamic_loop():
    count = 300
    x = random(count * 32)
    counts = np.random.default_rng(SEED).integers(0, 2**32, count, np.uint32)
    rows, lengths = wide(x).reshape(count, 32), counts % 32
    want = [row[:length].sum() for row, length in zip(rows, lengths, strict=True)]
    check("dynamic_loop", "dynamic_loop", [x, counts], np.zeros(count, np.float32),
          want, index=2, atol=1e-5, threads=count, group=64)  # fmt: skip


def test_mandelbrot():
    out = np.full((2, 1024), -1, np.float32)
    source("mandelbrot").compare("mandelbrot", out, threads=(1024, 2), group=(16, 2))
    source("mandelbrot").run("mandelbrot", out, threads=(1024, 2), group=(16, 2))
    step = np.float64(np.float32(3 / 1024))
    c = (-2 + np.arange(1024) * step) + 1j * (-1.5 + np.arange(2)[:, None] * step)
    z, steps = np.zeros_like(c), np.zeros(c.shape)
    for _ in range(256):
        inside = z.real**2 + z.imag**2 < 4
        z[inside] = z[inside] ** 2 + c[inside]
        steps += inside
    # Rounding decides on a few pixels at the edge of the set.
    assert (out != steps).mean() < 0.002


def test_flash_attention():
    heads, length, width = 2, 64, 64
    q, k, v = 2 * random(3, heads, length, width)
    v = abs(v)  # No cancellation, so that a difference in exp stays small.
    scores = np.exp(wide(q) @ wide(k).transpose(0, 2, 1) / 8)
    want = scores / scores.sum(axis=2, keepdims=True) @ wide(v)
    check("flash_attention", "flash_attention", [q, k, v, u32(length)],
          np.zeros_like(q), want, index=3, atol=1e-5, ulps=64,
          threads=(length, heads), group=(64, 1))  # fmt: skip
