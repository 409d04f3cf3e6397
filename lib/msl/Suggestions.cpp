//===- Suggestions.cpp - What a misspelt name may mean --------------------===//
#include "msl/Suggestions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"

#include <memory>
#include <vector>

using namespace bessemer;
using namespace clang;

unsigned msl::typingDistance(llvm::StringRef a, llvm::StringRef b) {
  // Optimal string alignment; three rows of its table.
  std::vector<unsigned> before(b.size() + 1), last(b.size() + 1),
      row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      bool differ = a[i - 1] != b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + differ});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

namespace {
/// The nearest of the names it considers.
class Nearest {
public:
  explicit Nearest(llvm::StringRef name)
      : name(name), distance((name.size() + 1) / 4 + 1) {}

  bool isNearer(llvm::StringRef candidate) const {
    size_t longer = std::max(name.size(), candidate.size());
    size_t shorter = std::min(name.size(), candidate.size());
    return candidate != name && longer - shorter < distance &&
           msl::typingDistance(name, candidate) < distance;
  }
  void take(llvm::StringRef candidate) {
    best = candidate.str();
    distance = msl::typingDistance(name, candidate);
  }
  std::string best;

private:
  llvm::StringRef name;
  size_t distance; ///< Names must be nearer.
};
} // namespace

/// Whether `name` means something by itself or after `using namespace metal`.
static bool isDeclared(CompilerInstance &compiler, llvm::StringRef name) {
  IdentifierInfo &info =
      compiler.getPreprocessor().getIdentifierTable().get(name);
  if (info.getTokenID() != tok::identifier || info.hasMacroDefinition())
    return true;
  ASTContext &context = compiler.getASTContext();
  auto has = [&](const DeclContext *scope) {
    return !scope->lookup(DeclarationName(&info)).empty();
  };
  if (has(context.getTranslationUnitDecl()))
    return true;
  IdentifierInfo &library = context.Idents.get("metal");
  for (const NamedDecl *decl :
       context.getTranslationUnitDecl()->lookup(DeclarationName(&library)))
    if (auto *metal = dyn_cast<NamespaceDecl>(decl))
      return has(metal);
  return false;
}

std::string msl::nearestName(CompilerInstance &compiler, llvm::StringRef name) {
  Nearest nearest(name);
  if (name.size() < 3 || !compiler.hasASTContext())
    return {};
  std::vector<std::string> names;
  auto collect = [&](llvm::StringRef candidate) {
    if (!candidate.starts_with("__") && nearest.isNearer(candidate))
      names.push_back(candidate.str());
  };
  IdentifierTable &table = compiler.getPreprocessor().getIdentifierTable();
  for (const auto &entry : table)
    collect(entry.getKey());
  if (IdentifierInfoLookup *library = table.getExternalIdentifierLookup()) {
    std::unique_ptr<IdentifierIterator> all(library->getIdentifiers());
    for (llvm::StringRef next = all->Next(); !next.empty(); next = all->Next())
      collect(next);
  }
  std::sort(names.begin(), names.end());
  for (const std::string &candidate : names)
    if (nearest.isNearer(candidate) && isDeclared(compiler, candidate))
      nearest.take(candidate);
  return nearest.best;
}

std::string msl::nearestHeader(llvm::StringRef name) {
  Nearest nearest(name);
  for (llvm::StringRef header : {
           "metal_stdlib",
#define BSM_HEADER_ALIAS(name) name,
#include "msl/HeaderAliases.def"
       })
    if (nearest.isNearer(header))
      nearest.take(header);
  return nearest.best;
}
