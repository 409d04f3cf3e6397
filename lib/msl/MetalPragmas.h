//===- MetalPragmas.h - #pragma METAL ---------------------------*- C++ -*-===//
#ifndef BESSEMER_MSL_METALPRAGMAS_H
#define BESSEMER_MSL_METALPRAGMAS_H

namespace clang {
class Preprocessor;
} // namespace clang

namespace bessemer::msl {

/// Makes `#pragma METAL fp math_mode(M)` and `contract(M)` work, as Clang's own
/// pragma for floating operations.
void addMetalPragmas(clang::Preprocessor &preprocessor);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_METALPRAGMAS_H
