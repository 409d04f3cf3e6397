//===- Math.h - Reference values of bsm.* math ------------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_INTERP_MATH_H
#define BESSEMER_CODEGEN_INTERP_MATH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace bessemer::codegen::interp {

/// The function `name` of Intrinsics.def ("exp", "sinpi", "atan2"), computed in
/// double by the C library and rounded once. Fast and precise are the same.
std::optional<float> evaluateMath(llvm::StringRef name,
                                  llvm::ArrayRef<double> operands);

double squareRoot(double value);

} // namespace bessemer::codegen::interp

#endif // BESSEMER_CODEGEN_INTERP_MATH_H
