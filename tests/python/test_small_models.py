"""Small models of the usual kinds, end to end, against PyTorch."""

import math

import pytest
import torch
from test_operators import check, floats
from torch import nn
from torch.nn import functional as F


class RMSNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(1 + 0.1 * torch.randn(dim))

    def forward(self, x):
        scale = torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6)
        return (x.float() * scale).to(x.dtype) * self.weight


def rotary(x, base=10000.0):
    """Rotates pairs of the last axis by the position on the axis before."""
    length, dim = x.shape[-2], x.shape[-1]
    frequencies = base ** (-torch.arange(0, dim, 2, dtype=torch.float32) / dim)
    angles = torch.arange(length, dtype=torch.float32)[:, None] * frequencies
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x.chunk(2, -1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)


class Attention(nn.Module):
    def __init__(self, dim, heads, key_heads, fused):
        super().__init__()
        self.heads, self.key_heads, self.size = heads, key_heads, dim // heads
        self.fused = fused
        self.q = nn.Linear(dim, dim, bias=False)
        self.kv = nn.Linear(dim, 2 * key_heads * self.size, bias=False)
        self.out = nn.Linear(dim, dim, bias=False)

    def forward(self, x):
        batch, length, dim = x.shape
        q = self.q(x).view(batch, length, self.heads, self.size).transpose(1, 2)
        k, v = (
            part.view(batch, length, self.key_heads, self.size).transpose(1, 2)
            for part in self.kv(x).chunk(2, -1)
        )
        q, k = rotary(q), rotary(k)
        repeat = self.heads // self.key_heads
        k, v = k.repeat_interleave(repeat, 1), v.repeat_interleave(repeat, 1)
        if self.fused:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = q @ k.transpose(-1, -2) / math.sqrt(self.size)
            mask = torch.ones(length, length, dtype=torch.bool).tril()
            y = scores.masked_fill(~mask, float("-inf")).softmax(-1) @ v
        return self.out(y.transpose(1, 2).reshape(batch, length, dim))


class Block(nn.Module):
    def __init__(self, dim=32, heads=4, key_heads=2, fused=True):
        super().__init__()
        self.norm1, self.norm2 = RMSNorm(dim), RMSNorm(dim)
        self.attention = Attention(dim, heads, key_heads, fused)
        self.gate, self.up = nn.Linear(dim, 64), nn.Linear(dim, 64)
        self.down = nn.Linear(64, dim)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(50, 32)
        self.blocks = nn.ModuleList([Block(), Block(fused=False)])
        self.norm = RMSNorm(32)

    def forward(self, tokens):
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.embedding.weight.T


class Experts(nn.Module):
    """Each token goes to the two best of six experts, whose weights it gathers."""

    def __init__(self, dim=16, hidden=24, experts=6):
        super().__init__()
        self.router = nn.Linear(dim, experts, bias=False)
        self.up = nn.Parameter(torch.randn(experts, hidden, dim) / 4)
        self.down = nn.Parameter(torch.randn(experts, dim, hidden) / 4)

    def forward(self, x):
        weights, chosen = self.router(x).softmax(-1).topk(2, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        hidden = torch.einsum("td,tehd->teh", x, self.up[chosen])
        out = torch.einsum("teh,tedh->ted", F.gelu(hidden), self.down[chosen])
        return (out * weights[..., None]).sum(1)


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(16, 16, 3, padding=1, groups=16), nn.Conv2d(16, 32, 1),
            nn.ReLU6(),
            nn.Conv2d(32, 32, 3, stride=2, padding=1, bias=False), nn.Hardswish(),
            nn.AdaptiveAvgPool2d(1),
        )  # fmt: skip
        self.classifier = nn.Linear(32, 10)

    def forward(self, x):
        return F.log_softmax(self.classifier(self.features(x).flatten(1)), -1)


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(20, 64), nn.ReLU(), nn.LayerNorm(64), nn.Dropout(0.1),
            nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 5), nn.Softmax(-1),
        )  # fmt: skip

    def forward(self, x):
        return self.layers(x)


MODELS = {
    "mlp": (MLP, lambda: (floats(7, 20),)),
    "block": (Block, lambda: (floats(2, 9, 32),)),
    "decoder": (Decoder, lambda: (torch.randint(0, 50, (2, 9)),)),
    "experts": (Experts, lambda: (floats(11, 16),)),
    "conv_net": (ConvNet, lambda: (floats(2, 3, 16, 16),)),
}
TOLERANCES = {
    torch.float32: {"rtol": 1e-4, "atol": 1e-5},
    torch.float16: {"rtol": 2e-2, "atol": 2e-2},
    torch.bfloat16: {"rtol": 1e-1, "atol": 1e-1},
}


@pytest.mark.parametrize("dtype", TOLERANCES, ids=str)
@pytest.mark.parametrize("name", MODELS)
def test_model(name, dtype, tmp_path):
    make, arguments = MODELS[name]
    model = make().eval().to(dtype)
    args = tuple(a.to(dtype) if a.is_floating_point() else a for a in arguments())
    with torch.no_grad():
        check(model, args, tmp_path, **TOLERANCES[dtype])


def test_a_decoder_of_any_length(tmp_path):
    batch, length = torch.export.Dim("b", max=4), torch.export.Dim("n", max=64)
    calls = [(torch.randint(0, 50, shape),) for shape in ((1, 2), (2, 9), (4, 33))]
    with torch.no_grad():
        check(
            Decoder().eval(),
            (torch.randint(0, 50, (2, 9)),),
            tmp_path,
            dynamic_shapes={0: batch, 1: length},
            calls=calls,
            rtol=1e-4,
            atol=1e-4,
        )


def test_a_conv_net_of_any_batch(tmp_path):
    batch = torch.export.Dim("b", max=16)
    with torch.no_grad():
        check(
            ConvNet().eval(),
            (floats(2, 3, 16, 16),),
            tmp_path,
            dynamic_shapes={0: batch},
            calls=[(floats(n, 3, 16, 16),) for n in (1, 5)],
            rtol=1e-4,
            atol=1e-5,
        )
