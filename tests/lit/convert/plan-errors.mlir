// RUN: split-file %s %t
// RUN: not bsm-plan %t/group.mlir 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: not bsm-plan %t/shape.mlir 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not bsm-plan %t/literal.mlir 2>&1 | FileCheck %s --check-prefix=LITERAL
// RUN: not bsm-plan %t/recursion.mlir 2>&1 | FileCheck %s --check-prefix=RECURSION
// RUN: bsm-plan %t/broadcast.mlir | FileCheck %s --check-prefix=BROADCAST

//--- group.mlir
// GROUP: kernel k: a threadgroup has 2048 threads; at most 1024 are possible
!placed = tensor<4xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
coreai.graph @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %grid = coreai.constant dense<[2048, 1, 1]> : tensor<3xui32>
  %shape = coreai.constant dense<4> : tensor<1xui32>
  %a = coreaix.copy_with_constraints(%x) : (tensor<4xf32>) -> !placed
  %k = coreai.metal4_kernel kernel_args(%a), threads_per_grid %grid, threads_per_thread_group %grid, result_shapes(%shape) {kernel_name = "k", kernel_source = ""} : (!placed, tensor<3xui32>, tensor<3xui32>, tensor<1xui32>) -> !placed
  %y = coreaix.copy_discarding_constraints(%k) : (!placed) -> tensor<4xf32>
  coreai.output %y : tensor<4xf32>
}
//--- shape.mlir
// SHAPE: kernel k: axis 0 of the result has extent 5, but its type says 4
!placed = tensor<4xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
coreai.graph @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %grid = coreai.constant dense<[4, 1, 1]> : tensor<3xui32>
  %shape = coreai.constant dense<5> : tensor<1xui32>
  %a = coreaix.copy_with_constraints(%x) : (tensor<4xf32>) -> !placed
  %k = coreai.metal4_kernel kernel_args(%a), threads_per_grid %grid, threads_per_thread_group %grid, result_shapes(%shape) {kernel_name = "k", kernel_source = ""} : (!placed, tensor<3xui32>, tensor<3xui32>, tensor<1xui32>) -> !placed
  %y = coreaix.copy_discarding_constraints(%k) : (!placed) -> tensor<4xf32>
  coreai.output %y : tensor<4xf32>
}
//--- literal.mlir
// LITERAL: kernel k: result_shapes says that axis 0 always has extent 4, but it is dynamic
!placed = tensor<?xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
coreai.graph @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %grid = coreai.constant dense<[4, 1, 1]> : tensor<3xui32>
  %shape = coreai.constant dense<4> : tensor<1xui32>
  %a = coreaix.copy_with_constraints(%x) : (tensor<?xf32>) -> !placed
  %k = coreai.metal4_kernel kernel_args(%a), threads_per_grid %grid, threads_per_thread_group %grid, result_shapes(%shape) {kernel_name = "k", kernel_source = ""} : (!placed, tensor<3xui32>, tensor<3xui32>, tensor<1xui32>) -> !placed
  %y = coreaix.copy_discarding_constraints(%k) : (!placed) -> tensor<?xf32>
  coreai.output %y : tensor<?xf32>
}
//--- recursion.mlir
// RECURSION: function 'main' calls 'main', which cannot be inlined
coreai.graph @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = coreai.invoke @main(%x)  : (tensor<4xf32>) -> tensor<4xf32>
  coreai.output %y : tensor<4xf32>
}
//--- broadcast.mlir
// Two unrelated dynamic extents: checked when the function runs.
// BROADCAST: require {{.*}} "broadcasting_add: the extents of its operands differ on axis 0 and neither is 1"
coreai.graph @main(%x: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %y = coreai.decomposable.broadcasting_add %x, %z : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  coreai.output %y : tensor<?xf32>
}
