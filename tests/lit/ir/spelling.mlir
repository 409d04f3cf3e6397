// The spelling of every family, in text and through bytecode.
// RUN: bsm-ir-opt %s > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: bsm-ir-opt %s --emit-bytecode | bsm-ir-opt | diff %t.mlir -
// RUN: bsm-ir-opt %s --mlir-print-op-generic | bsm-ir-opt | diff %t.mlir -

// CHECK-LABEL: coreai.graph @elementwise
coreai.graph @elementwise(%f: tensor<2x3xf32>, %d: tensor<?x3xf32>, %b: tensor<2x3xi1>, %i: tensor<2x3xsi32>, %s: tensor<f32>) {
  // CHECK: coreai.relu %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = coreai.relu %f : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: coreai.exp %arg1 : tensor<?x3xf32> -> tensor<?x3xf32>
  %1 = coreai.exp %d : tensor<?x3xf32> -> tensor<?x3xf32>
  // CHECK: coreai.gelu %arg0 approximate = <tanh> : tensor<2x3xf32> -> tensor<2x3xf32>
  %2 = coreai.gelu %f approximate = <tanh> : tensor<2x3xf32> -> tensor<2x3xf32>
  // CHECK: coreai.not %arg2 : tensor<2x3xi1> -> tensor<2x3xi1>
  %3 = coreai.not %b : tensor<2x3xi1> -> tensor<2x3xi1>
  // CHECK: coreai.cast %arg3 : tensor<2x3xsi32> to tensor<2x3xf16>
  %4 = coreai.cast %i : tensor<2x3xsi32> to tensor<2x3xf16>
  // CHECK: coreai.decomposable.broadcasting_add %arg1, %arg4 : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %5 = coreai.decomposable.broadcasting_add %d, %s : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  // CHECK: coreai.decomposable.broadcasting_greater %arg0, %arg4 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xi1>
  %6 = coreai.decomposable.broadcasting_greater %f, %s : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xi1>
  // CHECK: coreai.decomposable.broadcasting_where %arg2, %arg0, %arg4 : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %7 = coreai.decomposable.broadcasting_where %b, %f, %s : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK: coreai.decomposable.broadcasting_bitwise_xor %arg3, %arg3 : (tensor<2x3xsi32>, tensor<2x3xsi32>) -> tensor<2x3xsi32>
  %8 = coreai.decomposable.broadcasting_bitwise_xor %i, %i : (tensor<2x3xsi32>, tensor<2x3xsi32>) -> tensor<2x3xsi32>
  // CHECK: coreai.create_complex %arg0, %arg0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>
  %9 = coreai.create_complex %f, %f : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>
  // CHECK: coreai.real_part %{{.*}} : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  %10 = coreai.real_part %9 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
  coreai.output
}

// CHECK-LABEL: coreai.graph @shapes
coreai.graph @shapes(%x: tensor<2x3xf32>, %d: tensor<?x3xf32>) {
  %axis = coreai.constant dense<0> : tensor<si32>
  %axes = coreai.constant dense<0> : tensor<1xsi32>
  %pair = coreai.constant dense<[1, 0]> : tensor<2xui32>
  %zeros = coreai.constant dense<0> : tensor<2xsi32>
  %ones = coreai.constant dense<1> : tensor<2xsi32>
  %end = coreai.constant dense<2147483647> : tensor<2xsi32>
  %six = coreai.constant dense<6> : tensor<1xui32>
  %value = coreai.constant dense<0.0> : tensor<f32>
  %padding = coreai.constant dense<1> : tensor<4xui32>
  %two = coreai.constant dense<[1, 1]> : tensor<2xui32>
  // CHECK: coreai.get_shape %arg1 : tensor<?x3xf32> -> tensor<2xui32>
  %0 = coreai.get_shape %d : tensor<?x3xf32> -> tensor<2xui32>
  // CHECK: coreai.reshape %arg0, %{{.*}} : (tensor<2x3xf32>, tensor<1xui32>) -> tensor<6xf32>
  %1 = coreai.reshape %x, %six : (tensor<2x3xf32>, tensor<1xui32>) -> tensor<6xf32>
  // CHECK: coreai.transpose %arg0, %{{.*}} : (tensor<2x3xf32>, tensor<2xui32>) -> tensor<3x2xf32>
  %2 = coreai.transpose %x, %pair : (tensor<2x3xf32>, tensor<2xui32>) -> tensor<3x2xf32>
  // CHECK: coreai.slice %arg0, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2xsi32>, tensor<2xsi32>, tensor<2xsi32>) -> tensor<1x2xf32>
  %3 = coreai.slice %x, %ones, %end, %ones : (tensor<2x3xf32>, tensor<2xsi32>, tensor<2xsi32>, tensor<2xsi32>) -> tensor<1x2xf32>
  // CHECK: coreai.slice_update %arg0 with %{{.*}} at (%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<2xsi32>, tensor<2xsi32>, tensor<2xsi32>) to tensor<2x3xf32>
  %4 = coreai.slice_update %x with %3 at (%ones, %end, %ones) : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<2xsi32>, tensor<2xsi32>, tensor<2xsi32>) to tensor<2x3xf32>
  // CHECK: coreai.concat %{{.*}}, %arg0, %arg1 : (tensor<si32>, tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %5 = coreai.concat %axis, %x, %d : (tensor<si32>, tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  // CHECK: %{{.*}}:2 = coreai.split %arg0, %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2xui32>, tensor<si32>) -> (tensor<1x3xf32>, tensor<1x3xf32>)
  %6:2 = coreai.split %x, %two, %axis : (tensor<2x3xf32>, tensor<2xui32>, tensor<si32>) -> (tensor<1x3xf32>, tensor<1x3xf32>)
  // CHECK: coreai.expand_dims %arg1, %{{.*}} : (tensor<?x3xf32>, tensor<1xsi32>) to tensor<1x?x3xf32>
  %7 = coreai.expand_dims %d, %axes : (tensor<?x3xf32>, tensor<1xsi32>) to tensor<1x?x3xf32>
  // CHECK: coreai.shrink_dims %{{.*}}, %{{.*}} : (tensor<1x?x3xf32>, tensor<1xsi32>) to tensor<?x3xf32>
  %8 = coreai.shrink_dims %7, %axes : (tensor<1x?x3xf32>, tensor<1xsi32>) to tensor<?x3xf32>
  // CHECK: coreai.broadcast_to %{{.*}}, %{{.*}} : (tensor<f32>, tensor<2xui32>) -> tensor<?x3xf32>
  %9 = coreai.broadcast_to %value, %0 : (tensor<f32>, tensor<2xui32>) -> tensor<?x3xf32>
  // CHECK: coreai.broadcast_in_dims %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1x?x3xf32>, tensor<1xui32>, tensor<1xsi32>) -> tensor<6x?x3xf32>
  %10 = coreai.broadcast_in_dims %7, %six, %axes : (tensor<1x?x3xf32>, tensor<1xui32>, tensor<1xsi32>) -> tensor<6x?x3xf32>
  // CHECK: coreai.tile %arg0, %{{.*}} : (tensor<2x3xf32>, tensor<2xui32>) -> tensor<2x3xf32>
  %11 = coreai.tile %x, %two : (tensor<2x3xf32>, tensor<2xui32>) -> tensor<2x3xf32>
  // CHECK: coreai.pad %arg0, %{{.*}}, %{{.*}} mode = <constant> : (tensor<2x3xf32>, tensor<4xui32>, tensor<f32>) -> tensor<4x5xf32>
  %12 = coreai.pad %x, %padding, %value mode = <constant> : (tensor<2x3xf32>, tensor<4xui32>, tensor<f32>) -> tensor<4x5xf32>
  // CHECK: coreai.range %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<?xf32>
  %13 = coreai.range %value, %value, %value : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<?xf32>
  coreai.output
}

// CHECK-LABEL: coreai.graph @compute
coreai.graph @compute(%x: tensor<2x3xf32>, %d: tensor<?x3xf32>, %w: tensor<3x4xf32>, %n: tensor<2x3x1xsi32>, %along: tensor<5x3xsi32>, %image: tensor<1x3x10x10xf32>, %filter: tensor<16x3x3x3xf32>) {
  %axis = coreai.constant dense<1> : tensor<si32>
  %axes = coreai.constant dense<1> : tensor<1xsi32>
  %no = coreai.constant dense<false> : tensor<i1>
  %two = coreai.constant dense<2> : tensor<2xui32>
  %one = coreai.constant dense<1> : tensor<2xui32>
  %groups = coreai.constant dense<1> : tensor<ui32>
  // CHECK: coreai.reduce_mean %arg1, %{{.*}} : (tensor<?x3xf32>, tensor<1xsi32>) -> tensor<?x1xf32>
  %0 = coreai.reduce_mean %d, %axes : (tensor<?x3xf32>, tensor<1xsi32>) -> tensor<?x1xf32>
  // CHECK: coreai.softmax %arg0, %{{.*}} : (tensor<2x3xf32>, tensor<si32>) -> tensor<2x3xf32>
  %1 = coreai.softmax %x, %axis : (tensor<2x3xf32>, tensor<si32>) -> tensor<2x3xf32>
  // CHECK: coreai.argmax %arg0, %{{.*}} : (tensor<2x3xf32>, tensor<si32>) -> tensor<2x1xui32>
  %2 = coreai.argmax %x, %axis : (tensor<2x3xf32>, tensor<si32>) -> tensor<2x1xui32>
  // CHECK: coreai.argsort %arg0, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<si32>, tensor<i1>, tensor<i1>) -> tensor<2x3xsi32>
  %3 = coreai.argsort %x, %axis, %no, %no : (tensor<2x3xf32>, tensor<si32>, tensor<i1>, tensor<i1>) -> tensor<2x3xsi32>
  // CHECK: coreai.scan %arg0, %{{.*}}, %{{.*}} combiner = <sum> : (tensor<2x3xf32>, tensor<si32>, tensor<i1>) -> tensor<2x3xf32>
  %4 = coreai.scan %x, %axis, %no combiner = <sum> : (tensor<2x3xf32>, tensor<si32>, tensor<i1>) -> tensor<2x3xf32>
  // CHECK: coreai.decomposable.broadcasting_batch_matmul %arg1, %arg2 : (tensor<?x3xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  %5 = coreai.decomposable.broadcasting_batch_matmul %d, %w : (tensor<?x3xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  // CHECK: coreai.gather_nd %arg2 at %arg3 : (tensor<3x4xf32>, tensor<2x3x1xsi32>) to tensor<2x3x4xf32>
  %6 = coreai.gather_nd %w at %n : (tensor<3x4xf32>, tensor<2x3x1xsi32>) to tensor<2x3x4xf32>
  // CHECK: coreai.gather_along_axis %arg0 at %arg4 along %{{.*}} : (tensor<2x3xf32>, tensor<5x3xsi32>, tensor<si32>) to tensor<5x3xf32>
  %7 = coreai.gather_along_axis %x at %along along %axis : (tensor<2x3xf32>, tensor<5x3xsi32>, tensor<si32>) to tensor<5x3xf32>
  // CHECK: coreai.scatter_along_axis %arg0, %arg4, %{{.*}}, %{{.*}} scatter_mode = <add> : (tensor<2x3xf32>, tensor<5x3xsi32>, tensor<5x3xf32>, tensor<si32>) -> tensor<2x3xf32>
  %8 = coreai.scatter_along_axis %x, %along, %7, %axis scatter_mode = <add> : (tensor<2x3xf32>, tensor<5x3xsi32>, tensor<5x3xf32>, tensor<si32>) -> tensor<2x3xf32>
  // CHECK: coreai.scatter_along_axis %arg0, %arg4, %{{.*}}, %{{.*}} : (tensor<2x3xf32>
  %9 = coreai.scatter_along_axis %x, %along, %7, %axis : (tensor<2x3xf32>, tensor<5x3xsi32>, tensor<5x3xf32>, tensor<si32>) -> tensor<2x3xf32>
  // CHECK: coreai.non_zero %arg0 : tensor<2x3xf32> -> tensor<?x2xsi32>
  %10 = coreai.non_zero %x : tensor<2x3xf32> -> tensor<?x2xsi32>
  // CHECK: coreai.conv2d %arg5, %arg6, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1x3x10x10xf32>, tensor<16x3x3x3xf32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>) -> tensor<1x16x8x8xf32>
  %11 = coreai.conv2d %image, %filter, %one, %one, %groups : (tensor<1x3x10x10xf32>, tensor<16x3x3x3xf32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>) -> tensor<1x16x8x8xf32>
  // CHECK: coreai.max_pool_2d %arg5, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1x3x10x10xf32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<i1>) -> tensor<1x3x5x5xf32>
  %12 = coreai.max_pool_2d %image, %two, %two, %one, %no : (tensor<1x3x10x10xf32>, tensor<2xui32>, tensor<2xui32>, tensor<2xui32>, tensor<i1>) -> tensor<1x3x5x5xf32>
  coreai.output
}
