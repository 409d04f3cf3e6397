// A short initialiser list leaves components 0; it is not an error.
// RUN: bsm-msl %s | opt -O2 -S | FileCheck %s
// CHECK-LABEL: @k(
// CHECK: store i32 7
kernel void k(device int *x, constant uint &n) {
  uint4 v = {n, n + 1, 3};
  x[0] = int(v.w) + 7;
}
