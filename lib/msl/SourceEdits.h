//===- SourceEdits.h - Expressions to be read differently -------*- C++ -*-===//
#ifndef BESSEMER_MSL_SOURCEEDITS_H
#define BESSEMER_MSL_SOURCEEDITS_H

#include "clang/Basic/SourceManager.h"

#include <map>
#include <set>
#include <string>
#include <tuple>

namespace clang {
class LangOptions;
} // namespace clang

namespace bessemer::msl {

/// Expressions that become calls of the library's own functions
/// (metal/conversions.h) before Clang looks at them.
///
/// C++ has no common type for `c ? p[i] : T()` where p[i] is a constant object
/// in device memory; Metal has. Metal has no conversion from half to bfloat
/// that could make a call ambiguous; Clang has. It decides both inside of an
/// expression, where nothing can step in: so the source is read once more, with
/// a function around the expressions that it complained of. A source without
/// such an expression is read once, as it is.
class SourceEdits {
public:
  /// Puts a call of `function` around the expression, which may come out of
  /// macros, in the next reading. False if no stretch of a file is the
  /// expression, or it has that call already.
  bool wrap(const clang::SourceManager &sources,
            const clang::LangOptions &language,
            clang::CharSourceRange expression, llvm::StringRef function);

  /// Makes what wrap found part of the text.
  void startReading();

  /// `text` of `file` (empty: the main file) with the edits.
  std::string apply(llvm::StringRef file, llvm::StringRef text) const;

  /// By how much that text is longer.
  size_t growth(llvm::StringRef file) const;
  /// Characters inserted in [begin, end) of the edited text of a file.
  size_t inserted(const clang::SourceManager &sources, clang::FileID file,
                  size_t begin, size_t end) const;

private:
  /// In offsets of the text without edits.
  struct Edit {
    size_t begin, end;
    std::string opening;
    /// What contains another comes first.
    bool operator<(const Edit &other) const {
      return std::tie(begin, other.end, opening) <
             std::tie(other.begin, end, other.opening);
    }
  };
  using EditsOfFiles = std::map<std::string, std::set<Edit>>;
  EditsOfFiles edits, found;

  std::multimap<size_t, llvm::StringRef> insertions(llvm::StringRef file) const;
};

} // namespace bessemer::msl

#endif // BESSEMER_MSL_SOURCEEDITS_H
