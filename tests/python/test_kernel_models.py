"""Models with kernels through an .aimodel, equal to PyTorch."""

import ml_dtypes  # noqa: F401 - NumPy arrays of bfloat16
import numpy as np
import pytest
import torch
from models import GID, Binary, Unary, call, convert, load, make_add, make_silu

from bessemer.errors import KernelFault
from bessemer.runtime import NDArray
from bessemer.torch import MetalParameter, TorchMetalKernel

TID2 = MetalParameter("tid", "uint2", "thread_position_in_threadgroup")
TGID2 = MetalParameter("tgid", "uint2", "threadgroup_position_in_grid")

TOLERANCES = {
    torch.float32: {"rtol": 1e-5, "atol": 1e-6},
    torch.float16: {"rtol": 1e-3, "atol": 1e-4},
    torch.bfloat16: {"rtol": 1e-2, "atol": 1e-3},
}
SIZES = [1, 31, 33, 4096, 4097, 100_003]


def generator():
    return torch.Generator().manual_seed(20)


@pytest.mark.parametrize("dtype", TOLERANCES, ids=str)
def test_silu_at_many_sizes(dtype, tmp_path):
    kernel = make_silu()
    sizes = {"x": {0: torch.export.Dim("n", min=1, max=1 << 24)}}
    example = torch.zeros(64, dtype=dtype)
    function = load(convert(Unary(kernel), (example,), [kernel], sizes), tmp_path)
    assert function.desc.input_descriptor("x").shape == [-1]
    for n in SIZES:
        x = torch.randn(n, generator=generator()).to(dtype)
        (y,) = call(function, x)
        expected = (x.double() * torch.sigmoid(x.double())).to(dtype)
        torch.testing.assert_close(y, expected, **TOLERANCES[dtype])


@pytest.mark.parametrize("n", SIZES)
def test_silu_of_a_fixed_size(n, tmp_path):
    kernel = make_silu()
    x = torch.randn(n, generator=generator())
    function = load(convert(Unary(kernel), (x,), [kernel]), tmp_path)
    (y,) = call(function, x)
    torch.testing.assert_close(y, x * torch.sigmoid(x), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.int32])
def test_vector_add(dtype, tmp_path):
    kernel = make_add()
    x, y = torch.arange(1000).to(dtype), torch.arange(1000).flip(0).to(dtype)
    function = load(convert(Binary(kernel), (x, y), [kernel]), tmp_path)
    (z,) = call(function, x, y)
    assert torch.equal(z, x + y)


def test_scalars_are_literals_and_sizes_are_values(tmp_path):
    def affine(x: torch.Tensor, c: float, n: int, b: bool) -> torch.Tensor:
        return x * c + n if b else x.clone()

    kernel = TorchMetalKernel(
        "affine",
        ["x", "c", "n", "b"],
        ["y"],
        "if (id < x.get_extent(0)) y[id] = b ? x[id] * c + float(n) : x[id];",
        affine,
        [MetalParameter("id", "uint", "thread_position_in_grid")],
    )

    class Affine(torch.nn.Module):
        def forward(self, x):
            return kernel(
                x,
                2.5,
                x.shape[0],
                True,
                threads_per_grid=(x.shape[0], 1, 1),
                threads_per_thread_group=(32, 1, 1),
                result_shapes=[list(x.shape)],
            )

    sizes = {"x": {0: torch.export.Dim("n", min=2, max=1000)}}
    function = load(convert(Affine(), (torch.zeros(8),), [kernel], sizes), tmp_path)
    for n in (5, 300):
        x = torch.arange(float(n))
        assert torch.equal(call(function, x)[0], x * 2.5 + n)


NAIVE = """
    const uint K = A.get_extent(0);
    const uint M = A.get_extent(1);
    const uint N = B.get_extent(0);
    if (gid.x >= N || gid.y >= M) return;
    TYPE sum = TYPE(0);
    for (uint k = 0; k < K; ++k) {
        sum += A[k, gid.y] * B[gid.x, k];
    }
    C[gid.x, gid.y] = sum;
"""
TILED = """
    const uint TILE = 16;
    const uint K = A.get_extent(0);
    const uint M = A.get_extent(1);
    const uint N = B.get_extent(0);
    threadgroup TYPE tileA[TILE][TILE];
    threadgroup TYPE tileB[TILE][TILE];
    TYPE accum = TYPE(0);
    const uint numTiles = (K + TILE - 1) / TILE;
    for (uint t = 0; t < numTiles; ++t) {
        const uint a_k = t * TILE + tid.x;
        const uint a_m = tgid.y * TILE + tid.y;
        tileA[tid.y][tid.x] = (a_k < K && a_m < M) ? A[a_k, a_m] : TYPE(0);
        const uint b_n = tgid.x * TILE + tid.x;
        const uint b_k = t * TILE + tid.y;
        tileB[tid.y][tid.x] = (b_n < N && b_k < K) ? B[b_n, b_k] : TYPE(0);
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint kk = 0; kk < TILE; ++kk) {
            accum += tileA[tid.y][kk] * tileB[kk][tid.x];
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (gid.x < N && gid.y < M) {
        C[gid.x, gid.y] = accum;
    }
"""


class Matmul(torch.nn.Module):
    """A matrix product by a kernel; the grid is rounded up to whole tiles."""

    def __init__(self, src):
        super().__init__()

        def matmul(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return x @ y

        self.kernel = TorchMetalKernel(
            "matmul",
            ["A", "B"],
            ["C"],
            src,
            matmul,
            [GID, TID2, TGID2],
            template_dtypes={"A": "TYPE"},
        )

    def forward(self, x, y):
        m, n = x.shape[0], y.shape[1]
        return self.kernel(
            x,
            y,
            threads_per_grid=((n + 15) // 16 * 16, (m + 15) // 16 * 16, 1),
            threads_per_thread_group=(16, 16, 1),
            result_shapes=[[m, n]],
        )


@pytest.mark.parametrize("src", [NAIVE, TILED], ids=["naive", "tiled"])
@pytest.mark.parametrize(
    "m, k, n", [(1, 1, 1), (17, 33, 5), (50, 19, 70), (16, 16, 16)]
)
def test_matmul(src, m, k, n, tmp_path):
    model = Matmul(src)
    x = torch.randn(m, k, generator=generator())
    y = torch.randn(k, n, generator=generator())
    function = load(convert(model, (x, y), [model.kernel]), tmp_path)
    torch.testing.assert_close(call(function, x, y)[0], x @ y, rtol=1e-4, atol=1e-5)


def test_matmul_of_integers(tmp_path):
    model = Matmul(NAIVE)
    x = torch.arange(15, dtype=torch.int32).reshape(3, 5)
    y = torch.arange(20, dtype=torch.int32).reshape(5, 4) - 7
    function = load(convert(model, (x, y), [model.kernel]), tmp_path)
    assert torch.equal(call(function, x, y)[0], x @ y)


def test_transposition(tmp_path):
    def transpose(x: torch.Tensor) -> torch.Tensor:
        return x.t().contiguous()

    kernel = TorchMetalKernel(
        "transpose",
        ["x"],
        ["y"],
        "y[gid.y, gid.x] = x[gid.x, gid.y];",
        transpose,
        [GID],
    )

    class Transpose(torch.nn.Module):
        def forward(self, x):
            m, n = x.shape
            return kernel(
                x,
                threads_per_grid=(n, m, 1),
                threads_per_thread_group=(8, 8, 1),
                result_shapes=[[n, m]],
            )

    x = torch.randn(37, 53, generator=generator())
    function = load(convert(Transpose(), (x,), [kernel]), tmp_path)
    assert torch.equal(call(function, x)[0], x.t())


def test_axis_probe(tmp_path):
    """Tensor axes are reversed: out[a, b] lands at numpy[b, a]."""

    def zeros(z: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(z)

    probe = TorchMetalKernel(
        "probe_dispatch",
        ["z"],
        ["out"],
        """
    if (tid.x != 0 || tid.y != 0) { return; }
    if (tgid.x >= out.get_extent(0) || tgid.y >= out.get_extent(1)) { return; }
    out[tgid.x, tgid.y] = float(100 + 10 * tgid.x + tgid.y);
""",
        zeros,
        [TID2, TGID2],
    )

    class Probe(torch.nn.Module):
        def forward(self, z):
            return probe(
                z,
                threads_per_grid=(8, 4, 1),
                threads_per_thread_group=(1, 1, 1),
                result_shapes=[list(z.shape)],
            )

    z = torch.zeros(4, 8)
    function = load(convert(Probe(), (z,), [probe]), tmp_path)
    (out,) = function.run({"z": NDArray(z)}).values()
    b, a = np.indices((4, 8))
    np.testing.assert_array_equal(out.numpy(), 100 + 10 * a + b)


def test_several_results_and_shared_helper(tmp_path):
    def sincos(x: torch.Tensor) -> list[torch.Tensor]:
        return [torch.sin(x), torch.cos(x)]

    def negate(x: torch.Tensor) -> torch.Tensor:
        return -x

    parameter = MetalParameter("id", "uint", "thread_position_in_grid")
    helper = "inline float identity(float v) { return v; }"
    pair = TorchMetalKernel(
        "sincos",
        ["x"],
        ["out_sin", "out_cos"],
        "out_sin[id] = sin(identity(x[id])); out_cos[id] = cos(x[id]);",
        sincos,
        [parameter],
        helper,
    )
    other = TorchMetalKernel(
        "negate", ["x"], ["y"], "y[id] = -identity(x[id]);", negate, [parameter], helper
    )

    class Model(torch.nn.Module):
        def forward(self, x):
            dispatch = {
                "threads_per_grid": (x.shape[0], 1, 1),
                "threads_per_thread_group": (1, 1, 1),
            }
            s, c = pair(x, result_shapes=[list(x.shape)] * 2, **dispatch)
            return other(s, result_shapes=[list(x.shape)], **dispatch), c + 1

    x = torch.linspace(-3, 3, 101)
    function = load(convert(Model(), (x,), [pair, other]), tmp_path)
    minus_sin, cos_plus = call(function, x)
    torch.testing.assert_close(minus_sin, -torch.sin(x), rtol=1e-5, atol=1e-6)
    torch.testing.assert_close(cos_plus, torch.cos(x) + 1, rtol=1e-5, atol=1e-6)


def test_index_out_of_range_is_a_fault(tmp_path):
    def copy(x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    kernel = TorchMetalKernel(
        "beyond",
        ["x"],
        ["y"],
        "y[id] = x[id + 1000];",
        copy,
        [MetalParameter("id", "uint", "thread_position_in_grid")],
    )
    x = torch.zeros(64)
    function = load(convert(Unary(kernel), (x,), [kernel]), tmp_path)
    with pytest.raises(
        KernelFault,
        match=r"test_kernel_models\.py:\d+: kernel 'beyond': index 1000 of tensor 'x' "
        r"is out of range.*x\[id \+ 1000\]",
    ):
        call(function, x)


def test_too_large_a_threadgroup_names_the_limit(tmp_path):
    kernel = make_silu()

    class Large(torch.nn.Module):
        def forward(self, x):
            return kernel(
                x,
                threads_per_grid=(x.shape[0], 1, 1),
                threads_per_thread_group=(2048, 1, 1),
                result_shapes=[list(x.shape)],
            )

    x = torch.zeros(64)
    program = convert(Large(), (x,), [kernel])
    with pytest.raises(ValueError, match=r"2048 threads; at most 1024"):
        call(load(program, tmp_path), x)


def test_kernel_between_linear_layers(tmp_path):
    torch.manual_seed(0)
    kernel = make_silu()

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = torch.nn.Linear(32, 64)
            self.second = torch.nn.Linear(64, 10)

        def forward(self, x):
            h = self.first(x)
            flat = h.reshape(-1)
            y = kernel(
                flat,
                threads_per_grid=(flat.shape[0], 1, 1),
                threads_per_thread_group=(64, 1, 1),
                result_shapes=[[flat.shape[0]]],
            )
            return self.second(y.reshape(h.shape))

    model = Model().eval()
    sizes = {"x": {0: torch.export.Dim("batch", min=2, max=512)}}
    function = load(convert(model, (torch.zeros(8, 32),), [kernel], sizes), tmp_path)
    for batch in (2, 7, 130):
        x = torch.randn(batch, 32, generator=generator())
        with torch.no_grad():
            expected = model(x)
        torch.testing.assert_close(call(function, x)[0], expected, rtol=1e-4, atol=1e-5)
