//===- Strictness.cpp - Metal's rules that Clang does not check -----------===//
#include "msl/Strictness.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Sema/Sema.h"

using namespace bessemer;
using namespace clang;

namespace {

class AddressSpaceChecker : public DynamicRecursiveASTVisitor {
public:
  explicit AddressSpaceChecker(Sema &sema) : sema(sema) {}

  /// `p->member()`: the object's pointer may become an unqualified `this`.
  bool VisitMemberExpr(MemberExpr *member) override {
    receivers.push_back(member->getBase()->IgnoreParens());
    return true;
  }

  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) override {
    if (cast->getCastKind() != CK_AddressSpaceConversion ||
        !cast->getType()->isPointerType() ||
        llvm::is_contained(receivers, cast))
      return true;
    QualType from = cast->getSubExpr()->getType();
    LangAS space = from->isPointerType()
                       ? from->getPointeeType().getAddressSpace()
                       : LangAS::Default;
    if (space == LangAS::Default ||
        cast->getType()->getPointeeType().getAddressSpace() != LangAS::Default)
      return true;
    DiagnosticsEngine &engine = sema.getDiagnostics();
    engine.Report(cast->getExprLoc(),
                  engine.getCustomDiagID(
                      DiagnosticsEngine::Error,
                      "cannot convert %0 to %1, a pointer to thread memory"))
        << from << cast->getType() << cast->getSourceRange();
    return true;
  }

private:
  Sema &sema;
  llvm::SmallVector<const Expr *> receivers;
};

} // namespace

void msl::checkAddressSpaces(Sema &sema, FunctionDecl &function) {
  if (function.hasBody() && !function.isDependentContext())
    AddressSpaceChecker(sema).TraverseStmt(function.getBody());
}
