"""Scalars: literals in the body, one kernel for each set of values."""

import re

import numpy as np
import torch
from coreai_torch import MetalParameter, TorchMetalKernel
from harness import convert, dispatch, run


def torch_affine(x: torch.Tensor, c: float, n: int, negate: bool) -> torch.Tensor:
    y = x * c + n
    return -y if negate else y


affine = TorchMetalKernel(
    "affine",
    ["x", "c", "n", "negate"],
    ["y"],
    "float v = x[id] * c + n; y[id] = negate ? -v : v;",
    torch_affine,
    [MetalParameter("id", "uint", "thread_position_in_grid")],
)


class Model(torch.nn.Module):
    def forward(self, x):
        call = dispatch((x.shape[0], 1, 1), (32, 1, 1), list(x.shape))
        y = affine(x, 2.5, -7, True, **call)
        y = affine(y, 0.5, 3, False, **call)
        return affine(y, 0.5, 3, False, **call)


x = torch.linspace(-4, 4, 100)
program = convert(Model(), (x,), [affine])
text = str(program)
assert text.count("coreai.metal4_kernel") == 3
assert len(set(re.findall(r'kernel_name = "(\w+)"', text))) == 2
assert "constant float& c " in text and "float c = 2.5f;" in text
assert "constant int& n " in text and "int n = -7;" in text
assert "constant bool& negate " in text and "bool negate = true;" in text
((result,),) = run(program, (x,))
np.testing.assert_allclose(result, Model()(x).numpy(), rtol=1e-6, atol=1e-6)
print("three calls, two kernels: right")


class OneScalar(torch.nn.Module):
    def __init__(self, c, n):
        super().__init__()
        self.c, self.n = c, n

    def forward(self, x):
        call = dispatch((x.shape[0], 1, 1), (32, 1, 1), list(x.shape))
        return affine(x, self.c, self.n, False, **call)


for c, n, words in (
    (float("inf"), 1, "float scalar 'c'=inf is not finite"),
    (1.0, 5_000_000_000, "'n'=5000000000 is outside the 32-bit int range"),
):
    try:
        convert(OneScalar(c, n), (x,), [affine])
    except ValueError as error:
        assert words in str(error), error
        print(f"refused: {error}")
    else:
        raise AssertionError(f"{words}: converted")
