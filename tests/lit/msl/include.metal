// Headers of the user go through the pre-pass as well.
// RUN: bsm-msl -I %S/Inputs -D SCALE=3 %s | FileCheck %s
// CHECK: define {{.*}}void @from_header(
#include "kernels.h"
