//===- Launch.h - Running a bound dispatch on the CPU -----------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_LAUNCH_H
#define BESSEMER_RUNTIME_LAUNCH_H

#include "runtime/Binding.h"
#include "runtime/CpuDevice.h"
#include "runtime/CpuKernel.h"

namespace bessemer::runtime {

/// Runs all threadgroups to completion. A fault inside compiled code, a tensor
/// subscript out of range or an interruption stops it: at a group boundary, or
/// after a moment in the middle of a group.
Status launch(CpuDevice &device, CpuKernel &kernel, BoundDispatch &dispatch);

/// Sets the offsets of the dynamic threadgroup blocks, behind `staticBytes`,
/// and the size of the whole block.
void placeThreadgroupMemory(BoundDispatch &dispatch, size_t staticBytes);

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_LAUNCH_H
