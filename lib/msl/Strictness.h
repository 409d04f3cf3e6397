//===- Strictness.h - Metal's rules that Clang does not check ---*- C++ -*-===//
#ifndef BESSEMER_MSL_STRICTNESS_H
#define BESSEMER_MSL_STRICTNESS_H

namespace clang {
class CXXRecordDecl;
class FunctionDecl;
class Sema;
class VarDecl;
} // namespace clang

namespace bessemer::msl {

/// Reports what our target and headers let Clang accept, and Metal does not:
/// pointers that leave their address space (any object may be `this`, see
/// Target.cpp, and so may become `thread T *`), vectors with components
/// missing, conversions to bfloat and between bfloat and half without a cast,
/// static variables.
void checkStrictly(clang::Sema &sema, clang::FunctionDecl &function);

/// Refuses virtual functions.
void checkMethods(clang::Sema &sema, const clang::CXXRecordDecl &record);

/// The same for a variable outside of functions, which lives in constant memory
/// and is initialised by a constant. `isBound`: the variable has a [[buffer]].
void checkProgramScope(clang::Sema &sema, clang::VarDecl &variable,
                       bool isBound);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_STRICTNESS_H
