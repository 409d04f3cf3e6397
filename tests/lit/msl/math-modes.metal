// Fast-math flags and function forms follow the math mode.
// RUN: bsm-msl %s | FileCheck %s --check-prefix=RELAXED
// RUN: bsm-msl --math=safe %s | FileCheck %s --check-prefix=SAFE
// RUN: bsm-msl --math=fast %s | FileCheck %s --check-prefix=FAST
#include <metal_stdlib>
using namespace metal;

// RELAXED-DAG: fadd reassoc nsz arcp contract float
// SAFE-DAG: fadd float
// FAST-DAG: fadd reassoc nnan ninf nsz arcp contract float
kernel void math(device float *x) {
  x[0] = x[1] + x[2];
  x[3] = exp(x[4]);
  x[5] = precise::sin(x[5]);
  x[6] = fast::log(x[6]);
}
// RELAXED-DAG: declare float @bsm.exp.fast.f32(float)
// SAFE-DAG: declare float @bsm.exp.precise.f32(float)
// FAST-DAG: declare float @bsm.exp.fast.f32(float)
// SAFE-DAG: declare float @bsm.sin.precise.f32(float)
// RELAXED-DAG: declare float @bsm.sin.precise.f32(float)
// SAFE-DAG: declare float @bsm.log.fast.f32(float)
