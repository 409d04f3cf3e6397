// The pre-pass keeps every line and column.
// RUN: bsm-msl --pre-pass %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: bsm-msl %s -o /dev/null

//      CHECK:{{\[\[}}Kernel]] void f(device float *x, constant int*n    {{\[\[}}buffer(1)]], threadgroup float *t {{\[\[}}Threadgroup(0)]]) {
[[kernel]] void f(device float *x, constant int n[3] [[buffer(1)]], threadgroup float *t [[threadgroup(0)]]) {
// CHECK:  threadgroup float shared[4]               ;
  threadgroup float shared[4] = {0, 1, 2, 3};
// CHECK:  bfloat b = 1.5_b; half h = 2.0h; int bits = 0x1bf;
  bfloat b = 1.5bf; half h = 2.0H; int bits = 0x1bf;
  x[0] = float(b) + float(h) + bits + n[0] + t[0] + shared[0];
}
template <typename T> [[kernel]] void g(device T *x) {}
// CHECK:template $(host_name("g_int"))  $(Kernel)  void g<int>(device int *);
template [[host_name("g_int")]] [[kernel]] void g<int>(device int *);
struct S {
  float v;
// CHECK:  float get() const Constant { return v; }
  float get() const constant { return v; }
};
