// RUN: bsm-plan --lower %s --sources | FileCheck %s

// Where the user wrote a kernel is fused with the location of its call; what does
// not look like it is left out. One text at two places is two sources, at one place
// it is one.
// CHECK: source 0 math 1 a.metal:
// CHECK: alpha line 1: model.py:30
// CHECK-NEXT: alpha line 3: :0
// CHECK-NEXT: source 1 math 1 b.metal:
// CHECK: kernel void b
// CHECK-NEXT: beta line 2: model.py:4
// CHECK-NOT: beta line
// CHECK: source 2 math 1 a.metal:
// CHECK: alpha line 1: other.py:7
// CHECK-NOT: source 3
!plain = tensor<8xf32>
!placed = tensor<8xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
coreai.graph @main(%x: !plain {coreai.name = "x"}) -> (!plain {coreai.name = "y"}) {
  %grid = torch.call "bessemer.shape_vector"() {arguments = [[8 : si64, 1 : si64, 1 : si64]]} : () -> tensor<3xui32>
  %shape = torch.call "bessemer.shape_vector"() {arguments = [[8 : si64]]} : () -> tensor<1xui32>
  %in = coreaix.copy_with_constraints(%x) : (!plain) -> !placed
  %a = coreai.metal4_kernel kernel_args(%in), threads_per_grid %grid, threads_per_thread_group %grid, result_shapes(%shape) {kernel_name = "a", kernel_source = "kernel void a() {}"} : (!placed, tensor<3xui32>, tensor<3xui32>, tensor<1xui32>) -> !placed loc(fused<{kernel = "alpha", places = [[1, "model.py", 30], [3, "", 0]]}>["model.py":40:0])
  %b = coreai.metal4_kernel kernel_args(%a), threads_per_grid %grid, threads_per_thread_group %grid, result_shapes(%shape) {kernel_name = "b", kernel_source = "kernel void b() {}"} : (!placed, tensor<3xui32>, tensor<3xui32>, tensor<1xui32>) -> !placed loc(fused<{kernel = "beta", places = [[2, "model.py", 4], [1, "model.py", 9], "x", [3, 4]]}>[unknown])
  %c = coreai.metal4_kernel kernel_args(%b), threads_per_grid %grid, threads_per_thread_group %grid, result_shapes(%shape) {kernel_name = "a", kernel_source = "kernel void a() {}"} : (!placed, tensor<3xui32>, tensor<3xui32>, tensor<1xui32>) -> !placed loc(fused<{kernel = "alpha", places = [[1, "other.py", 7]]}>["model.py":40:0])
  %d = coreai.metal4_kernel kernel_args(%c), threads_per_grid %grid, threads_per_thread_group %grid, result_shapes(%shape) {kernel_name = "a", kernel_source = "kernel void a() {}"} : (!placed, tensor<3xui32>, tensor<3xui32>, tensor<1xui32>) -> !placed loc(fused<{kernel = "alpha", places = [[1, "model.py", 30], [3, "", 0]]}>["model.py":40:0])
  %y = coreaix.copy_discarding_constraints(%d) : (!placed) -> !plain
  coreai.output %y : !plain
}
