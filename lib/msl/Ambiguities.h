//===- Ambiguities.h - What is ambiguous in C++ alone -----------*- C++ -*-===//
#ifndef BESSEMER_MSL_AMBIGUITIES_H
#define BESSEMER_MSL_AMBIGUITIES_H

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace bessemer::msl {

class SourceEdits;

/// A choice between functions that C++ finds equally good.
struct Ambiguity {
  unsigned diagnostic = 0;
  clang::SourceLocation location;
  /// Of the operands, if the message tells.
  llvm::SmallVector<clang::CharSourceRange, 2> operands;
  clang::QualType target; ///< Of a conversion.
  llvm::SmallVector<const clang::FunctionDecl *, 4> candidates;
};

/// Collects Clang's ambiguity errors, and finds those that Metal does not have:
/// no half or float becomes a bfloat by itself, and no bfloat a half, so a
/// candidate that would need that is none. Each becomes an edit that converts
/// the argument, or the object, as the candidate that is left wants it.
class Ambiguities {
public:
  void see(const clang::Diagnostic &info);

  /// Whether there are new edits. `context` is the syntax tree of the reading.
  bool resolve(const clang::ASTContext &context, SourceEdits &edits);

private:
  std::vector<Ambiguity> found;
  bool isOpen = false; ///< The notes that follow are of the last one.
};

} // namespace bessemer::msl

#endif // BESSEMER_MSL_AMBIGUITIES_H
