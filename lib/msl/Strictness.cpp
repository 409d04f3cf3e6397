//===- Strictness.cpp - Metal's rules that Clang does not check -----------===//
#include "msl/Strictness.h"

#include "msl/Types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Sema/Sema.h"

using namespace bessemer;
using namespace bessemer::msl;
using namespace clang;

namespace {

class StrictnessChecker : public DynamicRecursiveASTVisitor {
public:
  explicit StrictnessChecker(Sema &sema) : sema(sema) {}

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

  /// `float4(1, 2, 3)`: only an initialiser list may be short.
  bool VisitCXXConstructExpr(CXXConstructExpr *construct) override {
    unsigned given = 0;
    for (const Expr *argument : construct->arguments())
      given += elementType(sema.Context, argument->getType()).width;
    ElementType made = elementType(sema.Context, construct->getType());
    if (!made.isVector || construct->getNumArgs() < 2 ||
        construct->isListInitialization() || given >= made.width)
      return true;
    DiagnosticsEngine &engine = sema.getDiagnostics();
    engine.Report(construct->getExprLoc(),
                  engine.getCustomDiagID(
                      DiagnosticsEngine::Error,
                      "%0 needs %1 components; these arguments have %2"))
        << construct->getType().getUnqualifiedType() << made.width << given
        << construct->getSourceRange();
    return true;
  }

private:
  Sema &sema;
  llvm::SmallVector<const Expr *> receivers;
};

} // namespace

void msl::checkStrictly(Sema &sema, FunctionDecl &function) {
  if (function.hasBody() && !function.isDependentContext())
    StrictnessChecker(sema).TraverseStmt(function.getBody());
}
