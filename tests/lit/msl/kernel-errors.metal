// What a kernel's signature may not be.
// RUN: not bsm-msl --file-name=user.metal %s 2>&1 | FileCheck %s

// CHECK: user.metal:[[@LINE+1]]:{{[0-9]+}}: error: kernel 'returns' must return void, not 'int'
kernel int returns(device float *o) { return 1; }
// CHECK: user.metal:[[@LINE+1]]:{{[0-9]+}}: error: parameter 'x' of kernel 'value' has type 'float' and no attribute;
kernel void value(device float *o, float x) {}
// CHECK: user.metal:[[@LINE+1]]:{{[0-9]+}}: error: parameter 'p' of kernel 'nowhere' needs an address space: device, constant or threadgroup
kernel void nowhere(float *p) {}
// CHECK: user.metal:[[@LINE+1]]:{{[0-9]+}}: error: buffer index 0 is used twice in kernel 'twice'
kernel void twice(device int *a [[buffer(0)]], device int *b [[buffer(0)]]) {}
// CHECK: user.metal:[[@LINE+1]]:{{[0-9]+}}: error: buffer index 31 is out of range; the largest is 30
kernel void far(device int *a [[buffer(31)]]) {}
// CHECK: user.metal:[[@LINE+1]]:{{.*}}: error: parameter 'i' with {{\[\[}}thread_position_in_grid]] cannot have type 'float'{{.*}} use ushort or uint, or a vector of them
kernel void attribute(device int *a, float i [[thread_position_in_grid]]) {}
template <typename T> [[kernel]] void same(device T *a) {}
template [[host_name("one")]] [[kernel]] void same<int>(device int *);
// CHECK: user.metal:[[@LINE+1]]:{{.*}}: error: a second kernel is named 'one'; give one of them a different {{\[\[}}host_name]]
template [[host_name("one")]] [[kernel]] void same<float>(device float *);
