"""Lanes that walk along rows, share rows or read neighbours: the accesses that
compiled code makes of several lanes at once, against NumPy."""

import numpy as np
import pytest

import bessemer

SEED = 2026

WALK = """#include <metal_stdlib>
using namespace metal;
// Rows of 48 elements, of which each thread sums some, twice: what it writes in
// between belongs to what is read again.
kernel void walk(device float *x, device const uint *counts, device float *out,
                 constant uint &shift, uint i [[thread_position_in_grid]]) {
  uint start = i * 48 + shift;
  float total = 0;
  for (uint again = 0; again < 2; again++) {
    float sum = 0;
    for (uint k = 0; k < counts[i]; k++) {
      float v = x[start + k];
      if (v < -0.9f)
        break;
      sum += v;
    }
    total += sum;
    x[start + 3] = 0.25f;
  }
  out[i] = total;
}
"""

FRAGMENTS = """#include <metal_stdlib>
using namespace metal;
// Rows of a length known at run time, eight lanes a row, two elements a lane.
template <typename T>
kernel void swap(device const T *x, device T *y, constant uint &columns,
                 uint i [[thread_position_in_grid]]) {
  uint at = (i / 8) * columns + (i % 8) * 2;
  y[at] = x[at + 1];
  y[at + 1] = x[at];
}
template [[host_name("swap_float")]] kernel void
swap<float>(device const float *, device float *, constant uint &, uint);
template [[host_name("swap_half")]] kernel void
swap<half>(device const half *, device half *, constant uint &, uint);

// One row for every four lanes.
kernel void rows(device const float *x, device float *y, constant uint &columns,
                 uint i [[thread_position_in_grid]]) {
  uint at = (i / 4) * columns + i % 4;
  for (uint k = 0; k < columns; k += 4)
    y[at + k] = x[at + k] + k;
}
"""

NEIGHBOURS = """#include <metal_stdlib>
using namespace metal;
// %d neighbours a thread, under a condition that some threads fail.
kernel void rotate(device const float *x, device float *y,
                   uint i [[thread_position_in_grid]]) {
  if (x[i * %d] > 0) {
#pragma unroll
    for (uint j = 0; j < %d; j++)
      y[i * %d + j] = x[i * %d + (j + 1) %% %d];
  }
}
"""


@pytest.mark.parametrize("shift", range(9))
@pytest.mark.parametrize("threads", [64, 77])
def test_rows_of_lanes(threads, shift):
    generator = np.random.default_rng(SEED + shift)
    x = generator.uniform(-1, 1, threads * 48 + 16).astype(np.float32)
    counts = generator.integers(0, 40, threads, np.uint32)
    want = np.zeros(threads, np.float32)
    after = x.copy()
    for i in range(threads):
        row = after[i * 48 + shift :]
        for _ in range(2):
            part = row[: counts[i]]
            ends = np.flatnonzero(part < np.float32(-0.9))
            want[i] += part[: ends[0] if ends.size else None].sum(dtype=np.float64)
            row[3] = 0.25
    out = np.zeros(threads, np.float32)
    kernel = bessemer.compile(WALK)["walk"]
    kernel(x, counts, out, np.uint32(shift), threads=threads, group_size=64)
    np.testing.assert_allclose(out, want, rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(x, after)


@pytest.mark.parametrize(
    ("name", "dtype"), [("float", np.float32), ("half", np.float16)]
)
@pytest.mark.parametrize("columns", [16, 19])
def test_pairs_in_shared_rows(name, dtype, columns):
    x = np.arange(12 * columns).astype(dtype)
    y, want = np.zeros_like(x), np.zeros_like(x)
    for row in range(12):
        pairs = x[row * columns :][:16].reshape(8, 2)
        want[row * columns :][:16] = pairs[:, ::-1].reshape(-1)
    kernel = bessemer.compile(FRAGMENTS)[f"swap_{name}"]
    kernel(x, y, np.uint32(columns), threads=12 * 8, group_size=64)
    np.testing.assert_array_equal(y, want)


def test_lanes_in_shared_rows():
    columns = 20
    x = np.arange(40 * columns, dtype=np.float32)
    y = np.zeros_like(x)
    kernel = bessemer.compile(FRAGMENTS)["rows"]
    kernel(x, y, np.uint32(columns), threads=40 * 4, group_size=64)
    steps = np.arange(columns, dtype=np.float32) // 4 * 4
    np.testing.assert_array_equal(
        y.reshape(40, columns), x.reshape(40, columns) + steps
    )


@pytest.mark.parametrize("count", [2, 4, 8])
@pytest.mark.parametrize("threads", [64, 50])
def test_neighbours_under_masks(count, threads):
    x = np.random.default_rng(SEED).uniform(-1, 1, (threads, count)).astype(np.float32)
    y = np.full_like(x, 7)
    want = np.where(x[:, :1] > 0, np.roll(x, -1, axis=1), y)
    kernel = bessemer.compile(NEIGHBOURS % ((count,) * 6))["rotate"]
    kernel(x, y, threads=threads, group_size=64)
    np.testing.assert_array_equal(y, want)
