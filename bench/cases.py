"""The kernels of the bench: inputs, both calls, and how results compare."""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

SEED = 2026
ELEMENTS = 1 << 24


def random(shape, dtype=np.float32, scale=1.0) -> np.ndarray:
    generator = np.random.default_rng(SEED)
    return (generator.uniform(-scale, scale, shape)).astype(dtype)


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def native(function, *arguments) -> Callable[[], None]:
    """A call of a peer: arrays by address, numbers as size_t."""
    converted = [
        pointer(a) if isinstance(a, np.ndarray) else ctypes.c_size_t(a)
        for a in arguments
    ]
    return lambda: function(*converted)


@dataclass(frozen=True)
class Case:
    name: str
    file: str
    kernel: str
    prepare: Callable  # (kernel, peers) -> (ours, peer, (our result, peer's))
    rtol: float = 1e-5
    atol: float = 1e-6
    outliers: float = 0.0  # share of elements that may differ

    def check(self, ours: np.ndarray, peer: np.ndarray) -> None:
        close = np.isclose(
            ours.astype(np.float64), peer, rtol=self.rtol, atol=self.atol
        )
        wrong = 1 - close.mean()
        if wrong > self.outliers:
            raise SystemExit(f"{self.name}: {wrong:.2%} of the results differ")


def pointwise(peer_name: str, dtype):
    def prepare(kernel, peers):
        a, b = random(ELEMENTS, dtype, 4), random(ELEMENTS, dtype)
        mine, theirs = np.empty_like(a), np.empty_like(a)
        return (
            lambda: kernel(a, b, mine, threads=ELEMENTS, group_size=256),
            native(getattr(peers, peer_name), a, b, theirs, ELEMENTS),
            (mine, theirs),
        )

    return prepare


def rowwise(peer_name: str, weighted: bool):
    rows = columns = 4096

    def prepare(kernel, peers):
        inputs = [random((rows, columns))]
        if weighted:
            inputs.append(random(columns))
        mine, theirs = np.empty_like(inputs[0]), np.empty_like(inputs[0])
        return (
            lambda: kernel(
                *inputs, mine, np.uint32(columns), groups=rows, group_size=256
            ),
            native(getattr(peers, peer_name), *inputs, theirs, rows, columns),
            (mine, theirs),
        )

    return prepare


def matmul(kernel, peers):
    n = 512
    a, b = random((n, n)), random((n, n), scale=0.5)
    mine, theirs = np.empty_like(a), np.empty_like(a)
    return (
        lambda: kernel(a, b, mine, np.uint32(n), threads=(n, n), group_size=(16, 16)),
        native(peers.matmul, a, b, theirs, n),
        (mine, theirs),
    )


def reduction(kernel, peers):
    values = random(ELEMENTS)
    groups = ELEMENTS // 4096
    mine, theirs = np.empty(groups, np.float32), np.empty(groups, np.float32)
    return (
        lambda: kernel(values, mine, groups=groups, group_size=256),
        native(peers.reduce, values, theirs, groups),
        (mine, theirs),
    )


def mandelbrot(kernel, peers):
    mine = np.empty((1024, 1024), np.float32)
    theirs = np.empty_like(mine)
    return (
        lambda: kernel(mine, threads=(1024, 1024), group_size=(16, 16)),
        native(peers.mandelbrot, theirs),
        (mine, theirs),
    )


CASES = [
    Case("vadd_f32_16M", "vadd.metal", "vadd", pointwise("vadd", np.float32)),
    Case("silu_f32_16M", "silu.metal", "silu_f32", pointwise("silu_f32", np.float32)),
    Case(
        "silu_f16_16M",
        "silu.metal",
        "silu_f16",
        pointwise("silu_f16", np.float16),
        rtol=2e-3,
    ),
    Case("softmax_4096x4096", "softmax.metal", "softmax", rowwise("softmax", False)),
    Case("rmsnorm_4096x4096", "rmsnorm.metal", "rmsnorm", rowwise("rmsnorm", True)),
    Case("matmul_naive_512", "matmul.metal", "matmul_naive", matmul, 1e-4, 1e-4),
    Case("matmul_tiled_512", "matmul.metal", "matmul_tiled", matmul, 1e-4, 1e-4),
    Case("reduce_16M", "reduce.metal", "reduce", reduction, 1e-4, 1e-4),
    # Contraction differs at the border of the set.
    Case(
        "mandelbrot_1024", "mandelbrot.metal", "mandelbrot", mandelbrot, outliers=0.01
    ),
]
