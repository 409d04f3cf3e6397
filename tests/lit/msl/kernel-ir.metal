// Kernels in kernel IR: one parameter per argument, thread attributes as calls.
// RUN: bsm-msl %s | FileCheck %s
// RUN: bsm-msl %s | FileCheck %s --check-prefix=ATTRIBUTES --implicit-check-not=optnone --implicit-check-not=target-cpu
// RUN: bsm-msl %s | opt -passes=verify -disable-output
#include <metal_stdlib>
using namespace metal;

struct Params {
  uint n;
  float scale;
};

// CHECK-NOT: target triple
// CHECK: define {{.*}}void @saxpy(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(4) %p) #[[KERNEL:[0-9]+]] !dbg
// CHECK: %i = call i32 @bsm.thread_position_in_grid.x()
// CHECK-NOT: llvm.var.annotation
kernel void saxpy(device const float *x, device float *y, constant Params &p,
                  uint i [[thread_position_in_grid]]) {
  if (i < p.n)
    y[i] += p.scale * x[i];
}

// CHECK: define {{.*}}void @attributes(ptr addrspace(1) %out, ptr addrspace(3) %scratch) #[[KERNEL]]
// CHECK: call i32 @bsm.thread_position_in_threadgroup.x()
// CHECK: call i32 @bsm.thread_position_in_threadgroup.y()
// CHECK: call i32 @bsm.thread_position_in_threadgroup.z()
// CHECK: [[LANE:%.*]] = call i32 @bsm.thread_index_in_simdgroup()
// CHECK: trunc i32 [[LANE]] to i16
// CHECK: call i32 @bsm.threads_per_grid.x()
// CHECK-NOT: bsm.threads_per_grid.z
// CHECK: [[INDEX:%.*]] = call i32 @bsm.thread_index_in_threadgroup()
// CHECK: and i32 [[INDEX]], 3
kernel void attributes(device uint *out, threadgroup uint *scratch,
                       uint3 t [[thread_position_in_threadgroup]],
                       ushort lane [[thread_index_in_simdgroup]],
                       ushort2 grid [[threads_per_grid]],
                       uint quad [[thread_index_in_quadgroup]],
                       uint width [[threads_per_simdgroup]]) {
  scratch[t.x] = lane;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t.y] = scratch[t.z] + grid.y + quad + width;
}

// CHECK: define {{.*}}void @scale_float(ptr addrspace(1) %data)
// CHECK: define {{.*}}void @scale_half(ptr addrspace(1) %data)
template <typename T>
[[kernel]] void scale(device T *data [[buffer(0)]],
                      uint i [[thread_position_in_grid]]) {
  data[i] *= T(2);
}
template [[host_name("scale_float")]] [[kernel]] void
scale<float>(device float *, uint);
template [[host_name("scale_half")]] [[kernel]] decltype(scale<half>) scale<half>;

// CHECK: define {{.*}}void @"space::inner"(
namespace space {
[[kernel]] void inner(device int *x) { x[0] = 1; }
} // namespace space

// ATTRIBUTES-DAG: declare i32 @bsm.thread_index_in_simdgroup() #[[PURE:[0-9]+]]
// ATTRIBUTES-DAG: declare void @bsm.threadgroup_barrier(i32) #[[BARRIER:[0-9]+]]
// ATTRIBUTES-DAG: attributes #[[BARRIER]] = { convergent nounwind }
// ATTRIBUTES-DAG: attributes #[[PURE]] = { nounwind willreturn memory(none) }
// ATTRIBUTES-DAG: "bsm.kernel"
