"""Kernels of transformer blocks: rotary embedding, attention, gated layers."""

from __future__ import annotations

import math

import torch

from bessemer.torch import MetalParameter, TorchMetalKernel
from programs.program import FLOATS, GRID, ID, LANE, Program, over

HEADS, HEAD = 3, 32
GID3 = MetalParameter("gid", "uint3", "thread_position_in_grid")
TG3 = MetalParameter("tg", "uint3", "threadgroup_position_in_grid")


def rope_reference(
    q: torch.Tensor, positions: torch.Tensor, base: float
) -> torch.Tensor:
    half = q.shape[-1] // 2
    frequencies = base ** (-torch.arange(half, dtype=torch.float32) / half)
    angles = positions[:, None, None].float() * frequencies
    a, b = q.float().split(half, -1)
    c, s = angles.cos(), angles.sin()
    return torch.cat([a * c - b * s, a * s + b * c], -1).to(q.dtype)


rope = TorchMetalKernel(
    "rope",
    ["q", "positions", "base"],
    ["out"],
    """
    const uint d = gid.x, h = gid.y, t = gid.z;
    const uint halfDim = q.get_extent(0) / 2;
    if (d >= halfDim || h >= q.get_extent(1) || t >= q.get_extent(2)) return;
    const float inv = metal::precise::pow(base, -float(d) / float(halfDim));
    const float theta = float(positions[t]) * inv;
    float c;
    const float s = metal::precise::sincos(theta, c);
    const float a = q[d, h, t], b = q[d + halfDim, h, t];
    out[d, h, t] = TYPE(a * c - b * s);
    out[d + halfDim, h, t] = TYPE(a * s + b * c);
    """,
    rope_reference,
    [GID3],
    template_dtypes={"q": "TYPE"},
)


class RoPE(torch.nn.Module):
    def forward(self, x, positions):
        return rope(
            x,
            positions,
            10000.0,
            threads_per_grid=(HEAD // 2, HEADS, x.shape[0]),
            threads_per_thread_group=(16, 1, 4),
            result_shapes=[list(x.shape)],
        )


def rope_inputs(n, dtype):
    return {
        "x": torch.randn(n, HEADS, HEAD).to(dtype),
        "positions": torch.arange(n),
    }


def attention_reference(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float
) -> torch.Tensor:
    scores = q.float() @ k.float().transpose(-1, -2) * scale
    n = q.shape[-2]
    mask = torch.ones(n, n, dtype=torch.bool).tril()
    scores = scores.masked_fill(~mask, float("-inf"))
    return (scores.softmax(-1) @ v.float()).to(q.dtype)


attention = TorchMetalKernel(
    "causal_attention",
    ["Q", "K", "V", "scale"],
    ["O"],
    """
    // One simdgroup per query; every lane holds one channel of the head.
    const uint t = tg.x, h = tg.y;
    const float query = float(Q[lane, t, h]) * scale;
    float best = -INFINITY, total = 0.0f, acc = 0.0f;
    for (uint s = 0; s <= t; ++s) {
        const float score = simd_sum(query * float(K[lane, s, h]));
        const float now = metal::max(best, score);
        const float keep = metal::exp(best - now), w = metal::exp(score - now);
        acc = acc * keep + w * float(V[lane, s, h]);
        total = total * keep + w;
        best = now;
    }
    O[lane, t, h] = TYPE(acc / total);
    """,
    attention_reference,
    [TG3, LANE],
    template_dtypes={"Q": "TYPE"},
)


class Attention(torch.nn.Module):
    """Projections by PyTorch around attention by a kernel."""

    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(24, 3 * HEADS * HEAD, bias=False)
        self.out = torch.nn.Linear(HEADS * HEAD, 24)

    def forward(self, x):
        n = x.shape[0]
        q, k, v = (
            part.reshape(n, HEADS, HEAD).transpose(0, 1)
            for part in self.qkv(x).chunk(3, -1)
        )
        y = attention(
            q,
            k,
            v,
            1 / math.sqrt(HEAD),
            threads_per_grid=(n * 32, HEADS, 1),
            threads_per_thread_group=(32, 1, 1),
            result_shapes=[list(q.shape)],
        )
        return self.out(y.transpose(0, 1).reshape(n, HEADS * HEAD))


def gelu_reference(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.gelu(x.float(), approximate="tanh").to(x.dtype)


gelu = TorchMetalKernel(
    "gelu_tanh",
    ["x"],
    ["y"],
    """
    if (any(gid >= uint2(x.get_extent(0), x.get_extent(1)))) return;
    const float v = x[gid.x, gid.y];
    const float inner = M_SQRT_2_PI * (v + 0.044715f * v * v * v);
    y[gid.x, gid.y] = static_cast<TYPE>(0.5f * v * (1.0f + precise::tanh(inner)));
    """,
    gelu_reference,
    [GRID],
    helper_src="#define M_SQRT_2_PI 0.7978845608028654f",
    template_dtypes={"x": "TYPE"},
)


class GELU(torch.nn.Module):
    def forward(self, x):
        return gelu(
            x,
            threads_per_grid=((x.shape[1] + 15) // 16 * 16, x.shape[0], 1),
            threads_per_thread_group=(16, 16, 1),
            result_shapes=[list(x.shape)],
        )


def swiglu_reference(gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    return (torch.nn.functional.silu(gate.float()) * up.float()).to(gate.dtype)


swiglu = TorchMetalKernel(
    "swiglu",
    ["gate", "up"],
    ["h"],
    """
    const uint i = id * 4;
    const uint n = gate.get_extent(0) * gate.get_extent(1);
    if (i >= n) return;
    device const TYPE *g = &gate[0, 0];
    device const TYPE *u = &up[0, 0];
    device TYPE *out = &h[0, 0];
    if (i + 4 <= n) {
        const float4 a = float4(*(device const TYPE4 *)(g + i));
        const float4 b = float4(*(device const TYPE4 *)(u + i));
        *(device TYPE4 *)(out + i) = TYPE4(silu(a) * b);
        return;
    }
    for (uint j = i; j < n; ++j)
        out[j] = TYPE(silu(float(g[j])) * float(u[j]));
    """,
    swiglu_reference,
    [ID],
    helper_src="""
template <typename T> inline T silu(T v) { return v / (T(1) + exp(-v)); }
""",
    template_dtypes={"gate": "TYPE"},
)


class GatedMLP(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = torch.nn.Linear(24, 50, bias=False)
        self.up = torch.nn.Linear(24, 50, bias=False)
        self.down = torch.nn.Linear(50, 24, bias=False)

    def forward(self, x):
        gate, up = self.gate(x), self.up(x)
        h = swiglu(
            gate,
            up,
            **over((x.shape[0] * 50 + 3) // 4, result_shapes=[list(gate.shape)]),
        )
        return x + self.down(h)


def tokens(n, dtype):
    return {"x": torch.randn(n, 24).to(dtype)}


PROGRAMS = [
    Program("rope", RoPE, rope_inputs, [rope], {"x": 0, "positions": 0}),
    Program("attention", Attention, tokens, [attention], {"x": 0}),
    Program("gelu", GELU, tokens, [gelu], {"x": 0}),
    Program("gated_mlp", GatedMLP, tokens, [swiglu], {"x": 0}, FLOATS),
]
