"""A fused SiLU, one thread per element, at sizes known only when it runs."""

import numpy as np
import torch
from coreai.authoring import MetalParameter
from coreai_torch import TorchMetalKernel
from harness import convert, dispatch, run


def torch_silu(x: torch.Tensor) -> torch.Tensor:
    return x * torch.sigmoid(x)


SILU_SRC = """
    if (id >= x.get_extent(0)) { return; }          // the grid may be larger
    const float v = float(x[id]);                   // half comes in, float computes
    y[id] = v / (1.0f + metal::precise::exp(-v));
"""

silu_kernel = TorchMetalKernel(
    "fused_silu",
    input_names=["x"],
    result_names=["y"],
    src=SILU_SRC,
    torch_defn=torch_silu,
    metal_params=[MetalParameter("id", "uint", "thread_position_in_grid")],
)


class SiLUModel(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return silu_kernel(x, **dispatch((n, 1, 1), (64, 1, 1), list(x.shape)))


for dtype in (torch.float16, torch.float32):
    program = convert(
        SiLUModel(),
        (torch.zeros(4096, dtype=dtype),),
        [silu_kernel],
        {"x": {0: torch.export.Dim("n", min=2, max=1 << 20)}},
        input_names=["x"],
        output_names=["y"],
    )
    inputs = [(torch.randn(n).to(dtype),) for n in (4096, 3, 1000)]
    for (x,), (y,) in zip(inputs, run(program, *inputs), strict=True):
        expected = torch_silu(x.double()).to(dtype).numpy()
        assert y.dtype == expected.dtype and y.shape == expected.shape
        np.testing.assert_allclose(y, expected, rtol=2e-3, atol=1e-4)
        print(f"{dtype} of {len(x)}: right")
