//===- Literals.h - Floating literals of Metal ------------------*- C++ -*-===//
#ifndef BESSEMER_MSL_LITERALS_H
#define BESSEMER_MSL_LITERALS_H

namespace clang {
class Preprocessor;
} // namespace clang

namespace bessemer::msl {

/// Metal has no double: from here on `0.5` reads as `0.5f`. Casting afterwards
/// would not do: templates rebuild their expressions from the literal.
void makeLiteralsFloat(clang::Preprocessor &preprocessor);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_LITERALS_H
