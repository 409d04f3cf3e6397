//===- TextLiterals.cpp - Strings in constant memory ----------------------===//
#include "msl/TextLiterals.h"

#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/StringRef.h"

using namespace bessemer;
using namespace clang;

static constexpr llvm::StringLiteral suffix = "__bsm_text";

void msl::TextLiterals::see(Token &token) {
  if (token.is(tok::string_literal)) {
    // Literals that stand side by side are one.
    lastWasPlain = last == tok::string_literal ? lastWasPlain : isPlain();
    if (!lastWasPlain && !token.hasUDSuffix())
      addSuffix(token);
  }
  follow(token);
  beforeLast = last;
  last = token.getKind();
}

bool msl::TextLiterals::isPlain() const {
  bool isArrayInitializer = last == tok::equal && beforeLast == tok::r_square;
  bool isMessage = last == tok::comma && openBrackets == 1;
  return (region == Attribute) || (region == Assertion && isMessage) ||
         isArrayInitializer || last == tok::kw_extern ||
         last == tok::kw_operator;
}

/// Keeps account of the brackets of attributes and assertions.
void msl::TextLiterals::follow(const Token &token) {
  if (region != Code) {
    if (token.isOneOf(tok::l_paren, tok::l_square))
      ++openBrackets;
    else if (token.isOneOf(tok::r_paren, tok::r_square) && openBrackets)
      region = --openBrackets > 0 ? region : Code;
    return;
  }
  openBrackets = 0;
  if (token.is(tok::l_square) && last == tok::l_square) {
    region = Attribute;
    openBrackets = 2;
  } else if (token.isOneOf(tok::kw___attribute, tok::kw_asm))
    region = Attribute;
  else if (token.isOneOf(tok::kw_static_assert, tok::kw__Static_assert))
    region = Assertion;
}

void msl::TextLiterals::addSuffix(Token &token) {
  if (!token.getLiteralData())
    return;
  llvm::StringRef text(token.getLiteralData(), token.getLength());
  size_t size = text.size() + suffix.size();
  char *longer =
      preprocessor.getPreprocessorAllocator().Allocate<char>(size + 1);
  char *end = std::copy(text.begin(), text.end(), longer);
  *std::copy(suffix.begin(), suffix.end(), end) = 0;
  Token suffixed = token;
  suffixed.setLiteralData(longer);
  suffixed.setLength(size);
  suffixed.setFlag(Token::HasUDSuffix);
  // The parser may come back to the token, and then reads its own copy.
  if (preprocessor.IsPreviousCachedToken(token))
    preprocessor.ReplacePreviousCachedToken({suffixed});
  token = suffixed;
}
