//===- PrePass.cpp - Metal syntax that C++ has not, in place --------------===//
#include "msl/PrePass.h"

#include "msl/Literals.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallVector.h"

using namespace bessemer;
using clang::tok::TokenKind;
namespace tok = clang::tok;

namespace {

struct RawToken {
  TokenKind kind;
  size_t begin, end;
  /// Of an opening bracket: the index of the one that closes it, or the number
  /// of tokens.
  size_t closing = 0;
};

/// What a declaration may have in tokens: it bounds the look ahead.
constexpr size_t longestDeclaration = 512;

class PrePass {
public:
  explicit PrePass(llvm::StringRef source) : source(source), result(source) {
    lex();
  }
  std::string run();

private:
  void lex();
  llvm::StringRef spelling(size_t i) const {
    return i < tokens.size() ? source.slice(tokens[i].begin, tokens[i].end)
                             : llvm::StringRef();
  }
  bool is(size_t i, TokenKind kind) const {
    return i < tokens.size() && tokens[i].kind == kind;
  }
  bool word(size_t i, llvm::StringRef text) const {
    return is(i, tok::raw_identifier) && spelling(i) == text;
  }
  bool opensAttribute(size_t i) const {
    return is(i, tok::l_square) && is(i + 1, tok::l_square);
  }
  bool isAddressSpace(size_t i) const {
    return word(i, "device") || word(i, "constant") || word(i, "threadgroup");
  }
  void matchBrackets();
  size_t attributeEnd(size_t i) const;
  size_t declarationEnd(size_t i) const {
    return std::min(i + longestDeclaration, tokens.size());
  }
  void blank(size_t begin, size_t end);

  void attributeWords(size_t begin, size_t end);
  void instantiationAttributes(size_t i);
  void literalSuffix(size_t i);
  void methodQualifier(size_t i);
  void threadgroupInitializer(size_t i);
  void arrayParameter(size_t i);
  void memberRedeclaration(size_t i);

  llvm::StringRef source;
  std::string result;
  llvm::SmallVector<RawToken, 0> tokens;
};

} // namespace

void PrePass::lex() {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 =
      options.CPlusPlus17 = true;
  options.LineComment = true;
  options.DollarIdents = true;
  // The lexer needs a NUL at the end of its buffer, which `result` has.
  clang::Lexer lexer(clang::SourceLocation(), options, result.data(),
                     result.data(), result.data() + result.size());
  clang::Token token;
  do {
    lexer.LexFromRawLexer(token);
    size_t end = lexer.getBufferLocation() - result.data();
    if (token.isNot(tok::eof))
      tokens.push_back({token.getKind(), end - token.getLength(), end});
  } while (token.isNot(tok::eof));
  matchBrackets();
}

void PrePass::matchBrackets() {
  llvm::SmallVector<size_t, 0> open;
  for (size_t i = 0; i < tokens.size(); ++i) {
    TokenKind kind = tokens[i].kind;
    if (kind == tok::l_square || kind == tok::l_paren || kind == tok::l_brace) {
      tokens[i].closing = tokens.size();
      open.push_back(i);
    }
    if (open.empty())
      continue;
    if (kind == tok::r_square || kind == tok::r_paren || kind == tok::r_brace)
      tokens[open.pop_back_val()].closing = i;
  }
}

/// Index of the first `]` of the `]]` that closes the attribute at `i`; the
/// number of tokens if that is none, as in `x[[] { return 1; }()]`.
size_t PrePass::attributeEnd(size_t i) const {
  size_t end = tokens[i + 1].closing;
  return is(end, tok::r_square) && tokens[i].closing == end + 1 ? end
                                                                : tokens.size();
}

void PrePass::blank(size_t begin, size_t end) {
  for (size_t at = begin; at < end; ++at)
    if (result[at] != '\n' && result[at] != '\\')
      result[at] = ' ';
}

/// Words that are macros elsewhere are attribute names here: `[[kernel]]`
/// becomes `[[Kernel]]`, which the attribute table knows.
void PrePass::attributeWords(size_t begin, size_t end) {
  for (size_t at = begin; at < end; ++at)
    if (word(at, "kernel") || word(at, "threadgroup"))
      result[tokens[at].begin] ^= 'a' ^ 'A';
}

/// C++ allows no [[ ]] in an explicit instantiation; `$(...)` is a macro for
/// __attribute__((...)).
void PrePass::instantiationAttributes(size_t i) {
  for (size_t at = i + 1; opensAttribute(at);) {
    size_t end = attributeEnd(at);
    if (end == tokens.size())
      return;
    result[tokens[at].begin] = '$';
    result[tokens[at + 1].begin] = '(';
    result[tokens[end].begin] = ')';
    result[tokens[end + 1].begin] = ' ';
    at = end + 2;
  }
}

/// `1.0f` is Clang's `1.0` (Literals.h). `1.0bf` is the bfloat literal: a
/// user-defined literal `_b`. `1.0H` is `1.0h`.
void PrePass::literalSuffix(size_t i) {
  llvm::StringRef text = spelling(i);
  if (msl::hasFloatSuffix(text))
    result[tokens[i].end - 1] = ' ';
  else if (text.starts_with_insensitive("0x"))
    return;
  else if (text.ends_with_insensitive("bf"))
    result.replace(tokens[i].end - 2, 2, "_b");
  else if (text.ends_with("H"))
    result[tokens[i].end - 1] = 'h';
}

/// `constant` after a member function's parameters does not imply const;
/// `Constant` is the bare address space.
void PrePass::methodQualifier(size_t i) {
  size_t before = i;
  while (before > 0 &&
         (word(before - 1, "const") || word(before - 1, "volatile")))
    --before;
  if (before == 0 || !is(before - 1, tok::r_paren))
    return;
  TokenKind next = i + 1 < tokens.size() ? tokens[i + 1].kind : tok::eof;
  if (next == tok::colon || next == tok::l_brace || next == tok::semi ||
      next == tok::equal || word(i + 1, "const"))
    result[tokens[i].begin] = 'C';
}

/// Metal ignores the initialiser of a threadgroup variable.
void PrePass::threadgroupInitializer(size_t i) {
  size_t equal = 0;
  for (size_t at = i + 1; at < declarationEnd(i); ++at) {
    TokenKind kind = tokens[at].kind;
    if (!equal &&
        (kind == tok::star || kind == tok::amp || kind == tok::l_paren ||
         kind == tok::l_brace || kind == tok::hash))
      return;
    if (!equal && kind == tok::equal)
      equal = at;
    if (kind == tok::l_brace || kind == tok::l_paren || kind == tok::l_square)
      at = tokens[at].closing;
    if (at < tokens.size() && kind == tok::semi) {
      if (equal)
        blank(tokens[equal].begin, tokens[at].begin);
      return;
    }
  }
}

/// `constant T x[3]` as a parameter: in Metal the address space is that of the
/// elements, and the parameter a pointer to them. `i` is the array's name.
void PrePass::arrayParameter(size_t i) {
  size_t close = tokens[i + 1].closing;
  if (!(is(close + 1, tok::comma) || is(close + 1, tok::r_paren) ||
        opensAttribute(close + 1)))
    return;
  bool inSpace = false;
  unsigned angles = 0;
  size_t at = i;
  for (; at > 0; --at) {
    TokenKind kind = tokens[at - 1].kind;
    inSpace |= isAddressSpace(at - 1);
    angles += kind == tok::greater;
    angles -= kind == tok::less && angles;
    if (kind == tok::l_paren || (kind == tok::comma && angles == 0))
      break;
    if (kind != tok::raw_identifier && kind != tok::coloncolon &&
        kind != tok::less && kind != tok::greater && kind != tok::comma &&
        kind != tok::numeric_constant)
      return;
  }
  if (at == 0 || at + 1 >= i || !inSpace || source[tokens[i].begin - 1] != ' ')
    return;
  result[tokens[i].begin - 1] = '*';
  blank(tokens[i + 1].begin, tokens[close].end);
}

/// `constant constexpr const T S<A>::name;`: the out-of-class declaration of a
/// member that its class initialises. Redundant in C++17, where Clang would
/// want its initialiser.
void PrePass::memberRedeclaration(size_t i) {
  if (!word(i + 1, "constexpr"))
    return;
  bool qualified = false;
  for (size_t at = i + 1; at < declarationEnd(i); ++at) {
    TokenKind kind = tokens[at].kind;
    if (kind == tok::equal || kind == tok::l_brace || kind == tok::l_paren)
      return;
    qualified |= kind == tok::coloncolon && is(at - 1, tok::greater);
    if (kind == tok::semi) {
      if (qualified)
        blank(tokens[i].begin, tokens[at].begin);
      return;
    }
  }
}

std::string PrePass::run() {
  size_t attribute = 0; // Where the last one ends.
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (i >= attribute && opensAttribute(i))
      if (size_t end = attributeEnd(i); end < tokens.size())
        attributeWords(i + 2, attribute = end);
    if (word(i, "template"))
      instantiationAttributes(i);
    else if (is(i, tok::numeric_constant))
      literalSuffix(i);
    else if (word(i, "long") && word(i + 1, "double"))
      blank(tokens[i].begin, tokens[i].end); // One message is enough.
    else if (word(i, "constant")) {
      methodQualifier(i);
      memberRedeclaration(i);
    } else if (word(i, "threadgroup"))
      threadgroupInitializer(i);
    else if (is(i, tok::raw_identifier) && is(i + 1, tok::l_square) &&
             !opensAttribute(i + 1))
      arrayParameter(i);
  }
  return std::move(result);
}

std::string msl::prePass(llvm::StringRef source) {
  return PrePass(source).run();
}
