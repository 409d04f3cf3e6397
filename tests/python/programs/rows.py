"""Kernels over the rows of a matrix: norms, softmax, scans, sorting, top k."""

from __future__ import annotations

import torch

from bessemer.torch import TorchMetalKernel
from programs.program import (
    FLOATS,
    LANE,
    ROW,
    SIMD,
    TID,
    Program,
    a_group_each,
)


def matrix(n, dtype, width=96):
    return {"x": torch.randn(n, width).to(dtype)}


def rms_norm_reference(x: torch.Tensor, w: torch.Tensor, eps: float) -> torch.Tensor:
    v = x.float()
    return (v * torch.rsqrt(v.square().mean(-1, keepdim=True) + eps) * w.float()).to(
        x.dtype
    )


rms_norm = TorchMetalKernel(
    "rms_norm",
    input_names=["x", "w", "eps"],
    result_names=["y"],
    src="""
    const uint D = x.get_extent(0);
    threadgroup float partial[32];
    float sum = 0.0f;
    for (uint i = tid; i < D; i += 64) {
        const float v = float(x[i, row]);
        sum = fma(v, v, sum);
    }
    sum = simd_sum(sum);
    if (lane == 0) partial[simd] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (simd == 0) {
        sum = simd_sum(lane < 2 ? partial[lane] : 0.0f);
        if (lane == 0) partial[0] = metal::precise::rsqrt(sum / float(D) + eps);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const float scale = partial[0];
    for (uint i = tid; i < D; i += 64)
        y[i, row] = TYPE(float(x[i, row]) * scale * float(w[i]));
    """,
    torch_defn=rms_norm_reference,
    metal_params=[ROW, TID, LANE, SIMD],
    template_dtypes={"x": "TYPE"},
)


class RMSNorm(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(96), requires_grad=False)

    def forward(self, x):
        return rms_norm(
            x,
            self.weight,
            1e-5,
            **a_group_each(x.shape[0], result_shapes=[list(x.shape)]),
        )


def layer_norm_reference(
    x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    v = x.float()
    mean = v.mean(-1)
    rstd = torch.rsqrt(v.var(-1, unbiased=False) + 1e-5)
    y = (v - mean[:, None]) * rstd[:, None] * gamma + beta
    return y.to(x.dtype), mean, rstd


layer_norm = TorchMetalKernel(
    "layer_norm",
    ["x", "gamma", "beta"],
    ["y", "mean", "rstd"],
    """
    const uint n = x.get_extent(0);
    threadgroup float2 shared[THREADS / 32];
    float2 acc = float2(0);
    for (uint i = tid; i < n; i += THREADS) {
        float v = x[i, row];
        acc += float2(v, v * v);
    }
    acc = reduce(acc, shared, simd, lane);
    const float m = acc.x / n;
    const float r = rsqrt(max(acc.y / n - m * m, 0.0f) + 1e-5f);
    for (uint i = tid; i < n; i += THREADS)
        y[i, row] = (TYPE)((x[i, row] - m) * r * gamma[i] + beta[i]);
    if (tid == 0) { mean[row] = m; rstd[row] = r; }
    """,
    layer_norm_reference,
    metal_params=[ROW, TID, LANE, SIMD],
    helper_src="""
#define THREADS 64
static inline float2 reduce(float2 v, threadgroup float2 *shared, uint simd, uint lane) {
    v = float2(simd_sum(v.x), simd_sum(v.y));
    if (lane == 0) shared[simd] = v;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float2 total = 0;
    for (uint i = 0; i < THREADS / 32; ++i) total += shared[i];
    return total;
}
""",
    template_dtypes={"x": "TYPE"},
)


class LayerNorm(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gamma = torch.nn.Parameter(torch.rand(96) + 0.5, requires_grad=False)
        self.beta = torch.nn.Parameter(torch.randn(96), requires_grad=False)

    def forward(self, x):
        rows = x.shape[0]
        return layer_norm(
            x,
            self.gamma,
            self.beta,
            **a_group_each(rows, result_shapes=[list(x.shape), [rows], [rows]]),
        )


def cumsum_reference(x: torch.Tensor) -> torch.Tensor:
    return x.float().cumsum(-1)


cumsum = TorchMetalKernel(
    "cumsum",
    ["x"],
    ["y"],
    """
    threadgroup float totals[2];
    const uint width = x.get_extent(0);
    float carry = 0;
    for (uint base = 0; base < width; base += 64) {
        const uint i = base + tid;
        const float v = i < width ? float(x[i, row]) : 0.0f;
        const float inclusive = simd_prefix_inclusive_sum(v);
        if (lane == 31) totals[simd] = inclusive;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        const float before = simd > 0 ? totals[0] : 0.0f;
        if (i < width) y[i, row] = carry + before + inclusive;
        carry += totals[0] + totals[1];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    """,
    cumsum_reference,
    [ROW, TID, LANE, SIMD],
)


class CumSum(torch.nn.Module):
    def forward(self, x):
        return cumsum(x, **a_group_each(x.shape[0], result_shapes=[list(x.shape)]))


def sort_reference(x: torch.Tensor) -> torch.Tensor:
    return x.sort(-1).values


bitonic_sort = TorchMetalKernel(
    "bitonic_sort",
    ["x"],
    ["y"],
    """
    constexpr ushort SIZE = 128;
    threadgroup TYPE keys[SIZE];
    const uint width = x.get_extent(0);
    for (uint i = tid; i < SIZE; i += 64)
        keys[i] = i < width ? x[i, row] : TYPE(INFINITY);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 2; k <= SIZE; k <<= 1) {
        for (uint j = k >> 1; j > 0; j >>= 1) {
            const uint i = 2 * tid - (tid & (j - 1));
            const bool up = (i & k) == 0;
            const TYPE a = keys[i], b = keys[i + j];
            if ((a > b) == up) { keys[i] = b; keys[i + j] = a; }
            threadgroup_barrier(mem_flags::mem_threadgroup);
        }
    }
    for (uint i = tid; i < width; i += 64) y[i, row] = keys[i];
    """,
    sort_reference,
    [ROW, TID],
    template_dtypes={"x": "TYPE"},
)


class Sort(torch.nn.Module):
    def forward(self, x):
        return bitonic_sort(
            x, **a_group_each(x.shape[0], result_shapes=[list(x.shape)])
        )


def top_k_reference(x: torch.Tensor, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    order = x.sort(dim=-1, descending=True, stable=True).indices
    rank = order.sort(-1).indices
    mask = rank < k
    return torch.where(mask, x, float("-inf")), mask.to(torch.uint8)


top_k_mask = TorchMetalKernel(
    "top_k_mask",
    ["logits", "k"],
    ["kept", "mask"],
    """
    const uint n = logits.get_extent(0);
    for (uint i = tid; i < n; i += 64) {
        const auto mine = logits[i, row];
        int rank = 0;
        for (uint j = 0; j < n; ++j) {
            const auto other = logits[j, row];
            rank += (other > mine) || (other == mine && j < i);
        }
        const bool keep = rank < k;
        kept[i, row] = keep ? mine : T(-INFINITY);
        mask[i, row] = keep;
    }
    """,
    top_k_reference,
    [ROW, TID],
    template_dtypes={"logits": "T"},
)


class TopK(torch.nn.Module):
    def forward(self, x):
        return top_k_mask(
            x, 5, **a_group_each(x.shape[0], result_shapes=[list(x.shape)] * 2)
        )


def argmax_reference(x: torch.Tensor) -> torch.Tensor:
    return x.argmax(-1).to(torch.int32)


argmax = TorchMetalKernel(
    "argmax",
    ["x"],
    ["index"],
    """
    Best best = {-INFINITY, 0};
    for (uint i = lane; i < x.get_extent(0); i += 32)
        best.take(float(x[i, row]), i);
    for (ushort step = 16; step > 0; step /= 2)
        best.take(simd_shuffle_xor(best.value, step), simd_shuffle_xor(best.at, step));
    if (simd_is_first()) index[row] = int(best.at);
    """,
    argmax_reference,
    [ROW, LANE],
    helper_src="""
struct Best {
    float value;
    uint at;
    void take(float v, uint i) thread {
        if (v > value || (v == value && i < at)) { value = v; at = i; }
    }
};
""",
)


class ArgMax(torch.nn.Module):
    def forward(self, x):
        return argmax(x, **a_group_each(x.shape[0], 32, result_shapes=[[x.shape[0]]]))


def log_softmax_reference(x: torch.Tensor) -> torch.Tensor:
    return torch.log_softmax(x.float(), -1).to(x.dtype)


log_softmax = TorchMetalKernel(
    "log_softmax",
    ["x"],
    ["y"],
    """
    using namespace metal;
    const uint n = x.get_extent(0);
    float m = -INFINITY, d = 0.f;
    for (uint i = lane; i < n; i += 32) {
        const float v = x[i, row], before = m;
        m = max(m, v);
        d = d * exp(before - m) + exp(v - m);
    }
    const float largest = simd_max(m);
    d = simd_sum(d * exp(m - largest));
    const float shift = largest + log(d);
    for (uint i = lane; i < n; i += 32) y[i, row] = TYPE(float(x[i, row]) - shift);
    """,
    log_softmax_reference,
    [ROW, LANE],
    template_dtypes={"x": "TYPE"},
)


class LogSoftmax(torch.nn.Module):
    def forward(self, x):
        return log_softmax(
            x, **a_group_each(x.shape[0], 32, result_shapes=[list(x.shape)])
        )


PROGRAMS = [
    Program("rms_norm", RMSNorm, matrix, [rms_norm], {"x": 0}),
    Program("layer_norm", LayerNorm, matrix, [layer_norm], {"x": 0}),
    Program("cumsum", CumSum, matrix, [cumsum], {"x": 0}),
    Program("bitonic_sort", Sort, matrix, [bitonic_sort], {"x": 0}),
    Program("top_k", TopK, matrix, [top_k_mask], {"x": 0}, FLOATS[:2]),
    Program("argmax", ArgMax, matrix, [argmax], {"x": 0}),
    Program("log_softmax", LogSoftmax, matrix, [log_softmax], {"x": 0}),
]
