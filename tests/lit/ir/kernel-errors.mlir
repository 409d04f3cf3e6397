// RUN: bsm-ir-opt %s -split-input-file -verify-diagnostics
!constrained = tensor<4xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
coreai.graph @plain_operand(%x: tensor<4xf32>, %g: tensor<3xui32>, %s: tensor<1xui32>) -> !constrained {
  // expected-error@+1 {{operand #0 must be variadic of MTLBuffer-backed CoreAI Tensor of Metal 4 supported element type values, but got 'tensor<4xf32>'}}
  %0 = coreai.metal4_kernel kernel_args(%x), threads_per_grid %g, threads_per_thread_group %g, result_shapes(%s) {kernel_name = "k", kernel_source = ""} : (tensor<4xf32>, tensor<3xui32>, tensor<3xui32>, tensor<1xui32>) -> !constrained
  coreai.output %0 : !constrained
}

// -----
!heap = tensor<4xf32, #coreaix.hw_constraints<Heap, alignments: [1x1], interleave: [1]>>
coreai.graph @heap_result(%g: tensor<3xui32>, %s: tensor<1xui32>) -> !heap {
  // expected-error@+1 {{result #0 must be variadic of MTLBuffer-backed CoreAI Tensor of Metal 4 supported element type values, but got}}
  %0 = coreai.metal4_kernel kernel_args(), threads_per_grid %g, threads_per_thread_group %g, result_shapes(%s) {kernel_name = "k", kernel_source = ""} : (tensor<3xui32>, tensor<3xui32>, tensor<1xui32>) -> !heap
  coreai.output %0 : !heap
}

// -----
!bool = tensor<4xi1, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
coreai.graph @bool_operand(%x: !bool, %g: tensor<3xui32>) {
  // expected-error@+1 {{operand #0 must be variadic of MTLBuffer-backed}}
  coreai.metal4_kernel kernel_args(%x), threads_per_grid %g, threads_per_thread_group %g, result_shapes() {kernel_name = "k", kernel_source = ""} : (!bool, tensor<3xui32>, tensor<3xui32>) -> ()
  coreai.output
}

// -----
!constrained = tensor<4xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
coreai.graph @grid(%x: !constrained, %g: tensor<2xui32>, %t: tensor<3xui32>) {
  // expected-error@+1 {{operand #1 must be 3-element unsigned index tensor, but got 'tensor<2xui32>'}}
  coreai.metal4_kernel kernel_args(%x), threads_per_grid %g, threads_per_thread_group %t, result_shapes() {kernel_name = "k", kernel_source = ""} : (!constrained, tensor<2xui32>, tensor<3xui32>) -> ()
  coreai.output
}

// -----
!constrained = tensor<4xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
coreai.graph @dynamic_grid(%x: !constrained, %g: tensor<?xui32>, %t: tensor<3xui32>) {
  // expected-error@+1 {{operand #1 must be 3-element unsigned index tensor, but got 'tensor<?xui32>'}}
  coreai.metal4_kernel kernel_args(%x), threads_per_grid %g, threads_per_thread_group %t, result_shapes() {kernel_name = "k", kernel_source = ""} : (!constrained, tensor<?xui32>, tensor<3xui32>) -> ()
  coreai.output
}

// -----
!constrained = tensor<4xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
coreai.graph @shape(%x: !constrained, %t: tensor<3xui32>, %s: tensor<1xsi32>) -> !constrained {
  // expected-error@+1 {{operand #3 must be variadic of 1D CoreAI Tensor of 32-bit unsigned integer values, but got 'tensor<1xsi32>'}}
  %0 = coreai.metal4_kernel kernel_args(%x), threads_per_grid %t, threads_per_thread_group %t, result_shapes(%s) {kernel_name = "k", kernel_source = ""} : (!constrained, tensor<3xui32>, tensor<3xui32>, tensor<1xsi32>) -> !constrained
  coreai.output %0 : !constrained
}

// -----
!constrained = tensor<4xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
coreai.graph @count(%x: !constrained, %t: tensor<3xui32>, %s: tensor<1xui32>) -> !constrained {
  // expected-error@+1 {{failed to verify that number of result_shapes must equal number of outputs}}
  %0 = coreai.metal4_kernel kernel_args(%x), threads_per_grid %t, threads_per_thread_group %t, result_shapes(%s, %s) {kernel_name = "k", kernel_source = ""} : (!constrained, tensor<3xui32>, tensor<3xui32>, tensor<1xui32>, tensor<1xui32>) -> !constrained
  coreai.output %0 : !constrained
}

// -----
coreai.graph @name(%t: tensor<3xui32>) {
  // expected-error@+1 {{requires attribute 'kernel_name'}}
  coreai.metal4_kernel kernel_args(), threads_per_grid %t, threads_per_thread_group %t, result_shapes() {kernel_source = ""} : (tensor<3xui32>, tensor<3xui32>) -> ()
  coreai.output
}

// -----
coreai.graph @source(%t: tensor<3xui32>) {
  // expected-error@+1 {{requires attribute 'kernel_source'}}
  coreai.metal4_kernel kernel_args(), threads_per_grid %t, threads_per_thread_group %t, result_shapes() {kernel_name = "k"} : (tensor<3xui32>, tensor<3xui32>) -> ()
  coreai.output
}

// -----
// expected-error@+1 {{hw_constraints has 1 interleave factors for a tensor of rank 2}}
coreai.graph @encoding(%x: tensor<4x4xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>) {
  coreai.output
}

// -----
// expected-error@+1 {{expected Heap, IOSurface or MTLBuffer, got 'Stack'}}
coreai.graph @allocation(%x: tensor<4xf32, #coreaix.hw_constraints<Stack, alignments: [1x1], interleave: [1]>>) {
  coreai.output
}

// -----
coreai.graph @copy(%x: tensor<4xf32>) {
  // expected-error@+1 {{must convert between a tensor and the same tensor with #coreaix.hw_constraints, got 'tensor<4xf32>' and 'tensor<4xf32>'}}
  %0 = coreaix.copy_with_constraints(%x) : (tensor<4xf32>) -> tensor<4xf32>
  coreai.output
}
