// RUN: bsm-plan %s | FileCheck %s

// Linear, custom kernel with a scalar, Linear: the transposes are folded into
// the products, the biases too.
// CHECK: output 0 "y": t[[Y:[0-9]+]] [2, 3]
// CHECK: t[[H:[0-9]+]] = gemm t0, t[[W1:[0-9]+]]^T + t[[B1:[0-9]+]]
// CHECK: dispatch scale_aaaaaaaa of source 0 (tensor t[[H]], bytes 0x00000040, tensor t[[K:[0-9]+]]) threads [8, 1, 1] group [8, 1, 1]
// CHECK: t[[Y]] = gemm t[[K]], t[[W2:[0-9]+]]^T + t[[B2:[0-9]+]]
// CHECK-NOT: copy
!placed = tensor<2x4xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1], interleave: [1x1]>>
!scalar = tensor<f32, #coreaix.hw_constraints<MTLBuffer, alignments: [1], interleave: []>>
coreai.graph @main(%x: tensor<2x5xf32> {coreai.name = "x"}) -> (tensor<2x3xf32> {coreai.name = "y"}) {
  %swap = coreai.constant dense<[1, 0]> : tensor<2xui32>
  %grid = coreai.constant dense<[8, 1, 1]> : tensor<3xui32>
  %shape = coreai.constant dense<[2, 4]> : tensor<2xui32>
  %c = coreai.constant dense<2.0> : tensor<f32>
  %w1 = coreai.constant dense<1.0> : tensor<4x5xf32>
  %b1 = coreai.constant dense<0.5> : tensor<4xf32>
  %w2 = coreai.constant dense<2.0> : tensor<3x4xf32>
  %b2 = coreai.constant dense<0.25> : tensor<3xf32>
  %t1 = coreai.transpose %w1, %swap : (tensor<4x5xf32>, tensor<2xui32>) -> tensor<5x4xf32>
  %m1 = coreai.decomposable.broadcasting_batch_matmul %x, %t1 : (tensor<2x5xf32>, tensor<5x4xf32>) -> tensor<2x4xf32>
  %h = coreai.decomposable.broadcasting_add %m1, %b1 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %a = coreaix.copy_with_constraints(%h) : (tensor<2x4xf32>) -> !placed
  %s = coreaix.copy_with_constraints(%c) : (tensor<f32>) -> !scalar
  %k = coreai.metal4_kernel kernel_args(%a, %s), threads_per_grid %grid, threads_per_thread_group %grid, result_shapes(%shape) {kernel_name = "scale_aaaaaaaa", kernel_source = "text"} : (!placed, !scalar, tensor<3xui32>, tensor<3xui32>, tensor<2xui32>) -> !placed
  %d = coreaix.copy_discarding_constraints(%k) : (!placed) -> tensor<2x4xf32>
  %t2 = coreai.transpose %w2, %swap : (tensor<3x4xf32>, tensor<2xui32>) -> tensor<4x3xf32>
  %m2 = coreai.decomposable.broadcasting_batch_matmul %d, %t2 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %y = coreai.decomposable.broadcasting_add %m2, %b2 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  coreai.output %y : tensor<2x3xf32>
}
