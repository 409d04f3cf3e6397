// The side table: arguments, indices, element types, uses.
// RUN: bsm-msl --reflection --file-name=r.metal %s | FileCheck %s
#include <metal_stdlib>
using namespace metal;
struct Params { float4 a; int n; };
// CHECK: "arguments":[
// CHECK-SAME: {"access":"read","alignment":2,"element":"float16","index":0,"kind":"buffer","location":{"column":{{[0-9]+}},"file":"r.metal","line":[[#@LINE+11]]},"name":"x","rank":0,"reference":false,"size":2,"space":"device","type":"half","width":1}
// CHECK-SAME: {"access":"write","alignment":16,"element":"float32","index":3,
// CHECK-SAME: "name":"y",{{.*}}"size":16,"space":"device","type":"float4","width":4}
// CHECK-SAME: {"access":"read","alignment":16,"element":"invalid","index":1,
// CHECK-SAME: "name":"p",{{.*}}"reference":true,"size":32,"space":"constant","type":"Params","width":1}
// CHECK-SAME: {"access":"read","alignment":4,"element":"int32","index":0,"kind":"threadgroup memory",
// CHECK-SAME: "name":"t",{{.*}}"space":"threadgroup",
// CHECK-SAME: "barrier":true
// CHECK-SAME: "max_threads":256,"name":"k","simdgroup":true
// CHECK-SAME: "threadgroup_memory":128
[[max_total_threads_per_threadgroup(256)]] kernel void
k(device const half *x, device float4 *y [[buffer(3)]], constant Params &p,
  threadgroup int *t, uint i [[thread_position_in_threadgroup]]) {
  threadgroup float partial[32];
  partial[i / 32] = simd_sum(float(x[i]));
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = partial[0] * p.a + t[0];
}
