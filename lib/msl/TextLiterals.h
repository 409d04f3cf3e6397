//===- TextLiterals.h - Strings in constant memory --------------*- C++ -*-===//
#ifndef BESSEMER_MSL_TEXTLITERALS_H
#define BESSEMER_MSL_TEXTLITERALS_H

#include "clang/Basic/TokenKinds.h"

namespace clang {
class Preprocessor;
class Token;
} // namespace clang

namespace bessemer::msl {

/// A string literal of Metal is an array in constant memory; one of C++ lies in
/// memory of the thread. From here on `"text"` reads as `"text"__bsm_text`, a
/// literal operator of the library (metal/text.h). What must be a plain literal
/// in C++ stays one: messages of static_assert, arguments of attributes,
/// initialisers of arrays.
class TextLiterals {
public:
  explicit TextLiterals(clang::Preprocessor &preprocessor)
      : preprocessor(preprocessor) {}

  /// Sees each token on its way to the parser.
  void see(clang::Token &token);

private:
  bool isPlain() const;
  void follow(const clang::Token &token);
  void addSuffix(clang::Token &token);

  clang::Preprocessor &preprocessor;
  /// The kinds of the last token and of the one before it.
  clang::tok::TokenKind last = clang::tok::unknown;
  clang::tok::TokenKind beforeLast = clang::tok::unknown;
  bool lastWasPlain = true; ///< Of the last literal.
  enum { Code, Attribute, Assertion } region = Code;
  unsigned openBrackets = 0; ///< Of an attribute or assertion.
};

} // namespace bessemer::msl

#endif // BESSEMER_MSL_TEXTLITERALS_H
