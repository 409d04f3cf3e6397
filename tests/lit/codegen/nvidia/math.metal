// Fast functions use the special function unit, precise ones polynomials;
// division rounds correctly in safe mode alone.
//
// RUN: bsm-msl %s -o %t.ll
// RUN: bsm-msl %s --reflection -o %t.json
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel functions | FileCheck %s --check-prefix=FAST
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel scaled | FileCheck %s --check-prefix=SCALED
// RUN: bsm-nvidia %t.ll --reflection %t.json --kernel arrays | FileCheck %s --check-prefix=ARRAYS
// RUN: bsm-msl %s --math=safe -o %t-safe.ll
// RUN: bsm-nvidia %t-safe.ll --reflection %t.json --kernel functions | FileCheck %s --check-prefix=SAFE

#include <metal_stdlib>
using namespace metal;

// FAST-LABEL: .entry bsm_functions
// FAST-DAG: ex2.approx.ftz.f32
// FAST-DAG: lg2.approx.ftz.f32
// FAST-DAG: sin.approx.ftz.f32
// FAST-DAG: rsqrt.approx.ftz.f32
// FAST-DAG: rcp.approx.ftz.f32
// FAST-DAG: sqrt.approx.ftz.f32
// FAST-NOT: div.rn
// SAFE-LABEL: .entry bsm_functions
// SAFE-NOT: approx
// SAFE: {{div|rcp}}.rn.f32
kernel void functions(device float *x [[buffer(0)]],
                      device const float *y [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  x[i] = exp(y[i]) + log(y[i + 1]) + sin(y[i + 2]) + rsqrt(y[i + 3]) +
         y[i + 4] / y[i + 5] + sqrt(y[i + 6]);
}

// The reciprocal is taken once, before the loop.
// SCALED-LABEL: .entry bsm_scaled
// SCALED: rcp.approx
// SCALED-NOT: rcp.approx
kernel void scaled(device float *x [[buffer(0)]],
                   device const float *y [[buffer(1)]],
                   constant uint &n [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  float divisor = y[i];
  for (uint k = i; k < n; k += 64)
    x[k] = x[k] / divisor;
}

// Private arrays become registers.
// ARRAYS-LABEL: .entry bsm_arrays
// ARRAYS-NOT: .local
kernel void arrays(device float *x [[buffer(0)]],
                   device const float *y [[buffer(1)]],
                   constant uint &n [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  float sums[64] = {};
  for (uint k = 0; k < n; ++k)
    for (uint j = 0; j < 64; ++j)
      sums[j] = fma(y[k * 64 + j], x[i], sums[j]);
  float total = 0;
  for (uint j = 0; j < 64; ++j)
    total = max(total, sums[j] * float(j));
  x[i] = total;
}
