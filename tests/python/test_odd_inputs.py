"""Inputs that are unusual, but not refused: booleans of other bytes. And empty ones."""

import numpy as np
import pytest
import torch
from models import call, convert, load

import bessemer

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
