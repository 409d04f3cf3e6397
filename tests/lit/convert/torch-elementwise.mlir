// RUN: bsm-ir-opt --lower-torch %s | FileCheck %s

// SiLU as the exporter decomposes it.
// CHECK-LABEL: coreai.graph @silu
// CHECK-SAME: attributes {__coreai_pure__}
coreai.graph @silu(%x: tensor<4x8xf32> {coreai.name = "x"}) -> (tensor<4x8xf32> {coreai.name = "y"}) {
  // CHECK: %[[S:.*]] = coreai.sigmoid %arg0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: coreai.decomposable.broadcasting_mul %arg0, %[[S]]
  %s = torch.call "aten.sigmoid.default"(%x) {arguments = ["%0"]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = torch.call "aten.mul.Tensor"(%x, %s) {arguments = ["%0", "%1"]} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  coreai.output %m : tensor<4x8xf32>
}

// Python scalars are constants of the result's type, at the top.
// CHECK-LABEL: coreai.graph @scalars
coreai.graph @scalars(%x: tensor<3xf16>) -> tensor<3xf16> {
  // CHECK-DAG: %[[TWO:.*]] = coreai.constant dense<2.000000e+00> : tensor<f16>
  // CHECK-DAG: %[[HALF:.*]] = coreai.constant dense<5.000000e-01> : tensor<f16>
  // CHECK: %[[M:.*]] = coreai.decomposable.broadcasting_mul %arg0, %[[TWO]]
  // CHECK: %[[A:.*]] = coreai.decomposable.broadcasting_add %[[M]], %[[HALF]]
  // CHECK: coreai.output %[[A]]
  %m = torch.call "aten.mul.Tensor"(%x) {arguments = ["%0", 2.0 : f64]} : (tensor<3xf16>) -> tensor<3xf16>
  %a = torch.call "aten.add.Tensor"(%m) {arguments = ["%0", 5.0e-01 : f64, 1 : si64]} : (tensor<3xf16>) -> tensor<3xf16>
  coreai.output %a : tensor<3xf16>
}

// neg is a product by -1, floor a division by 1, less a swapped greater.
// CHECK-LABEL: coreai.graph @composed
coreai.graph @composed(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xi1>) {
  // CHECK-DAG: %[[MINUS:.*]] = coreai.constant dense<-1.000000e+00> : tensor<f32>
  // CHECK-DAG: %[[ONE:.*]] = coreai.constant dense<1.000000e+00> : tensor<f32>
  // CHECK: coreai.decomposable.broadcasting_mul %arg0, %[[MINUS]]
  // CHECK: coreai.decomposable.broadcasting_floor_divide %arg0, %[[ONE]]
  // CHECK: coreai.decomposable.broadcasting_greater %arg1, %arg0
  %n = torch.call "aten.neg.default"(%x) {arguments = ["%0"]} : (tensor<3xf32>) -> tensor<3xf32>
  %f = torch.call "aten.floor.default"(%x) {arguments = ["%0"]} : (tensor<3xf32>) -> tensor<3xf32>
  %l = torch.call "aten.lt.Tensor"(%x, %y) {arguments = ["%0", "%1"]} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  coreai.output %n, %f, %l : tensor<3xf32>, tensor<3xf32>, tensor<3xi1>
}

// CHECK-LABEL: coreai.graph @casts
coreai.graph @casts(%x: tensor<3xsi32>) -> (tensor<3xf32>, tensor<3xi1>) {
  // CHECK: coreai.cast %arg0 : tensor<3xsi32> to tensor<3xf32>
  // CHECK: coreai.decomposable.broadcasting_not_equal %arg0
  %f = torch.call "aten._to_copy.default"(%x) {arguments = ["%0", "float32", unit, unit, unit, false, unit]} : (tensor<3xsi32>) -> tensor<3xf32>
  %b = torch.call "aten._to_copy.default"(%x) {arguments = ["%0", "bool", unit, unit, unit, false, unit]} : (tensor<3xsi32>) -> tensor<3xi1>
  coreai.output %f, %b : tensor<3xf32>, tensor<3xi1>
}
