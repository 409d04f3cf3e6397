//===- SourceEdits.h - Expressions to be read differently -------*- C++ -*-===//
#ifndef BESSEMER_MSL_SOURCEEDITS_H
#define BESSEMER_MSL_SOURCEEDITS_H

#include "clang/Basic/SourceManager.h"

#include <map>
#include <set>
#include <string>

namespace clang {
class LangOptions;
} // namespace clang

namespace bessemer::msl {

/// Operands that become values before Clang looks at them.
///
/// C++ has no common type for `c ? p[i] : T()` where p[i] is a constant object
/// in device memory; Metal has. Clang decides that inside of an expression,
/// where nothing can step in: so the source is read once more, with a copy
/// around the operands that it complained of. A source without such an
/// expression is read once, as it is.
class SourceEdits {
public:
  /// Puts a copy around the expression, which may come out of macros, in the
  /// next reading. False if no stretch of a file is the expression, or it has
  /// its copy already.
  bool copyOperand(const clang::SourceManager &sources,
                   const clang::LangOptions &language,
                   clang::CharSourceRange expression);

  /// Makes what copyOperand found part of the text.
  void startReading();

  /// `text` of `file` (empty: the main file) with the edits.
  std::string apply(llvm::StringRef file, llvm::StringRef text) const;

  /// By how much that text is longer.
  size_t growth(llvm::StringRef file) const;
  /// Characters inserted in [begin, end) of the edited text of a file.
  size_t inserted(const clang::SourceManager &sources, clang::FileID file,
                  size_t begin, size_t end) const;

private:
  using Stretch = std::pair<size_t, size_t>;
  /// By file, in offsets of the text without edits.
  using Operands = std::map<std::string, std::set<Stretch>>;
  Operands operands, found;

  std::multimap<size_t, llvm::StringRef> insertions(llvm::StringRef file) const;
};

} // namespace bessemer::msl

#endif // BESSEMER_MSL_SOURCEEDITS_H
