"""One kernel for many element types, and one with two results."""

import re

import numpy as np
import torch
from coreai_torch import MetalParameter, TorchMetalKernel
from harness import convert, dispatch, run

ID = MetalParameter("id", "uint", "thread_position_in_grid")


def torch_square(x: torch.Tensor) -> torch.Tensor:
    return x * x


square = TorchMetalKernel(
    "square",
    ["x"],
    ["y"],
    "TYPE v = x[id]; y[id] = twice(v) * v / TYPE(2);",
    torch_square,
    [ID],
    helper_src="inline TYPE twice(TYPE v) { return v + v; }",
    template_dtypes={"x": "TYPE"},
)


def torch_sincos(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.sin(x), torch.cos(x)


sincos = TorchMetalKernel(
    "sincos",
    ["x"],
    ["out_sin", "out_cos"],
    "out_sin[id] = sin(x[id]); out_cos[id] = cos(x[id]);",
    torch_sincos,
    [ID],
)


class Model(torch.nn.Module):
    """The same kernel for two element types, twice each."""

    def forward(self, x, h):
        call = dispatch((x.shape[0], 1, 1), (1, 1, 1), list(x.shape))
        s, c = sincos(x, **call | {"result_shapes": [list(x.shape)] * 2})
        return square(s, **call) + square(c, **call), square(square(h, **call), **call)


x, h = torch.linspace(-3, 3, 77), torch.arange(77) % 8
program = convert(Model(), (x, h.to(torch.float16)), [square, sincos])
names = re.findall(r'kernel_name = "(\w+)"', str(program))
assert len(names) == 5 and len(set(names)) == 3, names
ones, fourth = run(program, (x, h.to(torch.float16)))[0]
np.testing.assert_allclose(ones, np.ones(77), rtol=1e-5)
np.testing.assert_array_equal(fourth, (h**4).to(torch.float16).numpy())
assert ones.dtype == np.float32 and fourth.dtype == np.float16
print("five calls, three kernels: right")
