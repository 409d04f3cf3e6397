//===- Strictness.h - Metal's rules that Clang does not check ---*- C++ -*-===//
#ifndef BESSEMER_MSL_STRICTNESS_H
#define BESSEMER_MSL_STRICTNESS_H

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace bessemer::msl {

/// Reports pointers that leave their address space: our target lets any object
/// be `this` (Target.cpp), and so Clang accepts `thread T *p = devicePointer`.
void checkAddressSpaces(clang::Sema &sema, clang::FunctionDecl &function);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_STRICTNESS_H
