// RUN: bsm-plan %s --sources | FileCheck %s

// Two elementwise ops are one kernel that writes the output.
// CHECK: input 0 "x": t0 [4, 8]
// CHECK: output 0 "y": t[[Y:[0-9]+]] [4, 8]
// CHECK: t0: float32[4, 8] input 0
// CHECK: t[[Y]]: float32[4, 8] output 0
// CHECK: dispatch [[NAME:sigmoid_mul_[0-9a-f]+]] of source 0 (buffer t0, buffer t[[Y]]) threads [32, 1, 1] group [256, 1, 1]
// CHECK-NOT: dispatch
// CHECK: source 0 math 0 [[NAME]].metal:
// CHECK: {{\[\[kernel\]\]}} void [[NAME]](device const float *b0 {{.*}}, device float *b1 {{.*}}, uint id {{.*}}) {
// CHECK-NEXT: float x1 = float(b0[id]);
// CHECK-NEXT: float x2 = bsm_sigmoid(x1);
// CHECK-NEXT: float x3 = x1 * x2;
// CHECK-NEXT: b1[id] = float(x3);
coreai.graph @main(%x: tensor<4x8xf32> {coreai.name = "x"}) -> (tensor<4x8xf32> {coreai.name = "y"}) {
  %s = coreai.sigmoid %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = coreai.decomposable.broadcasting_mul %x, %s : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  coreai.output %m : tensor<4x8xf32>
}
