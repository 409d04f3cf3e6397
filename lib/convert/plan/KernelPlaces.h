//===- KernelPlaces.h - Where the user wrote a kernel -----------*- C++ -*-===//
//
// The location of a kernel op is the place of its call and, fused with it, a
// dictionary that says where the text of the kernel stands:
//
//   loc(fused<{kernel = "silu", places = [[8, "model.py",
//   10]]}>["model.py":30:0])
//
// `kernel` is the user's name of it, and each of `places` a line of the source
// with the file and line where it stands; lines count on from there to the next
// place. A place without a file begins text that the converter wrote.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CONVERT_PLAN_KERNELPLACES_H
#define BESSEMER_CONVERT_PLAN_KERNELPLACES_H

#include "ir/dialect/CoreAI.h"
#include "plan/Plan.h"

namespace bessemer {

/// Takes name and places from the op's location, as far as it has them.
void readPlaces(coreai::Metal4KernelOp op, plan::KernelSource &source);

} // namespace bessemer

#endif // BESSEMER_CONVERT_PLAN_KERNELPLACES_H
