// RUN: bsm-ir-opt %s | FileCheck %s
// RUN: bsm-ir-opt %s --emit-bytecode | bsm-ir-opt | FileCheck %s
// CHECK: coreai.graph private noinline @norm.rms_norm(%arg0: tensor<1x10xf32> {coreai.name = "input"}, %arg1: tensor<10xf32> {coreai.name = "scale"}) -> (tensor<1x10xf32> {coreai.name = "output"}) attributes {composite_decl = #coreai.composite_declaration<"rms_norm" = {input_names = ["input", "scale"], op_attrs = {axes = -1 : si64, eps = 9.99999974E-6 : f32, version = 1 : si64}, output_names = ["output"]}>, template_op = "rms_norm"} {
coreai.graph private noinline @norm.rms_norm(%arg0: tensor<1x10xf32> {coreai.name = "input"}, %arg1: tensor<10xf32> {coreai.name = "scale"}) -> (tensor<1x10xf32> {coreai.name = "output"}) attributes {composite_decl = #coreai.composite_declaration<"rms_norm" = {input_names = ["input", "scale"], op_attrs = {axes = -1 : si64, eps = 9.99999974E-6 : f32, version = 1 : si64}, output_names = ["output"]}>, template_op = "rms_norm"} {
  %0 = coreai.decomposable.broadcasting_mul %arg0, %arg1 : (tensor<1x10xf32>, tensor<10xf32>) -> tensor<1x10xf32>
  coreai.output %0 : tensor<1x10xf32>
}

// CHECK: coreai.graph @"my model!"(%arg0: tensor<1x10xf32> {coreai.name = "\C3\A9"}) -> tensor<1x10xf32> {
// CHECK: coreai.invoke @norm.rms_norm(%arg0, %0)  : (tensor<1x10xf32>, tensor<10xf32>) -> tensor<1x10xf32>
coreai.graph @"my model!"(%arg0: tensor<1x10xf32> {coreai.name = "é"}) -> tensor<1x10xf32> {
  %0 = coreai.constant dense<1.0> : tensor<10xf32>
  %1 = coreai.invoke @norm.rms_norm(%arg0, %0)  : (tensor<1x10xf32>, tensor<10xf32>) -> tensor<1x10xf32>
  coreai.output %1 : tensor<1x10xf32>
}

// CHECK: coreai.graph @counter(%arg0: !coreai.handle<tensor<3xf32>> {MutableBuffers.buffer_mutation = "acc", coreai.name = "acc"}, %arg1: tensor<3xf32> {coreai.name = "x"}) -> (!coreai.token {coreai.name = "acc"}, tensor<3xf32> {coreai.name = "y"}) {
// CHECK: %0 = coreai.create_token : !coreai.token
// CHECK: %output, %out_token = coreai.read_handle %arg0, %0 : (<tensor<3xf32>>, !coreai.token) -> (tensor<3xf32>, !coreai.token)
// CHECK: coreai.write_handle %arg0, %{{.*}}, %out_token : (<tensor<3xf32>>, tensor<3xf32>, !coreai.token) -> !coreai.token
coreai.graph @counter(%arg0: !coreai.handle<tensor<3xf32>> {MutableBuffers.buffer_mutation = "acc", coreai.name = "acc"}, %arg1: tensor<3xf32> {coreai.name = "x"}) -> (!coreai.token {coreai.name = "acc"}, tensor<3xf32> {coreai.name = "y"}) {
  %0 = coreai.create_token : !coreai.token
  %output, %out_token = coreai.read_handle %arg0, %0 : (<tensor<3xf32>>, !coreai.token) -> (tensor<3xf32>, !coreai.token)
  %1 = coreai.decomposable.broadcasting_add %output, %arg1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = coreai.write_handle %arg0, %1, %out_token : (<tensor<3xf32>>, tensor<3xf32>, !coreai.token) -> !coreai.token
  coreai.output %2, %1 : !coreai.token, tensor<3xf32>
}

// CHECK: torch.call "aten.add.Tensor"(%arg0, %arg1) {alpha = 2 : si64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
coreai.graph @imported(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) -> tensor<3xf32> {
  %0 = torch.call "aten.add.Tensor"(%arg0, %arg1) {alpha = 2 : si64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  coreai.output %0 : tensor<3xf32>
}

// CHECK: coreai.constant dense_resource<weights> : tensor<4xf32>
// CHECK: weights: "0x100000000000803F000000400000404000008040"
coreai.graph @weights() -> tensor<4xf32> {
  %0 = coreai.constant dense_resource<weights> : tensor<4xf32>
  coreai.output %0 : tensor<4xf32>
}
{-# dialect_resources: { builtin: { weights: "0x100000000000803F000000400000404000008040" } } #-}
