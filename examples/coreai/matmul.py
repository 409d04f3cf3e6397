"""Matrix products: naive and tiled, guards for loads and stores, reversed axes.

For torch x (M, K) and y (K, N) the body sees A with extents [K, M], B [N, K] and
C [N, M]; the grid counts N first; result_shapes stays in torch's order.
"""

import numpy as np
import torch
from coreai_torch import MetalParameter, TorchMetalKernel
from harness import convert, dispatch, run

TILE = 16

NAIVE = """
    const uint K = A.get_extent(0);
    const uint M = A.get_extent(1);
    const uint N = B.get_extent(0);
    if (gid.x >= N || gid.y >= M) return;
    TYPE sum = ZERO;
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
    threadgroup TYPE left[TILE][TILE];
    threadgroup TYPE right[TILE][TILE];
    TYPE sum = ZERO;
    for (uint start = 0; start < K; start += TILE) {
        const uint a_k = start + tid.x, a_m = tgid.y * TILE + tid.y;
        left[tid.y][tid.x] = (a_k < K && a_m < M) ? A[a_k, a_m] : ZERO;
        const uint b_n = tgid.x * TILE + tid.x, b_k = start + tid.y;
        right[tid.y][tid.x] = (b_n < N && b_k < K) ? B[b_n, b_k] : ZERO;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint k = 0; k < TILE; ++k) {
            sum += left[tid.y][k] * right[k][tid.x];
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (gid.x < N && gid.y < M) {
        C[gid.x, gid.y] = sum;
    }
"""


def torch_matmul(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.matmul(x, y)


def make_kernel(name, body, zero):
    return TorchMetalKernel(
        name,
        ["A", "B"],
        ["C"],
        body.replace("ZERO", zero),
        torch_matmul,
        [
            MetalParameter("gid", "uint2", "thread_position_in_grid"),
            MetalParameter("tid", "uint2", "thread_position_in_threadgroup"),
            MetalParameter("tgid", "uint2", "threadgroup_position_in_grid"),
        ],
        template_dtypes={"A": "TYPE"},
    )


class Matmul(torch.nn.Module):
    def __init__(self, kernel):
        super().__init__()
        self.kernel = kernel

    def forward(self, x, y):
        m, n = x.shape[0], y.shape[1]
        grid = ((n + TILE - 1) // TILE * TILE, (m + TILE - 1) // TILE * TILE, 1)
        return self.kernel(x, y, **dispatch(grid, (TILE, TILE, 1), [m, n]))


def make_inputs(dtype, m, k, n):
    if dtype.is_floating_point:
        return torch.randn(m, k).to(dtype), torch.randn(k, n).to(dtype)
    return (
        torch.randint(-3, 4, (m, k), dtype=dtype),
        torch.randint(-3, 4, (k, n), dtype=dtype),
    )


torch.manual_seed(0)
for dtype, zero in (
    (torch.float32, "0.0f"),
    (torch.float16, "0.0f"),
    (torch.bfloat16, "bfloat(0.0f)"),
    (torch.int8, "0"),
    (torch.int16, "0"),
    (torch.int32, "0"),
):
    for name, body in (("naive", NAIVE), ("tiled", TILED)):
        suffix = str(dtype).removeprefix("torch.")
        kernel = make_kernel(f"{name}_{suffix}", body, zero)
        # Sizes that are no multiples of a tile find what multiples hide.
        sizes = [(19, 33, 5), (16, 16, 16), (2, 7, 40)]
        inputs = [make_inputs(dtype, *size) for size in sizes]
        dims = {axis: torch.export.Dim(axis, min=1, max=64) for axis in "mkn"}
        program = convert(
            Matmul(kernel),
            inputs[0],
            [kernel],
            {"x": {0: dims["m"], 1: dims["k"]}, "y": {0: dims["k"], 1: dims["n"]}},
        )
        for (x, y), (result,) in zip(inputs, run(program, *inputs), strict=True):
            expected = (x.double() @ y.double()).numpy()
            tolerance = {"float32": 1e-4, "float16": 5e-2, "bfloat16": 5e-1}
            np.testing.assert_allclose(
                result.astype(np.float64), expected, atol=tolerance.get(suffix, 0)
            )
    print(f"{dtype}: right")
