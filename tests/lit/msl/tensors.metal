// Tensor handles: subscripts are checked, at the user's line; a guard proves
// the checks.
// RUN: bsm-msl %s | FileCheck %s
// RUN: bsm-msl %s | opt -O2 -S | FileCheck %s --check-prefix=OPT
// RUN: bsm-msl --reflection %s | FileCheck %s --check-prefix=REFLECT

#include <metal_stdlib>
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
using namespace metal;
using namespace mpp::tensor_ops;

// CHECK: define {{.*}}void @vector_add(ptr addrspace(4) noundef align 8 dereferenceable(120) %x, ptr addrspace(4) {{.*}}%y, ptr addrspace(4) {{.*}}%output)
// OPT-LABEL: @vector_add(
// OPT: call void @bsm.check_index(i1 {{.*}}, ptr addrspace(4) %x, i32 0, i64 {{.*}}), !dbg [[LINE:![0-9]+]]
// OPT: load float, ptr addrspace(1)
[[kernel]] void vector_add(tensor<device float, metal::dextents<int, 1>, tensor_handle> x [[buffer(0)]], tensor<device float, metal::dextents<int, 1>, tensor_handle> y [[buffer(1)]], tensor<device float, metal::dextents<int, 1>, tensor_handle> output [[buffer(2)]], uint id [[thread_position_in_grid]]) { output[id] = x[id] + y[id]; }

// OPT-LABEL: @guarded(
// OPT-NOT: @bsm.check_index(i1 %
// OPT: call void @bsm.check_index(i1 true, ptr addrspace(4) %A, i32 0
// OPT: call void @bsm.check_index(i1 true, ptr addrspace(4) %A, i32 1
// OPT-NOT: @bsm.check_index(i1 %
// OPT: ret void
kernel void guarded(tensor<device half, dextents<int, 2>, tensor_handle> A,
                    tensor<device const half, dextents<int, 0>, tensor_handle> s,
                    uint2 id [[thread_position_in_grid]]) {
  if (id.x >= A.get_extent(0) || id.y >= A.get_extent(1))
    return;
  A[id.x, id.y] = A[array<uint, 2>{id.x, id.y}] * s[];
}
// OPT: [[LINE]] = !DILocation(line: 16, column: 319

// REFLECT: "access":"read"
// REFLECT-SAME: "kind":"tensor"
// REFLECT-SAME: "name":"s","rank":0
