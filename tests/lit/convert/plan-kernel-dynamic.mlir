// RUN: bsm-plan --lower %s --sources | FileCheck %s

// A custom kernel whose grid follows the input.
// CHECK: input 0 "x": t0 [?, 8]
// CHECK: output 0 "y": t[[Y:[0-9]+]] [?, 8]
// CHECK: t[[Y]]: float32[r[[N:[0-9]+]], 8] output 0
// CHECK: r[[N]] = dim input 0 axis 0
// CHECK: dispatch silu_abcdefgh of source 0 (tensor t0, tensor t[[Y]]) threads [8, r[[N]], 1] group [8, 8, 1]
// CHECK: source 0 math 1 silu_abcdefgh.metal:
// CHECK: y[id.x, id.y] = v / (1 + exp(-v));
!plain = tensor<?x8xf32>
!placed = tensor<?x8xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1], interleave: [1x1]>>
coreai.graph @main(%x: !plain {coreai.name = "x"}) -> (!plain {coreai.name = "y"}) {
  %n = torch.call "aten.sym_size.int"(%x) {arguments = ["%0", 0 : si64]} : (!plain) -> tensor<si32>
  %grid = torch.call "bessemer.shape_vector"(%n) {arguments = [[8 : si64, "%0", 1 : si64]]} : (tensor<si32>) -> tensor<3xui32>
  %group = torch.call "bessemer.shape_vector"() {arguments = [[8 : si64, 8 : si64, 1 : si64]]} : () -> tensor<3xui32>
  %shape = torch.call "bessemer.shape_vector"(%n) {arguments = [["%0", 8 : si64]]} : (tensor<si32>) -> tensor<2xui32>
  %a = coreaix.copy_with_constraints(%x) : (!plain) -> !placed
  %k = coreai.metal4_kernel kernel_args(%a), threads_per_grid %grid, threads_per_thread_group %group, result_shapes(%shape) {kernel_name = "silu_abcdefgh", kernel_source = "\0A#include <metal_stdlib>\0Ausing namespace metal;\0A\0A[[kernel]] void silu_abcdefgh(tensor<device float, metal::dextents<int, 2>, tensor_handle> x [[buffer(0)]], tensor<device float, metal::dextents<int, 2>, tensor_handle> y [[buffer(1)]], uint2 id [[thread_position_in_grid]]) { float v = x[id.x, id.y]; y[id.x, id.y] = v / (1 + exp(-v)); }"} : (!placed, tensor<3xui32>, tensor<3xui32>, tensor<2xui32>) -> !placed
  %y = coreaix.copy_discarding_constraints(%k) : (!placed) -> !plain
  coreai.output %y : !plain
}
