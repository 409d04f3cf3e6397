// RUN: split-file %s %t
// RUN: not bsm-plan --lower %t/unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not bsm-plan --lower %t/shapes.mlir 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: not bsm-plan --lower %t/kind.mlir 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not bsm-plan --lower %t/operand.mlir 2>&1 | FileCheck %s --check-prefix=OPERAND
// RUN: not bsm-plan --lower %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not bsm-plan --lower %t/declared.mlir 2>&1 | FileCheck %s --check-prefix=DECLARED

//--- unknown.mlir
// UNKNOWN: model.py:12: cannot convert aten.special_zeta.default: there is no lowering for this operator
coreai.graph @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = torch.call "aten.special_zeta.default"(%x) {arguments = ["%0"]} : (tensor<3xf32>) -> tensor<3xf32> loc("model.py":12:0)
  coreai.output %y : tensor<3xf32>
}
//--- shapes.mlir
// SHAPES: cannot convert aten.add.Tensor: {{.*}}tensor<3xf32>{{.*}}tensor<4xf32>
coreai.graph @main(%x: tensor<3xf32>, %z: tensor<4xf32>) -> tensor<3xf32> {
  %y = torch.call "aten.add.Tensor"(%x, %z) {arguments = ["%0", "%1", 1 : si64]} : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32>
  coreai.output %y : tensor<3xf32>
}
//--- kind.mlir
// KIND: cannot convert aten.transpose.int: argument #1 must be an integer
coreai.graph @main(%x: tensor<3x4xf32>) -> tensor<4x3xf32> {
  %y = torch.call "aten.transpose.int"(%x) {arguments = ["%0", "one", 1 : si64]} : (tensor<3x4xf32>) -> tensor<4x3xf32>
  coreai.output %y : tensor<4x3xf32>
}
//--- operand.mlir
// OPERAND: cannot convert aten.relu.default: argument #0 names operand '%3', but there are 1
coreai.graph @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = torch.call "aten.relu.default"(%x) {arguments = ["%3"]} : (tensor<3xf32>) -> tensor<3xf32>
  coreai.output %y : tensor<3xf32>
}
//--- none.mlir
// NONE: cannot convert aten.relu.default: the call has no 'arguments' attribute
coreai.graph @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = torch.call "aten.relu.default"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  coreai.output %y : tensor<3xf32>
}
//--- declared.mlir
// DECLARED: cannot convert aten.relu.default: the declared result type is tensor<4xf32>, but the lowering gives tensor<3xf32>
coreai.graph @main(%x: tensor<3xf32>) -> tensor<4xf32> {
  %y = torch.call "aten.relu.default"(%x) {arguments = ["%0"]} : (tensor<3xf32>) -> tensor<4xf32>
  coreai.output %y : tensor<4xf32>
}
