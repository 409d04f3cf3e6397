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
    limit: float  # what the ratio is meant to stay below
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


def product(name: str, kernel: str, prepare, limit=1.25) -> Case:
    file = "matmul.metal" if kernel.startswith("matmul") else f"{kernel}.metal"
    return Case(name, file, kernel, prepare, limit, 1e-4, 1e-4)


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


def rowwise(peer_name: str, weighted: bool, rows=4096, columns=4096):
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


def matmul(n: int, tile: int, number=np.uint32):
    def prepare(kernel, peers):
        a, b = random((n, n)), random((n, n), scale=0.5)
        mine, theirs = np.empty_like(a), np.empty_like(a)
        return (
            lambda: kernel(
                a, b, mine, number(n), threads=(n, n), group_size=(tile, tile)
            ),
            native(peers.matmul, a, b, theirs, n),
            (mine, theirs),
        )

    return prepare


def simdgroup_matmul(kernel, peers):
    n = 512
    a, b = random((n, n)), random((n, n), scale=0.5)
    mine, theirs = np.empty_like(a), np.empty_like(a)
    return (
        lambda: kernel(
            a, b, mine, np.uint32(n), groups=(n // 32, n // 16), group_size=32
        ),
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


def quantised_matvec(kernel, peers):
    rows = 4096
    generator = np.random.default_rng(SEED)
    weights = generator.integers(0, 2**32, (rows, 512), np.uint32)
    scales, x = random((rows, 128), np.float16), random(4096)
    mine, theirs = np.empty(rows, np.float32), np.empty(rows, np.float32)
    return (
        lambda: kernel(weights, scales, x, mine, groups=rows, group_size=64),
        native(peers.quantised_matvec, weights, scales, x, theirs, rows),
        (mine, theirs),
    )


def flash_attention(kernel, peers):
    heads, length = 4, 1024
    inputs = [random((heads, length, 64), scale=2) for _ in range(3)]
    mine, theirs = np.empty_like(inputs[0]), np.empty_like(inputs[0])
    return (
        lambda: kernel(
            *inputs,
            mine,
            np.uint32(length),
            groups=(length // 64, heads),
            group_size=64,
        ),
        native(peers.flash_attention, *inputs, theirs, heads, length),
        (mine, theirs),
    )


def dynamic_loop(kernel, peers):
    count = 1 << 18
    values = random(count * 32)
    counts = np.random.default_rng(SEED).integers(0, 2**32, count, np.uint32)
    mine, theirs = np.empty(count, np.float32), np.empty(count, np.float32)
    return (
        lambda: kernel(values, counts, mine, threads=count, group_size=256),
        native(peers.dynamic_loop, values, counts, theirs, count),
        (mine, theirs),
    )


def xor_shuffle_ballot(kernel, peers):
    # Multiples of 1/64, whose sums are exact, so that no vote is on the edge.
    values = (np.round(random(ELEMENTS) * 64) / 64).astype(np.float32)
    mine, theirs = np.empty_like(values), np.empty_like(values)
    return (
        lambda: kernel(values, mine, threads=ELEMENTS, group_size=256),
        native(peers.xor_shuffle_ballot, values, theirs, ELEMENTS),
        (mine, theirs),
    )


CASES = [
    Case("vadd_f32_16M", "vadd.metal", "vadd", pointwise("vadd", np.float32), 1.1),
    Case(
        "silu_f32_16M",
        "silu.metal",
        "silu_f32",
        pointwise("silu_f32", np.float32),
        1.1,
    ),
    Case(
        "silu_f16_16M",
        "silu.metal",
        "silu_f16",
        pointwise("silu_f16", np.float16),
        1.1,
        rtol=2e-3,
    ),
    Case(
        "softmax_4096x4096", "softmax.metal", "softmax", rowwise("softmax", False), 1.1
    ),
    Case(
        "softmax_64x32768",
        "softmax.metal",
        "softmax",
        rowwise("softmax", False, 64, 32768),
        1.1,
    ),
    Case(
        "rmsnorm_4096x4096", "rmsnorm.metal", "rmsnorm", rowwise("rmsnorm", True), 1.1
    ),
    product("matmul_naive_512", "matmul_naive", matmul(512, 16)),
    product("matmul_int_512", "matmul_int", matmul(512, 16, np.int32)),
    product("matmul_tiled_512", "matmul_tiled", matmul(512, 16)),
    product("matmul_tiled_1024", "matmul_tiled", matmul(1024, 16)),
    product("matmul_tiled32_512", "matmul_tiled32", matmul(512, 32)),
    product("simdgroup_matmul_512", "simdgroup_matmul", simdgroup_matmul, 1.3),
    Case("reduce_16M", "reduce.metal", "reduce", reduction, 1.1, 1e-4, 1e-4),
    Case(
        "quantised_matvec_4096",
        "quantised_matvec.metal",
        "quantised_matvec",
        quantised_matvec,
        1.3,
        1e-3,
        1e-3,
    ),
    Case(
        "flash_attention_4x1024x64",
        "flash_attention.metal",
        "flash_attention",
        flash_attention,
        1.25,
        1e-3,
        1e-4,
    ),
    # Contraction differs at the border of the set.
    Case(
        "mandelbrot_1024",
        "mandelbrot.metal",
        "mandelbrot",
        mandelbrot,
        1.0,
        outliers=0.01,
    ),
    Case(
        "dynamic_loop_256K",
        "dynamic_loop.metal",
        "dynamic_loop",
        dynamic_loop,
        1.4,
        1e-4,
        1e-5,
    ),
    Case(
        "xor_shuffle_ballot_16M",
        "simdgroups.metal",
        "xor_shuffle_ballot",
        xor_shuffle_ballot,
        1.1,
    ),
]
