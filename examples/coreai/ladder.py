"""The ladder for a new kernel: probe the axes, read the source, then the numbers."""

import numpy as np
import torch
from coreai.authoring import MetalParameter
from coreai_torch import TorchMetalKernel
from harness import convert, dispatch, run

# Step 0: where does out[a, b] of a kernel land?
PROBE_SRC = """
    if (tid.x != 0 || tid.y != 0) { return; }
    if (tgid.x >= out.get_extent(0) || tgid.y >= out.get_extent(1)) { return; }
    out[tgid.x, tgid.y] = float(100 + 10 * tgid.x + tgid.y);
"""


def torch_probe(z: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(z)


probe = TorchMetalKernel(
    "probe_dispatch",
    ["z"],
    ["out"],
    PROBE_SRC,
    torch_probe,
    [
        MetalParameter("tid", "uint2", "thread_position_in_threadgroup"),
        MetalParameter("tgid", "uint2", "threadgroup_position_in_grid"),
    ],
)


class ProbeModel(torch.nn.Module):
    def forward(self, z):
        return probe(z, **dispatch((8, 4, 1), (1, 1, 1), list(z.shape)))


z = torch.zeros(4, 8)
((out,),) = run(convert(ProbeModel(), (z,), [probe]), (z,))
for b in range(4):
    for a in range(8):
        assert out[b, a] == 100 + 10 * a + b
print("out[a, b] lands at numpy[b, a]")

# Step 1: the generated source, to compile on its own.
((_, source),) = probe.kernel_cache.values()
assert source.startswith("\n#include <metal_stdlib>") and PROBE_SRC in source
print("the generated source has", source.count("\n"), "lines")

# Steps 2 and 3: cosine and relative error at sizes that are no tile's multiple.
SOFTMAX_SRC = """
    if (row >= y.get_extent(1)) { return; }
    const uint n = y.get_extent(0);
    float largest = -INFINITY;
    for (uint i = 0; i < n; ++i) { largest = max(largest, float(x[i, row])); }
    float sum = 0.0f;
    for (uint i = 0; i < n; ++i) { sum += exp(float(x[i, row]) - largest); }
    for (uint i = 0; i < n; ++i) {
        y[i, row] = TYPE(exp(float(x[i, row]) - largest) / sum);
    }
"""


def torch_softmax(x: torch.Tensor) -> torch.Tensor:
    return torch.softmax(x, -1)


softmax = TorchMetalKernel(
    "row_softmax",
    ["x"],
    ["y"],
    SOFTMAX_SRC,
    torch_softmax,
    [MetalParameter("row", "uint", "thread_position_in_grid")],
    template_dtypes={"x": "TYPE"},
)


class SoftmaxModel(torch.nn.Module):
    def forward(self, x):
        return softmax(x, **dispatch((x.shape[0], 1, 1), (32, 1, 1), list(x.shape)))


torch.manual_seed(4)
dims = {0: torch.export.Dim("rows", max=99), 1: torch.export.Dim("n", max=999)}
inputs = [(torch.randn(*size) * 50,) for size in ((3, 17), (64, 128), (7, 300))]
program = convert(SoftmaxModel(), inputs[0], [softmax], {"x": dims})
for (x,), (y,) in zip(inputs, run(program, *inputs), strict=True):
    expected = torch_softmax(x.double()).numpy()
    cosine = np.sum(y * expected) / np.linalg.norm(y) / np.linalg.norm(expected)
    error = np.linalg.norm(y - expected) / np.linalg.norm(expected)
    assert cosine > 0.999999 and error < 1e-5, (cosine, error)
    print(f"softmax {list(x.shape)}: cosine {cosine:.9f}, relative L2 {error:.1e}")
