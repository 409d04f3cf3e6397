"""Grids of complete groups have smaller code; others are served at any time."""

import numpy as np
import pytest

import bessemer

SOURCE = """#include <metal_stdlib>
using namespace metal;
kernel void sums(device const int *x, device int *out,
                 uint2 at [[thread_position_in_grid]],
                 uint2 extent [[threads_per_grid]],
                 uint index [[thread_index_in_threadgroup]],
                 uint lane [[thread_index_in_simdgroup]]) {
  uint i = at.y * extent.x + at.x;
  out[i] = x[i] * 3 + int(index) + int(lane) * 1000;
}
"""

GRIDS = [((64, 4), (32, 2)), ((70, 5), (32, 2)), ((96, 6), (32, 2)), ((40, 3), (5, 3))]


def expected(x, grid, group):
    """Metal numbers the threads that an edge group has."""
    (width, height), (gx, gy) = grid, group
    row, column = np.indices((height, width))
    present = np.minimum(gx, width - column // gx * gx)
    index = row % gy * present + column % gx
    return x * 3 + index + index % 32 * 1000


@pytest.mark.parametrize("order", [GRIDS, GRIDS[::-1]], ids=["cut later", "cut first"])
def test_every_grid_has_its_results(order):
    kernel = bessemer.compile(SOURCE)["sums"]
    for grid, group in order:
        x = np.arange(grid[0] * grid[1], dtype=np.int32).reshape(grid[::-1])
        out = np.zeros_like(x)
        kernel(x, out, threads=grid, group_size=group)
        np.testing.assert_array_equal(out, expected(x, grid, group))


def test_code_for_complete_groups_is_smaller():
    library = bessemer.compile(SOURCE)
    sizes = [
        len(library.emit("sums", "asm", group_size=(32, 2, 1), complete_groups=flag))
        for flag in (True, False)
    ]
    assert sizes[0] < sizes[1]
