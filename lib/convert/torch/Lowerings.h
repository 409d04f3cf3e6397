//===- Lowerings.h - What each ATen op becomes ------------------*- C++ -*-===//
//
// One table from targets to functions, filled by the families: one file each.
// A function emits coreai ops and ends with Call::replace; errors stay in the
// call.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CONVERT_TORCH_LOWERINGS_H
#define BESSEMER_CONVERT_TORCH_LOWERINGS_H

#include "convert/torch/Call.h"

#include "llvm/ADT/StringMap.h"

#include <functional>

namespace bessemer {

using Lowering = std::function<void(Call &)>;
using LoweringTable = llvm::StringMap<Lowering>;

void addUnaryLowerings(LoweringTable &table);
void addBinaryLowerings(LoweringTable &table);
void addActivationLowerings(LoweringTable &table);
void addMatmulLowerings(LoweringTable &table);
void addViewLowerings(LoweringTable &table);
void addSliceLowerings(LoweringTable &table);
void addReductionLowerings(LoweringTable &table);
void addCreationLowerings(LoweringTable &table);
void addSymbolicLowerings(LoweringTable &table);

const LoweringTable &loweringTable();

} // namespace bessemer

#endif // BESSEMER_CONVERT_TORCH_LOWERINGS_H
