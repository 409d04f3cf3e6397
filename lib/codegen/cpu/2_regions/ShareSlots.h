//===- ShareSlots.h - Values that take turns in one slot --------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_SHARESLOTS_H
#define BESSEMER_CODEGEN_CPU_SHARESLOTS_H

#include "codegen/cpu/2_regions/LiveValues.h"

namespace bessemer::codegen::cpu {

/// For each live value the one whose place in the context it uses: itself, or
/// an earlier one that a phi turns it into (or it into that one) and that
/// crosses other barriers. A running sum then stays where it is in the regions
/// that do not add to it. `uniform` and `rematerialise` are set already.
std::vector<unsigned> shareSlots(llvm::ArrayRef<LiveValue> values);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_SHARESLOTS_H
