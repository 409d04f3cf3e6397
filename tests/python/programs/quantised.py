"""Kernels over weights of few bits: int8, int4, NF4, and quantisation itself."""

from __future__ import annotations

import torch

from bessemer.torch import MetalParameter, TorchMetalKernel
from programs.program import (
    GRID,
    ID,
    LANE,
    ROW,
    TID,
    Program,
    a_group_each,
    over,
)

EXPERTS, WIDE, NARROW = 4, 64, 48
GROUP3 = MetalParameter("tg", "uint3", "threadgroup_position_in_grid")


def gather_int8_reference(
    a: torch.Tensor, w: torch.Tensor, scales: torch.Tensor, idx: torch.Tensor
) -> torch.Tensor:
    chosen = torch.index_select(w, 0, idx).float()
    scale = torch.index_select(scales, 0, idx).float()
    y = torch.einsum("sk,snk->sn", a.float(), chosen) * scale
    return y.to(a.dtype)


gather_int8 = TorchMetalKernel(
    "gather_qmm_int8",
    ["A", "W", "S", "IDX"],
    ["Y"],
    """
    const uint n = tg.x, slot = tg.y;
    const uint K = A.get_extent(0);
    const uint e = uint(IDX[slot]);
    float sum = 0.0f;
    for (uint k = lane; k < K; k += 32)
        sum += float(A[k, slot]) * float(W[k, n, e]);
    sum = simd_sum(sum);
    if (lane == 0) Y[n, slot] = TYPE(sum * float(S[n, e]));
    """,
    gather_int8_reference,
    [GROUP3, LANE],
    template_dtypes={"A": "TYPE"},
)


class GatherInt8(torch.nn.Module):
    def __init__(self):
        super().__init__()
        weight = torch.randint(-127, 128, (EXPERTS, NARROW, WIDE), dtype=torch.int8)
        self.register_buffer("weight", weight)
        self.register_buffer("scales", torch.rand(EXPERTS, NARROW) / 127)

    def forward(self, x, idx):
        slots = x.shape[0]
        return gather_int8(
            x,
            self.weight,
            self.scales,
            idx,
            threads_per_grid=(NARROW * 32, slots, 1),
            threads_per_thread_group=(32, 1, 1),
            result_shapes=[[slots, NARROW]],
        )


def routed(n, dtype):
    return {
        "x": torch.randn(n, WIDE).to(dtype),
        "idx": torch.randint(0, EXPERTS, (n,), dtype=torch.int32),
    }


def unpack_int4(packed: torch.Tensor) -> torch.Tensor:
    """Nibbles, the low one first, as integers from -8 to 7."""
    low, high = (packed & 15).to(torch.int32), (packed >> 4).to(torch.int32)
    return torch.stack([low, high], -1).flatten(-2) - 8


def gather_int4_reference(
    a: torch.Tensor, packed: torch.Tensor, scales: torch.Tensor, idx: torch.Tensor
) -> torch.Tensor:
    w = unpack_int4(torch.index_select(packed, 0, idx)).float()
    s = torch.index_select(scales, 0, idx).float().repeat_interleave(32, -1)
    return torch.einsum("sk,snk->sn", a.float(), w * s).to(a.dtype)


gather_int4 = TorchMetalKernel(
    "gather_qmm_int4",
    ["a", "packed", "scales", "idx"],
    ["y"],
    """
    const uint N = packed.get_extent(1);
    if (gid.x >= N) return;
    const uint e = uint(idx[gid.y]);
    const uint groups = scales.get_extent(0);
    float acc = 0.0f;
    for (uint g = 0; g < groups; ++g) {
        float part = 0.0f;
        #pragma unroll
        for (uint j = 0; j < 16; ++j) {
            const uint8_t byte = packed[g * 16 + j, gid.x, e];
            const uint k = g * 32 + 2 * j;
            part += float(a[k, gid.y]) * float(int(byte & 0x0F) - 8);
            part += float(a[k + 1, gid.y]) * float(int(byte >> 4) - 8);
        }
        acc = fma(part, float(scales[g, gid.x, e]), acc);
    }
    y[gid.x, gid.y] = T(acc);
    """,
    gather_int4_reference,
    [GRID],
    template_dtypes={"a": "T"},
)


class GatherInt4(torch.nn.Module):
    def __init__(self):
        super().__init__()
        packed = torch.randint(0, 256, (EXPERTS, NARROW, WIDE // 2), dtype=torch.uint8)
        self.register_buffer("packed", packed)
        self.register_buffer("scales", torch.rand(EXPERTS, NARROW, WIDE // 32) / 8)

    def forward(self, x, idx):
        slots = x.shape[0]
        return gather_int4(
            x,
            self.packed,
            self.scales,
            idx,
            threads_per_grid=(NARROW, slots, 1),
            threads_per_thread_group=(16, 4, 1),
            result_shapes=[[slots, NARROW]],
        )


CODEBOOK = [
    -1.0, -0.6962, -0.5251, -0.3949, -0.2844, -0.1848, -0.0911, 0.0,
    0.0796, 0.1609, 0.2461, 0.3379, 0.4407, 0.5626, 0.7230, 1.0,
]  # fmt: skip


def nf4_reference(codes: torch.Tensor, absmax: torch.Tensor) -> torch.Tensor:
    low, high = (codes >> 4).long(), (codes & 15).long()
    table = torch.tensor(CODEBOOK)
    return torch.stack([table[low], table[high]], -1).flatten(-2) * absmax[:, None]


nf4 = TorchMetalKernel(
    "nf4_dequantise",
    ["codes", "absmax"],
    ["w"],
    """
    const auto c = codes[gid.x, gid.y];
    w[2 * gid.x, gid.y] = CODEBOOK[c >> 4] * absmax[gid.y];
    w[2 * gid.x + 1, gid.y] = CODEBOOK[c & 15] * absmax[gid.y];
    """,
    nf4_reference,
    [GRID],
    helper_src=f"""
constant constexpr float CODEBOOK[16] = {{
    {", ".join(f"{value}f" for value in CODEBOOK)}
}};
""",
)


class NF4Linear(torch.nn.Module):
    """Weights come as codes; the product is PyTorch's."""

    def forward(self, codes, absmax, x):
        w = nf4(
            codes,
            absmax,
            threads_per_grid=(codes.shape[1], codes.shape[0], 1),
            threads_per_thread_group=(8, 8, 1),
            result_shapes=[[codes.shape[0], codes.shape[1] * 2]],
        )
        return x @ w.t()


def nf4_inputs(n, dtype):
    return {
        "codes": torch.randint(0, 256, (n, 16), dtype=torch.uint8),
        "absmax": torch.rand(n),
        "x": torch.randn(3, 32),
    }


def quantise_reference(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    v = x.float()
    scale = v.abs().amax(-1).clamp(min=1e-8) / 127
    q = torch.round(v / scale[:, None]).clamp(-127, 127)
    return q.to(torch.int8), scale


quantise = TorchMetalKernel(
    "quantise_rows",
    ["x"],
    ["q", "scale"],
    """
    float largest = 0;
    for (uint i = tid; i < x.get_extent(0); i += 32)
        largest = max(largest, abs(float(x[i, row])));
    const float s = max(simd_max(largest), 1e-8f) / 127.0f;
    if (tid == 0) scale[row] = s;
    for (uint i = tid; i < x.get_extent(0); i += 32)
        q[i, row] = char(clamp(rint(float(x[i, row]) / s), -127.0f, 127.0f));
    """,
    quantise_reference,
    [ROW, TID],
)


def dequantise_reference(
    q: torch.Tensor, scale: torch.Tensor, like: torch.Tensor
) -> torch.Tensor:
    return (q.float() * scale[:, None]).to(like.dtype)


dequantise = TorchMetalKernel(
    "dequantise_rows",
    ["q", "scale", "like"],
    ["y"],
    """
    const uint width = q.get_extent(0);
    const uint i = id % width, r = id / width;
    if (r >= q.get_extent(1)) return;
    y[i, r] = static_cast<TYPE>(q[i, r] * scale[r]);
    (void)like;
    """,
    dequantise_reference,
    [ID],
    template_dtypes={"like": "TYPE"},
)


class RoundTrip(torch.nn.Module):
    def forward(self, x):
        rows, width = x.shape
        q, scale = quantise(
            x, **a_group_each(rows, 32, result_shapes=[[rows, width], [rows]])
        )
        y = dequantise(
            q, scale, x, **over(rows * width, 128, result_shapes=[[rows, width]])
        )
        return q, y


def rows(n, dtype):
    return {"x": torch.randn(n, 40).to(dtype)}


PROGRAMS = [
    Program("gather_int8", GatherInt8, routed, [gather_int8], {"x": 0, "idx": 0}),
    Program("gather_int4", GatherInt4, routed, [gather_int4], {"x": 0, "idx": 0}),
    Program(
        "nf4",
        NF4Linear,
        nf4_inputs,
        [nf4],
        {"codes": 0, "absmax": 0},
        (torch.float32,),
    ),
    Program(
        "quantise",
        RoundTrip,
        rows,
        [quantise, dequantise],
        {"x": 0},
        atol=0.05,  # One step: a tie may fall either way.
    ),
]
