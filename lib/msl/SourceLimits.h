//===- SourceLimits.h - What a source may cost ------------------*- C++ -*-===//
#ifndef BESSEMER_MSL_SOURCELIMITS_H
#define BESSEMER_MSL_SOURCELIMITS_H

#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class CompilerInstance;
class Preprocessor;
class Sema;
class Token;
} // namespace clang

namespace bessemer::msl {

/// The bytes of a source, or of a file that it includes.
inline constexpr size_t mostSourceBytes = size_t(64) << 20;

/// Ends the reading of a source that grows without bound or nests more deeply
/// than the compiler can recurse, with an error that names the limit; and of
/// one that the user no longer wants.
class SourceLimits {
public:
  explicit SourceLimits(clang::CompilerInstance &compiler);

  /// Watches the preprocessor's files and macros; `this` must outlive it.
  void watchPreprocessor();
  /// Counts instantiations anew: they are for the code of another kernel.
  void restart();
  /// Watches instantiations; `this` must outlive `sema`.
  void watchTemplates(clang::Sema &sema);

  /// Sees each token on its way to the parser. Once the reading has ended, all
  /// are the end of the file.
  void see(clang::Token &token);

  void countFile(clang::SourceLocation location);
  /// `arguments`: their tokens, before they are expanded.
  void countMacro(const clang::Token &name, unsigned arguments);
  void countInstantiation(clang::SourceLocation location);

private:
  /// What stands between a bracket and the one that closes it, since its last
  /// `;` or `,`.
  struct Bracket {
    enum Kind { Block, List, Parentheses } kind = Block;
    unsigned tokens = 0;
    unsigned elements = 0; ///< Since the last `;`.
    unsigned controls = 0; ///< if, else, for ... of the present statement.
    unsigned lastControls = 0;
  };

  void nest(const clang::Token &token);
  bool beginsList() const;
  void open(Bracket::Kind kind);
  void close();
  void endStatement();
  void endElement();
  void count(unsigned controls);
  void stop(clang::SourceLocation location, llvm::StringRef message);

  clang::CompilerInstance &compiler;
  bool hasStopped = false;
  uint64_t macroTokens = 0;
  unsigned tokens = 0, files = 0, macros = 0, instantiations = 0;
  /// Over all open brackets: what bounds the depth of the syntax tree.
  unsigned openTokens = 0, openControls = 0;
  llvm::SmallVector<Bracket> brackets;
  clang::tok::TokenKind previous = clang::tok::eof;
};

} // namespace bessemer::msl

#endif // BESSEMER_MSL_SOURCELIMITS_H
