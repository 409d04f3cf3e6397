// Diagnostics: the user's lines and columns, Metal's words, no header of ours.
// RUN: not bsm-msl --file-name=user.metal %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace --implicit-check-not=/bessemer
#include <metal_stdlib>
using namespace metal;
#define BAD(x) x + undefined_thing
template <typename T> T helper(T x) { return x.foo; }
kernel void a(device float *o, uint i [[thread_positon_in_grid]]) {
  double d = 0.5;
  o[i] = BAD(3);
	o[i] = helper(1.0f);
  thread float *q = o;
  float4 v = float4(1, 2, 3);
  threadgroup float *tg = o;
  o[i] = sin("abc");
}
//      CHECK:user.metal:7:41: error: unknown attribute 'thread_positon_in_grid'; did you mean 'thread_position_in_grid'?
// CHECK-NEXT:kernel void a(device float *o, uint i {{.*}} {
// CHECK-NEXT:                                        ^~~~~~~~~~~~~~~~~~~~~~
//      CHECK:user.metal:8:3: error: 'double' is unavailable: Metal has no double; use float
// CHECK-NEXT:  double d = 0.5;
// CHECK-NEXT:  ^
//      CHECK:user.metal:9:10: error: use of undeclared identifier 'undefined_thing'
// CHECK-NEXT:  o[i] = BAD(3);
// CHECK-NEXT:         ^~~
//      CHECK:user.metal:13:22: error: cannot initialize a variable of type 'threadgroup float *' with an lvalue of type 'device float *'
//      CHECK:user.metal:14:10: error: no matching function for call to 'sin'
//      CHECK:user.metal:11:21: error: cannot convert 'device float *' to 'float *', a pointer to thread memory
//      CHECK:user.metal:12:14: error: 'float4' (aka 'metal::vec<float, 4>') needs 4 components; these arguments have 3
// CHECK-NEXT:  float4 v = float4(1, 2, 3);
// CHECK-NEXT:             ^~~~~~~~~~~~~~~
//      CHECK:user.metal:6:47: error: member reference base type 'float' is not a structure or union
//      CHECK:user.metal:10:9: note: in instantiation of function template specialization 'helper<float>' requested here
// CHECK-NEXT:	o[i] = helper(1.0f);
// CHECK-NEXT:	       ^
