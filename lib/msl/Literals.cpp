//===- Literals.cpp - Floating literals of Metal --------------------------===//
#include "msl/Literals.h"

#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"

using namespace bessemer;

/// A decimal or hexadecimal floating literal without a suffix.
static bool isPlainFloat(llvm::StringRef text) {
  bool isHex = text.starts_with_insensitive("0x");
  if (isHex)
    return text.find_first_of("pP") != llvm::StringRef::npos &&
           llvm::isDigit(text.back());
  return text.find_first_of(".eE") != llvm::StringRef::npos &&
         text.find_first_not_of("0123456789.eE+-'") == llvm::StringRef::npos;
}

void msl::makeLiteralsFloat(clang::Preprocessor &preprocessor) {
  llvm::BumpPtrAllocator &memory = preprocessor.getPreprocessorAllocator();
  preprocessor.setTokenWatcher([&memory](const clang::Token &token) {
    if (token.isNot(clang::tok::numeric_constant) || !token.getLiteralData())
      return;
    llvm::StringRef text(token.getLiteralData(), token.getLength());
    if (!isPlainFloat(text))
      return;
    char *longer = memory.Allocate<char>(text.size() + 2);
    std::copy(text.begin(), text.end(), longer);
    longer[text.size()] = 'f';
    longer[text.size() + 1] = 0;
    // The watcher sees each token on its way to the parser, by const reference
    // only; there is no other place that sees all of them.
    auto &rewritten = const_cast<clang::Token &>(token);
    rewritten.setLiteralData(longer);
    rewritten.setLength(text.size() + 1);
  });
}
