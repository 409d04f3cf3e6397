//===- UndefinedConstants.cpp - Function constants without values ---------===//
#include "msl/UndefinedConstants.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace bessemer;
using namespace bessemer::msl;
using namespace clang;

namespace {

/// Constants without a value, and those computed from them. While it lives they
/// have no initialiser, so that nothing that depends on them can be evaluated.
class WithoutValues {
public:
  WithoutValues(ASTContext &context, const ReflectedSource &reflected);
  ~WithoutValues() {
    for (auto [variable, initialiser] : taken)
      variable->setInit(initialiser);
  }
  using Names = llvm::SmallSetVector<VarDecl *, 4>;
  /// The function constants that `variable` stands for.
  const Names *of(const VarDecl *variable) const {
    auto found = names.find(variable->getCanonicalDecl());
    return found == names.end() ? nullptr : &found->second;
  }

private:
  void take(VarDecl *variable, Names constants) {
    names[variable->getCanonicalDecl()] = std::move(constants);
    taken.emplace_back(variable, variable->getInit());
    variable->setInit(nullptr);
  }
  std::vector<std::pair<VarDecl *, Expr *>> taken;
  llvm::DenseMap<const VarDecl *, Names> names;
};

/// Walks through what a kernel may run.
class UseFinder : public DynamicRecursiveASTVisitor {
public:
  UseFinder(ASTContext &context, const WithoutValues &values)
      : context(context), values(values) {}

  void run(FunctionDecl *function) {
    reach(function);
    for (size_t i = 0; i < functions.size(); ++i)
      TraverseStmt(functions[i]->getBody());
  }

  bool TraverseIfStmt(IfStmt *statement) override;
  bool TraverseConditionalOperator(ConditionalOperator *choice) override;
  bool TraverseBinaryOperator(BinaryOperator *operation) override;
  bool VisitDeclRefExpr(DeclRefExpr *reference) override;
  bool VisitMemberExpr(MemberExpr *member) override {
    reach(member->getMemberDecl());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *construction) override {
    reach(construction->getConstructor());
    return true;
  }

  WithoutValues::Names used;

private:
  void reach(Decl *decl) {
    if (auto *function = dyn_cast<FunctionDecl>(decl))
      if (FunctionDecl *definition = function->getDefinition())
        if (definition->getBody())
          functions.insert(definition);
  }
  /// The value of a condition that depends on nothing unknown.
  std::optional<bool> valueOf(const Expr *condition) const {
    bool value = false;
    if (!condition || condition->isValueDependent() ||
        !condition->EvaluateAsBooleanCondition(value, context))
      return std::nullopt;
    return value;
  }

  ASTContext &context;
  const WithoutValues &values;
  llvm::SmallSetVector<FunctionDecl *, 16> functions;
};

} // namespace

WithoutValues::WithoutValues(ASTContext &context,
                             const ReflectedSource &reflected) {
  for (VarDecl *constant : reflected.undefinedConstants) {
    Names self;
    self.insert(constant);
    take(constant, std::move(self));
  }
  for (VarDecl *constant : reflected.computedConstants) {
    UseFinder finder(context, *this);
    finder.TraverseStmt(constant->getInit());
    if (!finder.used.empty())
      take(constant, std::move(finder.used));
  }
}

bool UseFinder::TraverseIfStmt(IfStmt *statement) {
  std::optional<bool> value = valueOf(statement->getCond());
  if (!value)
    return DynamicRecursiveASTVisitor::TraverseIfStmt(statement);
  return TraverseStmt(*value ? statement->getThen() : statement->getElse());
}

bool UseFinder::TraverseConditionalOperator(ConditionalOperator *choice) {
  std::optional<bool> value = valueOf(choice->getCond());
  if (!value)
    return DynamicRecursiveASTVisitor::TraverseConditionalOperator(choice);
  return TraverseStmt(*value ? choice->getTrueExpr() : choice->getFalseExpr());
}

bool UseFinder::TraverseBinaryOperator(BinaryOperator *operation) {
  if (operation->isLogicalOp())
    if (std::optional<bool> value = valueOf(operation->getLHS());
        value && *value == (operation->getOpcode() == BO_LOr))
      return true;
  return DynamicRecursiveASTVisitor::TraverseBinaryOperator(operation);
}

bool UseFinder::VisitDeclRefExpr(DeclRefExpr *reference) {
  reach(reference->getDecl());
  if (auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
    if (const WithoutValues::Names *names = values.of(variable))
      used.insert(names->begin(), names->end());
  return true;
}

void msl::findMissingConstants(ASTContext &context,
                               const ReflectedSource &reflected,
                               std::vector<KernelRecord> &kernels) {
  if (reflected.undefinedConstants.empty())
    return;
  WithoutValues values(context, reflected);
  for (KernelRecord &kernel : kernels) {
    if (!kernel.hasCode)
      continue;
    UseFinder finder(context, values);
    finder.run(kernel.declaration);
    for (VarDecl *constant : finder.used)
      kernel.missingConstants.push_back(constant->getQualifiedNameAsString());
  }
}
