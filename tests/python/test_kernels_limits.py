"""Kernels at the edge of what compiled code can do, against NumPy."""

import ml_dtypes
import numpy as np
import pytest

import bessemer

APART = """
#include <metal_stdlib>
using namespace metal;
kernel void apart(device int *out [[buffer(0)]],
                  uint t [[thread_index_in_threadgroup]],
                  uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup int tile[128];
  tile[t] = int(simd_sum(t));
  if (s == 0) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[t] = tile[t ^ 1];
  } else {
    tile[t] += 1;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[t] = tile[t ^ 2];
  }
}
"""


def test_threads_at_different_barriers_are_a_fault():
    kernel = bessemer.compile(APART)["apart"]
    with pytest.raises(bessemer.KernelFault, match="some wait at another one"):
        kernel(np.zeros(128, np.int32), threads=128, group_size=128)


ARRAYS = """
#include <metal_stdlib>
using namespace metal;
kernel void arrays(device int *out [[buffer(0)]],
                   uint i [[thread_position_in_grid]]) {
  int all[20000];
  for (int k = 0; k < 20000; ++k)
    all[k] = k ^ int(i);
  int sum = 0;
  for (int k = 0; k < 20000; k += 37)
    sum += all[(k * 7 + i) % 20000u];
  out[i] = sum;
}
"""


def test_private_arrays_larger_than_a_stack():
    out = np.zeros(100, np.int32)
    bessemer.compile(ARRAYS)["arrays"](out, threads=100, group_size=64)
    k = np.arange(0, 20000, 37)
    wanted = [(((k * 7 + i) % 20000) ^ i).sum() for i in range(100)]
    np.testing.assert_array_equal(out, wanted)


LONGS = """
#include <metal_stdlib>
using namespace metal;
kernel void narrow(device const long *x [[buffer(0)]],
                   device bfloat *y [[buffer(1)]],
                   device bfloat *z [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  y[i] = bfloat(x[i]);
  z[i] = bfloat(ulong(x[i]));
}
"""


def test_long_to_bfloat_rounds_once():
    # One above the midpoint of two bfloats: float and double lose that one.
    above = np.array([2**62 + 2**54 + 1, 2**24 + 2**16 + 1, 2**62 + 2**54, 77, 0])
    wanted = np.array([2**62 + 2**55, 2**24 + 2**17, 2**62, 77, 0], np.float32)
    y, z = np.zeros((2, 10), ml_dtypes.bfloat16)
    x = np.concatenate([above, -above])
    bessemer.compile(LONGS)["narrow"](x, y, z, threads=10)
    np.testing.assert_array_equal(y, np.concatenate([wanted, -wanted]))
    np.testing.assert_array_equal(z[:5], wanted)
