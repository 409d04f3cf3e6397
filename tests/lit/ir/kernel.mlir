// A custom kernel in its graph, in text, generic text and bytecode.
// RUN: bsm-ir-opt %s | FileCheck %s
// RUN: bsm-ir-opt %s --mlir-print-op-generic | bsm-ir-opt | FileCheck %s
// RUN: bsm-ir-opt %s --emit-bytecode | bsm-ir-opt | FileCheck %s
// RUN: bsm-ir-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: coreai.graph @main(%arg0: tensor<16xf32> {coreai.name = "x"}, %arg1: tensor<16xf32> {coreai.name = "y"}) -> (tensor<16xf32> {coreai.name = "output"}) attributes {__coreai_pure__} {
// CHECK-NEXT: %0 = coreai.constant dense<[16, 1, 1]> : tensor<3xui32>
// CHECK-NEXT: %1 = coreai.constant dense<1> : tensor<3xui32>
// CHECK-NEXT: %2 = coreai.constant dense<16> : tensor<1xui32>
// CHECK-NEXT: %3 = coreaix.copy_with_constraints(%arg0) : (tensor<16xf32>) -> tensor<16xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
// CHECK-NEXT: %4 = coreaix.copy_with_constraints(%arg1) : (tensor<16xf32>) -> tensor<16xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
// CHECK-NEXT: %5 = coreai.metal4_kernel kernel_args(%3, %4), threads_per_grid %0, threads_per_thread_group %1, result_shapes(%2) {kernel_name = "vector_add_pjbsiojq", kernel_source = "\0A#include <metal_stdlib>\0A"} : (tensor<16xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>, tensor<16xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>, tensor<3xui32>, tensor<3xui32>, tensor<1xui32>) -> tensor<16xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
// CHECK-NEXT: %6 = coreaix.copy_discarding_constraints(%5) : (tensor<16xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>) -> tensor<16xf32>
// CHECK-NEXT: coreai.output %6 : tensor<16xf32>
// GENERIC: "coreai.graph"() <{arg_attrs = [{coreai.name = "x"}, {coreai.name = "y"}], function_type = (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>, res_attrs = [{coreai.name = "output"}], sym_name = "main"}>
// GENERIC: "coreai.metal4_kernel"(%{{.*}}) <{kernel_name = "vector_add_pjbsiojq", kernel_source = "{{.*}}", operandSegmentSizes = array<i32: 2, 1, 1, 1>}>
coreai.graph @main(%arg0: tensor<16xf32> {coreai.name = "x"}, %arg1: tensor<16xf32> {coreai.name = "y"}) -> (tensor<16xf32> {coreai.name = "output"}) attributes {__coreai_pure__} {
  %0 = coreai.constant dense<[16, 1, 1]> : tensor<3xui32>
  %1 = coreai.constant dense<1> : tensor<3xui32>
  %2 = coreai.constant dense<16> : tensor<1xui32>
  %3 = coreaix.copy_with_constraints(%arg0) : (tensor<16xf32>) -> tensor<16xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
  %4 = coreaix.copy_with_constraints(%arg1) : (tensor<16xf32>) -> tensor<16xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
  %5 = coreai.metal4_kernel kernel_args(%3, %4), threads_per_grid %0, threads_per_thread_group %1, result_shapes(%2) {kernel_name = "vector_add_pjbsiojq", kernel_source = "\0A#include <metal_stdlib>\0A"} : (tensor<16xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>, tensor<16xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>, tensor<3xui32>, tensor<3xui32>, tensor<1xui32>) -> tensor<16xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
  %6 = coreaix.copy_discarding_constraints(%5) : (tensor<16xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>) -> tensor<16xf32>
  coreai.output %6 : tensor<16xf32>
}

// Scalars are rank 0; several results are printed as one pack; equal shapes
// share a value.
// CHECK-LABEL: coreai.graph @several
// CHECK: coreaix.copy_with_constraints(%arg0) : (tensor<f32>) -> tensor<f32, #coreaix.hw_constraints<MTLBuffer, alignments: [1], interleave: []>>
// CHECK: %[[PACK:.*]]:2 = coreai.metal4_kernel kernel_args(%{{.*}}), threads_per_grid %{{.*}}, threads_per_thread_group %{{.*}}, result_shapes(%[[SHAPE:.*]], %[[SHAPE]]) {{.*}} -> (tensor<2x2x3xf16, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1x1], interleave: [1x1x1]>>, tensor<2x2x3xf16, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1x1], interleave: [1x1x1]>>)
coreai.graph @several(%arg0: tensor<f32>) -> (tensor<2x2x3xf16, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1x1], interleave: [1x1x1]>>, tensor<2x2x3xf16, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1x1], interleave: [1x1x1]>>) {
  %g = coreai.constant dense<1> : tensor<3xui32>
  %shape = coreai.constant dense<[2, 2, 3]> : tensor<3xui32>
  %a = coreaix.copy_with_constraints(%arg0) : (tensor<f32>) -> tensor<f32, #coreaix.hw_constraints<MTLBuffer, alignments: [1], interleave: []>>
  %r:2 = coreai.metal4_kernel kernel_args(%a), threads_per_grid %g, threads_per_thread_group %g, result_shapes(%shape, %shape) {kernel_name = "k", kernel_source = ""} : (tensor<f32, #coreaix.hw_constraints<MTLBuffer, alignments: [1], interleave: []>>, tensor<3xui32>, tensor<3xui32>, tensor<3xui32>, tensor<3xui32>) -> (tensor<2x2x3xf16, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1x1], interleave: [1x1x1]>>, tensor<2x2x3xf16, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1x1], interleave: [1x1x1]>>)
  coreai.output %r#0, %r#1 : tensor<2x2x3xf16, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1x1], interleave: [1x1x1]>>, tensor<2x2x3xf16, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1x1], interleave: [1x1x1]>>
}
