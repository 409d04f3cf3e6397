// Integer operations have a value for every operand.
// RUN: bsm-msl %s | FileCheck %s

// CHECK-LABEL: @divide(
// CHECK: [[ZERO:%.*]] = icmp eq i32 [[B:%.*]], 0
// CHECK: icmp eq i32 [[A:%.*]], -2147483648
// CHECK: icmp eq i32 [[B]], -1
// CHECK: [[SAFE:%.*]] = select i1 {{.*}}, i32 1, i32 [[B]]
// CHECK: [[Q:%.*]] = sdiv i32 [[A]], [[SAFE]]
// CHECK: select i1 [[ZERO]], i32 0, i32 [[Q]]
kernel void divide(device int *x) { x[0] = x[1] / x[2]; }

// CHECK-LABEL: @remainder(
// CHECK: icmp eq i32 [[B:%.*]], 0
// CHECK: [[SAFE:%.*]] = select i1 {{.*}}, i32 1, i32 [[B]]
// CHECK: urem i32 {{.*}}, [[SAFE]]
kernel void remainder(device uint *x) { x[0] = x[1] % x[2]; }

// CHECK-LABEL: @by_constant(
// CHECK-NOT: select
// CHECK: sdiv i32 {{.*}}, 3
// CHECK: ret void
kernel void by_constant(device int *x) { x[0] = x[1] / 3; }

// CHECK-LABEL: @shift(
// CHECK: [[COUNT:%.*]] = and i32 {{.*}}, 31
// CHECK: shl i32 {{.*}}, [[COUNT]]
// CHECK: [[WIDE:%.*]] = and i64 {{.*}}, 63
// CHECK: ashr i64 {{.*}}, [[WIDE]]
kernel void shift(device int *x, device long *y) {
  x[0] = x[1] << x[2];
  y[0] = y[1] >> y[2];
}

// CHECK-LABEL: @convert(
// CHECK: call i32 @llvm.fptosi.sat.i32.f32
// CHECK: call i8 @llvm.fptoui.sat.i8.f16
kernel void convert(device float *x, device half *h, device int *n,
                    device uchar *c) {
  n[0] = int(x[0]);
  c[0] = uchar(h[0]);
}

// CHECK-LABEL: @wrap(
// CHECK: add i32
// CHECK-NOT: nsw
// CHECK: ret void
kernel void wrap(device int *x) { x[0] = x[1] + x[2]; }

// CHECK-LABEL: @literals(
// CHECK-NOT: poison
// CHECK: ret void
kernel void literals(device int *x, device int2 *y) {
  x[0] = 1 % int(0);
  x[1] = 7 / int(0);
  y[0] = int2(8, 9) / int2(0, 3);
  if (x[2] == 5 / int(0)) x[3] = 1;
}
