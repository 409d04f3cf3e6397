//===- Literals.cpp - Floating literals of Metal --------------------------===//
#include "msl/Literals.h"

#include "clang/Lex/Token.h"

using namespace bessemer;

bool msl::hasFloatSuffix(llvm::StringRef text) {
  if (!text.ends_with_insensitive("f"))
    return false;
  // In a hexadecimal number f is a digit unless an exponent precedes it.
  if (text.starts_with_insensitive("0x"))
    return text.find_first_of("pP") != llvm::StringRef::npos;
  llvm::StringRef digits = text.drop_back();
  return digits.find_first_of(".eE") != llvm::StringRef::npos &&
         digits.find_first_not_of("0123456789.eE+-'") == llvm::StringRef::npos;
}

void msl::dropFloatSuffix(clang::Token &token, llvm::BumpPtrAllocator &memory) {
  if (token.isNot(clang::tok::numeric_constant) || !token.getLiteralData())
    return;
  llvm::StringRef text(token.getLiteralData(), token.getLength());
  if (!hasFloatSuffix(text))
    return;
  char *shorter = memory.Allocate<char>(text.size());
  std::copy(text.begin(), text.end() - 1, shorter);
  shorter[text.size() - 1] = 0;
  token.setLiteralData(shorter);
  token.setLength(text.size() - 1);
}
