// The caller's file name and first line.
// RUN: not bsm-msl --file-name=script.py --first-line=40 %s 2>&1 | FileCheck %s
// CHECK: script.py:43:{{[0-9]+}}: error: use of undeclared identifier 'nothing'
kernel void k(device int *x) { x[0] = nothing; }
