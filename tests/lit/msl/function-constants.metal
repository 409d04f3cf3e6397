// Function constants get their values before anything else uses them.
// RUN: bsm-msl --constant 100=1 --constant 1=5 %s | opt -O2 -S | FileCheck %s --check-prefix=SET
// RUN: bsm-msl %s | opt -O2 -S | FileCheck %s --check-prefix=UNSET
// RUN: bsm-msl --reflection %s | FileCheck %s --check-prefix=REFLECT
constant bool use_p [[function_constant(100)]];
constant int n [[function_constant(1)]];
constant short s [[function_constant(2)]];
constant int m = is_function_constant_defined(n) ? n * 2 : 7;

// SET: define {{.*}}void @k(ptr addrspace(1) {{.*}}%o, ptr addrspace(1) {{.*}}%p)
// SET: store i32 10
// UNSET: define {{.*}}void @k(ptr addrspace(1) {{.*}}%o)
// UNSET: store i32 7
kernel void k(device int *o [[buffer(0)]],
              device int *p [[buffer(1), function_constant(use_p)]]) {
  if (use_p)
    o[1] = p[0] + s;
  o[0] = m;
}
// REFLECT: "function_constants":[{"index":100,"name":"use_p","type":"bool","width":1},{"index":1,"name":"n","type":"int32","width":1},{"index":2,"name":"s","type":"int16","width":1}]
