"""Kernels that move data about: embeddings, scatters, histograms, convolutions."""

from __future__ import annotations

import torch

from bessemer.torch import MetalParameter, TorchMetalKernel
from programs.program import FLOATS, GRID, ID, TID, Program, over

VOCABULARY, WIDTH = 50, 24


def embedding_reference(table: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.embedding(ids, table)


embedding = TorchMetalKernel(
    "embedding",
    ["table", "ids"],
    ["out"],
    """
    const int token = ids[gid.y];
    out[gid.x, gid.y] = token >= 0 && token < table.get_extent(1)
        ? table[gid.x, token] : table[gid.x, 0];
    """,
    embedding_reference,
    [GRID],
)


class Embedding(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Parameter(torch.randn(VOCABULARY, WIDTH))

    def forward(self, ids):
        return embedding(
            self.table,
            ids,
            threads_per_grid=(WIDTH, ids.shape[0], 1),
            threads_per_thread_group=(WIDTH, 1, 1),
            result_shapes=[[ids.shape[0], WIDTH]],
        )


def ids(n, dtype):
    return {"ids": torch.randint(0, VOCABULARY, (n,))}


def scatter_add_reference(source: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    zeros = torch.zeros(10, WIDTH, dtype=torch.float32)
    return zeros.index_add(0, index, source.float())


scatter_add = TorchMetalKernel(
    "scatter_add",
    ["source", "index"],
    ["sums"],
    """
    const uint width = source.get_extent(0), bins = sums.get_extent(1);
    for (uint i = tid; i < width * bins; i += 128) sums[i % width, i / width] = 0.0f;
    threadgroup_barrier(mem_flags::mem_device);
    for (uint i = tid; i < width * source.get_extent(1); i += 128) {
        const uint c = i % width, r = i / width;
        device atomic_float *cell =
            reinterpret_cast<device atomic_float *>(&sums[c, uint(index[r])]);
        atomic_fetch_add_explicit(cell, float(source[c, r]), memory_order_relaxed);
    }
    """,
    scatter_add_reference,
    [TID],
)


class ScatterAdd(torch.nn.Module):
    def forward(self, source, index):
        return scatter_add(source, index, **over(128, 128, result_shapes=[[10, WIDTH]]))


def scattered(n, dtype):
    return {
        "source": torch.randn(n, WIDTH).to(dtype),
        "index": torch.randint(0, 10, (n,), dtype=torch.int32),
    }


def histogram_reference(x: torch.Tensor, low: float, high: float) -> torch.Tensor:
    v = ((x.float() - low) * (16 / (high - low))).floor().clamp(0, 15)
    bins = torch.arange(16, dtype=torch.float32)
    return (v[:, None] == bins).sum(0).to(torch.int32)


histogram = TorchMetalKernel(
    "histogram",
    ["x", "low", "high"],
    ["counts"],
    """
    threadgroup atomic_uint bins[16];
    if (tid < 16) atomic_store_explicit(&bins[tid], 0u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const float scale = 16 / (high - low);
    for (uint i = tid; i < x.get_extent(0); i += 256) {
        const int bin = clamp(int(floor((float(x[i]) - low) * scale)), 0, 15);
        atomic_fetch_add_explicit(&bins[bin], 1u, memory_order_relaxed);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (tid < 16)
        counts[tid] = int(atomic_load_explicit(&bins[tid], memory_order_relaxed));
    """,
    histogram_reference,
    [TID],
)


class Histogram(torch.nn.Module):
    def forward(self, x):
        return histogram(x, -2.0, 2.0, **over(256, 256, result_shapes=[[16]]))


def conv_reference(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    taps = w.shape[1]
    padded = torch.nn.functional.pad(x.float(), (0, 0, taps - 1, 0))
    n = x.shape[1]
    y = sum(padded[:, k : k + n] * w[:, k].float() for k in range(taps))
    return y.to(x.dtype)


conv1d = TorchMetalKernel(
    "causal_conv1d",
    ["x", "w"],
    ["y"],
    """
    const uint c = gid.x, t = gid.y, b = gid.z;
    if (c >= x.get_extent(0) || t >= x.get_extent(1)) return;
    constexpr int K = 4;
    float acc = 0;
    for (int k = 0; k < K; k++) {
        const int at = int(t) + k - (K - 1);
        if (at < 0) continue;
        acc += float(x[c, uint(at), b]) * float(w[k, c]);
    }
    y[c, t, b] = (TYPE)acc;
    """,
    conv_reference,
    [MetalParameter("gid", "uint3", "thread_position_in_grid")],
    template_dtypes={"x": "TYPE"},
)


class DepthwiseConv(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(WIDTH, 4))

    def forward(self, x):
        return conv1d(
            x,
            self.w.to(x.dtype),
            threads_per_grid=(WIDTH, x.shape[1], x.shape[0]),
            threads_per_thread_group=(8, 8, 1),
            result_shapes=[list(x.shape)],
        )


def sequences(n, dtype):
    return {"x": torch.randn(2, n, WIDTH).to(dtype)}


def scan_reference(
    x: torch.Tensor, decay: torch.Tensor, start: torch.Tensor
) -> list[torch.Tensor]:
    gate = torch.sigmoid(decay.float())
    n = x.shape[0]
    steps = torch.arange(n, dtype=torch.float32)
    power = (steps[:, None] - steps).clamp(min=0)
    mix = torch.where(
        (steps[:, None] >= steps)[..., None], gate ** power[..., None], 0.0
    )
    h = torch.einsum("tsc,sc->tc", mix, x.float())
    h = h + gate ** (steps[:, None] + 1) * start
    return [h.to(x.dtype), h[-1]]


scan = TorchMetalKernel(
    "linear_scan",
    ["x", "decay", "start"],
    ["h", "last"],
    """
    if (id >= x.get_extent(0)) return;
    const float g = 1.0f / (1.0f + exp(-float(decay[id])));
    float state = start[id];
    for (uint t = 0; t < x.get_extent(1); ++t) {
        state = fma(g, state, float(x[id, t]));
        h[id, t] = TYPE(state);
    }
    last[id] = state;
    """,
    scan_reference,
    [ID],
    template_dtypes={"x": "TYPE"},
)


class Scan(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("decay", torch.randn(WIDTH))

    def forward(self, x, start):
        return scan(
            x,
            self.decay,
            start,
            **over(WIDTH, 32, result_shapes=[list(x.shape), [WIDTH]]),
        )


def recurrent(n, dtype):
    return {"x": torch.randn(n, WIDTH).to(dtype), "start": torch.randn(WIDTH)}


def transpose_reference(x: torch.Tensor) -> torch.Tensor:
    return x.t().contiguous()


transpose = TorchMetalKernel(
    "tiled_transpose",
    ["x"],
    ["y"],
    """
    threadgroup T tile[16][17];
    const uint2 base = tg * 16;
    if (base.x + lid.x < x.get_extent(0) && base.y + lid.y < x.get_extent(1))
        tile[lid.y][lid.x] = x[base.x + lid.x, base.y + lid.y];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const uint2 at = base.yx + lid;
    if (at.x < y.get_extent(0) && at.y < y.get_extent(1))
        y[at.x, at.y] = tile[lid.x][lid.y];
    """,
    transpose_reference,
    [
        MetalParameter("lid", "uint2", "thread_position_in_threadgroup"),
        MetalParameter("tg", "uint2", "threadgroup_position_in_grid"),
    ],
    template_dtypes={"x": "T"},
)


class Transpose(torch.nn.Module):
    def forward(self, x):
        n, m = x.shape
        return transpose(
            x,
            threads_per_grid=((m + 15) // 16 * 16, (n + 15) // 16 * 16, 1),
            threads_per_thread_group=(16, 16, 1),
            result_shapes=[[m, n]],
        )


def matrix(n, dtype):
    return {"x": (torch.randn(n, WIDTH) * 20).to(dtype)}


PROGRAMS = [
    Program("embedding", Embedding, ids, [embedding], {"ids": 0}),
    Program(
        "scatter_add", ScatterAdd, scattered, [scatter_add], {"source": 0, "index": 0}
    ),
    Program(
        "histogram",
        Histogram,
        lambda n, d: {"x": torch.randn(n).to(d)},
        [histogram],
        {"x": 0},
    ),
    Program("conv1d", DepthwiseConv, sequences, [conv1d], {"x": 1}),
    Program("scan", Scan, recurrent, [scan], {"x": 0}),
    Program(
        "transpose",
        Transpose,
        matrix,
        [transpose],
        {"x": 0},
        (*FLOATS, torch.int8, torch.int32),
    ),
]
