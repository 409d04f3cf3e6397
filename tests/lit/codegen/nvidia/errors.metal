// RUN: bsm-msl %s -o %t.ll
// RUN: bsm-msl %s --reflection -o %t.json
// RUN: not bsm-nvidia %t.ll --reflection %t.json --kernel one --architecture sm_75 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not bsm-nvidia %t.ll --reflection %t.json --kernel one --architecture volta 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not bsm-nvidia %t.ll --reflection %t.json --kernel one --group 64,32,1 2>&1 | FileCheck %s --check-prefix=LARGE

// OLD: error: unknown architecture 'sm_75'; write sm_80, sm_90 or another one from sm_80 on
// UNKNOWN: error: unknown architecture 'volta'
// LARGE: error: a threadgroup of 64 x 32 x 1 threads; allowed are 1 to 1024 in all
kernel void one(device float *x [[buffer(0)]]) { x[0] = 1; }
