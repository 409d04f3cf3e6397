"""A mixture-of-experts product that reads only the routed experts' weights.

Weights are int8, or int4 packed two in a byte, with a half scale for each block of
32. The kernel takes the expert of every slot from an index tensor; the other
experts are never read. Every slot has its own row of activations.
"""

import numpy as np
import torch
from coreai_torch import MetalParameter, TorchMetalKernel
from harness import convert, dispatch, run

BLOCK = 32
GID = MetalParameter("gid", "uint2", "thread_position_in_grid")

# Extents are torch's reversed: W [K, N, E] (int4: [K/2, N, E]), S [K/32, N, E],
# A [K, slots], IDX [slots], Y [N, slots].
BODY = """
    const uint n = gid.x, slot = gid.y;
    if (n >= Y.get_extent(0) || slot >= Y.get_extent(1)) { return; }
    const uint e = uint(IDX[slot]);
    const uint K = A.get_extent(0);
    float sum = 0.0f;
    for (uint block = 0; block < K / 32; ++block) {
        float part = 0.0f;
        for (uint k = block * 32; k < block * 32 + 32; ++k) {
            part += float(A[k, slot]) * weight(W, k, n, e);
        }
        sum += part * float(S[block, n, e]);
    }
    Y[n, slot] = TYPE(sum);
"""

INT8_HELPER = """
template <typename Weights>
inline float weight(Weights W, uint k, uint n, uint e) {
    return float(W[k, n, e]);
}
"""

INT4_HELPER = """
template <typename Weights>
inline float weight(Weights W, uint k, uint n, uint e) {
    const uint8_t packed = W[k / 2, n, e];
    int code = k % 2 == 0 ? packed & 0xF : packed >> 4;
    if (code > 7) { code -= 16; }
    return float(code);
}
"""


def unpack(w: torch.Tensor) -> torch.Tensor:
    """Signed 4-bit numbers, the low half of a byte first."""
    codes = torch.stack([w & 0xF, w >> 4], dim=-1).to(torch.int8)
    codes = torch.where(codes > 7, codes - 16, codes)
    return codes.flatten(-2)


def routed_product(a, weights, scales, idx):
    # Shape-static, so that it can be traced: never int(idx[i]).
    w = torch.index_select(weights, 0, idx).float()
    s = torch.index_select(scales, 0, idx).float().repeat_interleave(BLOCK, -1)
    return torch.einsum("sk,snk->sn", a.float(), w * s).to(a.dtype)


def torch_int8(
    A: torch.Tensor, W: torch.Tensor, S: torch.Tensor, IDX: torch.Tensor
) -> torch.Tensor:
    return routed_product(A, W, S, IDX)


def torch_int4(
    A: torch.Tensor, W: torch.Tensor, S: torch.Tensor, IDX: torch.Tensor
) -> torch.Tensor:
    return routed_product(A, unpack(W), S, IDX)


def make_kernel(bits):
    return TorchMetalKernel(
        f"gather_qmm_{bits}",
        ["A", "W", "S", "IDX"],
        ["Y"],
        BODY,
        torch_int8 if bits == 8 else torch_int4,
        [GID],
        helper_src=INT8_HELPER if bits == 8 else INT4_HELPER,
        template_dtypes={"A": "TYPE"},
    )


class Experts(torch.nn.Module):
    """Quantised weights of all experts, and the product with the routed ones."""

    def __init__(self, bits, experts, n, k):
        super().__init__()
        self.kernel = make_kernel(bits)
        columns = k if bits == 8 else k // 2
        dtype = torch.int8 if bits == 8 else torch.uint8
        low, high = (-128, 128) if bits == 8 else (0, 256)
        shape = (experts, n, columns)
        self.register_buffer("weights", torch.randint(low, high, shape, dtype=dtype))
        scales = torch.rand(experts, n, k // BLOCK) / 64
        self.register_buffer("scales", scales.half())

    def forward(self, a, idx):
        slots, n = a.shape[0], self.weights.shape[1]
        call = dispatch((n, slots, 1), (32, 1, 1), [slots, n])
        return self.kernel(a, self.weights, self.scales, idx, **call)


class SwitchGLU(torch.nn.Module):
    """Gate, up and down of the routed experts; one token, one row per slot."""

    def __init__(self, bits, experts, hidden, inner):
        super().__init__()
        self.gate = Experts(bits, experts, inner, hidden)
        self.up = Experts(bits, experts, inner, hidden)
        self.down = Experts(bits, experts, hidden, inner)

    def forward(self, x, idx, routing):
        rows = x.expand(idx.shape[0], x.shape[1])
        h = torch.nn.functional.silu(self.gate(rows, idx)) * self.up(rows, idx)
        return (self.down(h, idx).float() * routing[:, None]).sum(0, keepdim=True)


torch.manual_seed(2)
for bits in (8, 4):
    for dtype, tolerance in ((torch.float32, 1e-4), (torch.float16, 2e-2)):
        model = SwitchGLU(bits, experts=8, hidden=64, inner=96).eval()
        x = (torch.randn(1, 64) / 8).to(dtype)
        routing = torch.softmax(torch.randn(3), 0)
        calls = [
            (x, torch.tensor(idx, dtype=torch.int32), routing)
            for idx in ([5, 0, 7], [1, 1, 2])
        ]
        kernels = [part.kernel for part in (model.gate, model.up, model.down)]
        # One object serves all three: a name is registered once.
        model.up.kernel = model.down.kernel = kernels[0]
        program = convert(model, calls[0], kernels[:1])
        for inputs, (y,) in zip(calls, run(program, *calls), strict=True):
            expected = model(*inputs).numpy()
            scale = np.abs(expected).max()
            np.testing.assert_allclose(y, expected, atol=tolerance * scale)
        print(f"int{bits}, activations {dtype}: right")
