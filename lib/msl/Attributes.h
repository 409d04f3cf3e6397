//===- Attributes.h - Metal's attributes, collected aside -------*- C++ -*-===//
//
// Clang attaches nothing for Metal's attributes: annotations on parameters
// would reach the IR and block optimisation. Handlers write them into the
// table of the compilation that runs on this thread.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_MSL_ATTRIBUTES_H
#define BESSEMER_MSL_ATTRIBUTES_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <map>

namespace clang {
class ASTContext;
class Decl;
class Expr;
class FunctionDecl;
} // namespace clang

namespace bessemer::msl {

enum class AttributeKind : uint8_t {
  Thread, ///< A thread attribute; `thread` says which.
#define BSM_DECLARATION_ATTRIBUTE(enumerator, spelling) enumerator,
#include "msl/Attributes.def"
};

struct ThreadAttribute {
  llvm::StringRef name;
  llvm::StringRef source; ///< See Attributes.def.
  unsigned components;
};

/// The row of a thread attribute, or null.
const ThreadAttribute *findThreadAttribute(llvm::StringRef name);
/// The Metal attribute whose name is nearest to `name`; empty if none is near.
llvm::StringRef nearestAttribute(llvm::StringRef name);

struct AppliedAttribute {
  AttributeKind kind;
  const ThreadAttribute *thread = nullptr;
  llvm::SmallVector<clang::Expr *, 1> arguments;
  clang::SourceLocation location;
};

class AttributeTable {
public:
  explicit AttributeTable(const std::map<unsigned, uint64_t> &constants)
      : functionConstants(constants) {}

  void add(const clang::Decl *decl, AppliedAttribute attribute) {
    table[decl].push_back(std::move(attribute));
  }
  llvm::ArrayRef<AppliedAttribute> of(const clang::Decl *decl) const {
    auto found = table.find(decl);
    return found == table.end() ? llvm::ArrayRef<AppliedAttribute>()
                                : llvm::ArrayRef(found->second);
  }
  const AppliedAttribute *find(const clang::Decl *decl,
                               AttributeKind kind) const {
    for (const AppliedAttribute &attribute : of(decl))
      if (attribute.kind == kind)
        return &attribute;
    return nullptr;
  }

  /// An explicit instantiation whose body waits for the reflector to decide
  /// that it is needed.
  void postpone(const clang::FunctionDecl *function) {
    postponed.insert(function);
  }
  bool takePostponed(const clang::FunctionDecl *function) {
    return postponed.erase(function);
  }

  const std::map<unsigned, uint64_t> &functionConstants;

private:
  llvm::DenseSet<const clang::FunctionDecl *> postponed;
  llvm::DenseMap<const clang::Decl *, llvm::SmallVector<AppliedAttribute, 1>>
      table;
};

/// Makes `table` the one that handlers on this thread write to.
class AttributeScope {
public:
  explicit AttributeScope(AttributeTable &table);
  ~AttributeScope();
  AttributeScope(const AttributeScope &) = delete;
};

} // namespace bessemer::msl

#endif // BESSEMER_MSL_ATTRIBUTES_H
