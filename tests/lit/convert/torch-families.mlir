// RUN: bsm-ir-opt --lower-torch %s | FileCheck %s

// Linear is a product with the transposed weight, then a sum.
// CHECK-LABEL: coreai.graph @linear
coreai.graph @linear(%x: tensor<2x16xf32>, %w: tensor<32x16xf32>, %b: tensor<32xf32>) -> tensor<2x32xf32> {
  // CHECK: %[[P:.*]] = coreai.constant dense<[1, 0]> : tensor<2xui32>
  // CHECK: %[[T:.*]] = coreai.transpose %arg1, %[[P]] : (tensor<32x16xf32>, tensor<2xui32>) -> tensor<16x32xf32>
  // CHECK: %[[M:.*]] = coreai.decomposable.broadcasting_batch_matmul %arg0, %[[T]]
  // CHECK: coreai.decomposable.broadcasting_add %[[M]], %arg2
  %t = torch.call "aten.permute.default"(%w) {arguments = ["%0", [1 : si64, 0 : si64]]} : (tensor<32x16xf32>) -> tensor<16x32xf32>
  %y = torch.call "aten.addmm.default"(%b, %x, %t) {arguments = ["%0", "%1", "%2", 1 : si64, 1 : si64]} : (tensor<32xf32>, tensor<2x16xf32>, tensor<16x32xf32>) -> tensor<2x32xf32>
  coreai.output %y : tensor<2x32xf32>
}

// Reductions keep the axis; a reshape follows.
// CHECK-LABEL: coreai.graph @reductions
coreai.graph @reductions(%x: tensor<2x3x4xf32>) -> (tensor<2x4xf32>, tensor<2x1x4xf32>, tensor<f32>) {
  // CHECK: %[[SUM:.*]] = coreai.reduce_sum %arg0, {{.*}} -> tensor<2x1x4xf32>
  // CHECK: coreai.reshape %[[SUM]], {{.*}} -> tensor<2x4xf32>
  // CHECK: coreai.reduce_mean %arg0, {{.*}} -> tensor<2x1x4xf32>
  // CHECK: %[[MAX:.*]] = coreai.reduce_max %arg0, {{.*}} -> tensor<1x1x1xf32>
  // CHECK: coreai.reshape %[[MAX]], {{.*}} -> tensor<f32>
  %s = torch.call "aten.sum.dim_IntList"(%x) {arguments = ["%0", [-2 : si64], false, unit]} : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
  %m = torch.call "aten.mean.dim"(%x) {arguments = ["%0", [1 : si64], true, unit]} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %a = torch.call "aten.amax.default"(%x) {arguments = ["%0", [], false]} : (tensor<2x3x4xf32>) -> tensor<f32>
  coreai.output %s, %m, %a : tensor<2x4xf32>, tensor<2x1x4xf32>, tensor<f32>
}

// CHECK-LABEL: coreai.graph @shapes
coreai.graph @shapes(%x: tensor<2x3x4xf32>) -> (tensor<6x4xf32>, tensor<2x4xf32>, tensor<2x2x4xf32>, tensor<2x6x4xf32>) {
  // CHECK-DAG: coreai.reshape %arg0, {{.*}} -> tensor<6x4xf32>
  // CHECK-DAG: %[[ROW:.*]] = coreai.slice %arg0, {{.*}} -> tensor<2x1x4xf32>
  // CHECK-DAG: coreai.shrink_dims %[[ROW]], {{.*}} to tensor<2x4xf32>
  // CHECK-DAG: coreai.slice %arg0, {{.*}} -> tensor<2x2x4xf32>
  // CHECK-DAG: coreai.concat {{.*}}, %arg0, %arg0 : {{.*}} -> tensor<2x6x4xf32>
  %v = torch.call "aten.view.default"(%x) {arguments = ["%0", [-1 : si64, 4 : si64]]} : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %r = torch.call "aten.select.int"(%x) {arguments = ["%0", 1 : si64, -1 : si64]} : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
  %s = torch.call "aten.slice.Tensor"(%x) {arguments = ["%0", 1 : si64, 1 : si64, 9223372036854775807 : si64, 1 : si64]} : (tensor<2x3x4xf32>) -> tensor<2x2x4xf32>
  %c = torch.call "aten.cat.default"(%x) {arguments = [["%0", "%0"], 1 : si64]} : (tensor<2x3x4xf32>) -> tensor<2x6x4xf32>
  coreai.output %v, %r, %s, %c : tensor<6x4xf32>, tensor<2x4xf32>, tensor<2x2x4xf32>, tensor<2x6x4xf32>
}

// Symbolic integers are get_shape, cast, slice, reshape; vectors of them concat.
// CHECK-LABEL: coreai.graph @symbolic
coreai.graph @symbolic(%x: tensor<?x8xf32>) -> tensor<3xui32> {
  // CHECK: %[[SHAPE:.*]] = coreai.get_shape %arg0 : tensor<?x8xf32> -> tensor<2xui32>
  // CHECK: %[[CAST:.*]] = coreai.cast %[[SHAPE]] : tensor<2xui32> to tensor<2xsi32>
  // CHECK: %[[ONE:.*]] = coreai.slice %[[CAST]]
  // CHECK: %[[N:.*]] = coreai.reshape %[[ONE]], {{.*}} -> tensor<si32>
  // CHECK: %[[M:.*]] = coreai.decomposable.broadcasting_mul %[[N]], {{.*}}tensor<si32>
  // CHECK: %[[U:.*]] = coreai.cast %[[M]] : tensor<si32> to tensor<ui32>
  // CHECK: %[[V:.*]] = coreai.reshape %[[U]], {{.*}} -> tensor<1xui32>
  // CHECK: coreai.concat {{.*}}, %[[V]], {{.*}} -> tensor<3xui32>
  %n = torch.call "aten.sym_size.int"(%x) {arguments = ["%0", 0 : si64]} : (tensor<?x8xf32>) -> tensor<si32>
  %m = torch.call "_operator.mul"(%n) {arguments = ["%0", 2 : si64]} : (tensor<si32>) -> tensor<si32>
  %g = torch.call "bessemer.shape_vector"(%m) {arguments = [["%0", 8 : si64, 1 : si64]]} : (tensor<si32>) -> tensor<3xui32>
  coreai.output %g : tensor<3xui32>
}

// A static shape is a constant.
// CHECK-LABEL: coreai.graph @static
coreai.graph @static(%x: tensor<5x8xf32>) -> tensor<3xui32> {
  // CHECK: %[[G:.*]] = coreai.constant dense<[5, 8, 1]> : tensor<3xui32>
  // CHECK-NEXT: coreai.output %[[G]]
  %n = torch.call "aten.sym_size.int"(%x) {arguments = ["%0", 0 : si64]} : (tensor<5x8xf32>) -> tensor<si32>
  %g = torch.call "bessemer.shape_vector"(%n) {arguments = [["%0", 8 : si64, 1 : si64]]} : (tensor<si32>) -> tensor<3xui32>
  coreai.output %g : tensor<3xui32>
}

// CHECK-LABEL: coreai.graph @created
coreai.graph @created() -> (tensor<2x2xf32>, tensor<f32>) {
  // CHECK-DAG: coreai.constant dense<7.000000e+00> : tensor<2x2xf32>
  // CHECK-DAG: coreai.constant dense<0x7F800000> : tensor<f32>
  %f = torch.call "aten.full.default"() {arguments = [[2 : si64, 2 : si64], 7 : si64, "float32", unit, "cpu", false]} : () -> tensor<2x2xf32>
  %s = torch.call "aten.scalar_tensor.default"() {arguments = [0x7FF0000000000000 : f64, "float32", unit, "cpu", false]} : () -> tensor<f32>
  coreai.output %f, %s : tensor<2x2xf32>, tensor<f32>
}

// CHECK-LABEL: coreai.graph @layers
coreai.graph @layers(%x: tensor<2x8xf32>, %i: tensor<3xsi32>) -> (tensor<2x8xf32>, tensor<2x8xf32>, tensor<3x8xf32>) {
  // CHECK: coreai.softmax %arg0
  // CHECK: coreai.gelu %arg0 approximate = <tanh>
  // CHECK: coreai.gather_nd %arg0 at
  %s = torch.call "aten._softmax.default"(%x) {arguments = ["%0", -1 : si64, false]} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %g = torch.call "aten.gelu.default"(%x) {arguments = ["%0", "tanh"]} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %e = torch.call "aten.embedding.default"(%x, %i) {arguments = ["%0", "%1", -1 : si64, false, false]} : (tensor<2x8xf32>, tensor<3xsi32>) -> tensor<3x8xf32>
  coreai.output %s, %g, %e : tensor<2x8xf32>, tensor<2x8xf32>, tensor<3x8xf32>
}
