//===- IntegerOperands.h - Operands that C++ leaves undefined ---*- C++ -*-===//
#ifndef BESSEMER_MSL_INTEGEROPERANDS_H
#define BESSEMER_MSL_INTEGEROPERANDS_H

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace bessemer::msl {

/// Writes what `decl` computes with constants as Metal has it, where C++ has it
/// undefined: `a << n` counts modulo the width of `a`, division by 0 is 0 and
/// by -1 wraps. Clang would clamp, drop or poison them, each of its parts in
/// its own way (IntegerRules.cpp is for operands that it does not know).
/// Constants that Clang has evaluated on the way are to be evaluated anew.
void defineIntegerOperands(clang::ASTContext &context, clang::Decl *decl);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_INTEGEROPERANDS_H
