//===- Strictness.h - Metal's rules that Clang does not check ---*- C++ -*-===//
#ifndef BESSEMER_MSL_STRICTNESS_H
#define BESSEMER_MSL_STRICTNESS_H

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace bessemer::msl {

/// Reports what our target and headers let Clang accept, and Metal does not:
/// pointers that leave their address space (any object may be `this`, see
/// Target.cpp, and so may become `thread T *`), vectors with components
/// missing.
void checkStrictly(clang::Sema &sema, clang::FunctionDecl &function);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_STRICTNESS_H
