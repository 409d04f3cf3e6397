"""Inputs that are unusual, but not refused: booleans of other bytes. And empty ones."""

import numpy as np
import pytest
import torch
from models import call, convert, load

import bessemer
from bessemer.torch import MetalParameter, TorchMetalKernel, eager_kernels

OTHER = torch.tensor([0, 1, 2, 255, 128, 3], dtype=torch.uint8).view(torch.bool)
TRUTH = torch.tensor([False, True, True, True, True, True])


class Choose(torch.nn.Module):
    def forward(self, c):
        x = torch.arange(6.0)
        return torch.where(c, x, -x), c.to(torch.int32), torch.logical_not(c)


def test_any_byte_but_zero_is_true(tmp_path):
    function = load(convert(Choose(), (TRUTH,)), tmp_path)
    before = OTHER.view(torch.uint8).clone()
    for actual, expected in zip(
        call(function, OTHER), call(function, TRUTH), strict=True
    ):
        assert torch.equal(actual, expected)
    assert torch.equal(OTHER.view(torch.uint8), before)


def test_the_result_of_the_input_is_zeros_and_ones(tmp_path):
    class Same(torch.nn.Module):
        def forward(self, c):
            return c.reshape(2, 3)

    (result,) = call(load(convert(Same(), (TRUTH,)), tmp_path), OTHER)
    assert result.view(torch.uint8).tolist() == [[0, 1, 1], [1, 1, 1]]


SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void copy(device const float *x, device float *y,
                 uint i [[thread_position_in_grid]]) { y[i] = x[i]; }
"""
EMPTY, FULL = np.zeros(0, np.float32), np.ones(4, np.float32)


@pytest.mark.parametrize("x, y, name", [(EMPTY, FULL, "x"), (FULL, EMPTY, "y")])
def test_empty_arrays_for_pointers(x, y, name):
    copy = bessemer.compile(SOURCE).copy
    with pytest.raises(
        bessemer.ArgumentError,
        match=rf"'{name}' is a pointer to 'float', but the array given has no elements"
        r" \(float32\[0\]\); Metal has no empty buffers",
    ):
        copy(x, y, threads=4)
    copy(x, y, threads=0)


def plus_one(x: torch.Tensor) -> torch.Tensor:
    return x + 1


PLUS_ONE = TorchMetalKernel(
    "plus_one",
    ["x"],
    ["y"],
    "y[id] = x[id] + 1;",
    plus_one,
    [MetalParameter("id", "uint", "thread_position_in_grid")],
)


def eagerly(x):
    with eager_kernels():
        return PLUS_ONE(
            x,
            threads_per_grid=(x.numel(), 1, 1),
            threads_per_thread_group=(2, 1, 1),
            result_shapes=[list(x.shape)],
        )


@pytest.mark.parametrize(
    "values",
    [
        torch.tensor([2**31, 1]),
        torch.tensor([-(2**31) - 1]),
        torch.tensor([1.0, 1e300], dtype=torch.float64),
    ],
)
def test_eager_kernels_refuse_what_they_would_change(values):
    with pytest.raises(bessemer.ArgumentError, match="^x holds numbers beyond the ra"):
        eagerly(values)


@pytest.mark.parametrize(
    "values",
    [
        torch.tensor([2**31 - 2, -(2**31)]),
        torch.tensor([1e30, float("inf"), float("nan")], dtype=torch.float64),
    ],
)
def test_eager_kernels_take_wide_types(values):
    result = eagerly(values)
    assert result.dtype == values.dtype
    torch.testing.assert_close(result, values + 1, equal_nan=True, rtol=1e-6, atol=0)


ROWS = """#include <metal_stdlib>
#include <metal_tensor>
using namespace metal;
kernel void rows(tensor<device float, dextents<int, 2>, tensor_handle> x [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) { x[p.x, p.y] = 1; }
"""


@pytest.mark.parametrize("shape", [(0, 8), (8, 0), (0, 0)])
def test_tensors_without_elements(shape):
    x = np.zeros(shape, np.float32)
    bessemer.compile(ROWS).rows(x, threads=shape[::-1])
    bessemer.compile(ROWS).rows(x.T, threads=shape)
