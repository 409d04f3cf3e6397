//===- Strictness.cpp - Metal's rules that Clang does not check -----------===//
#include "msl/Strictness.h"

#include "msl/Types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Sema/Sema.h"

using namespace bessemer;
using namespace bessemer::msl;
using namespace clang;

static bool isComponent(const llvm::APSInt &index, unsigned width) {
  return index.isNonNegative() && index.getActiveBits() <= 32 &&
         index.getZExtValue() < width;
}

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
    if (cast->getCastKind() == CK_FloatingCast && !cast->isPartOfExplicitCast())
      checkFloats(*cast);
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

  /// `sin(v)` without `using namespace metal`: our vectors are classes of that
  /// namespace, and C++ looks there; Metal's are not.
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !call->usesADL() || isa<CXXOperatorCallExpr>(call) ||
        !isLibrary(*callee) || hasLibraryObject(*call))
      return true;
    DiagnosticsEngine &engine = sema.getDiagnostics();
    engine.Report(call->getExprLoc(),
                  engine.getCustomDiagID(
                      DiagnosticsEngine::Error,
                      "use of undeclared identifier '%0'; write 'metal::%0', or"
                      " 'using namespace metal;' before it"))
        << callee->getName();
    return true;
  }

  bool VisitAsmStmt(AsmStmt *statement) override {
    return refuse(statement->getAsmLoc(), "asm", "write it in Metal");
  }
  bool VisitGotoStmt(GotoStmt *statement) override {
    return refuse(statement->getGotoLoc(), "goto", "use a loop or 'if'");
  }
  bool VisitCXXNewExpr(CXXNewExpr *expression) override {
    return refuse(expression->getBeginLoc(), "new", "declare a variable");
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *expression) override {
    return refuse(expression->getBeginLoc(), "delete", "drop it");
  }

  bool VisitVarDecl(VarDecl *variable) override {
    if (!variable->isStaticLocal() || variable->isConstexpr() ||
        variable->getType().isConstQualified() ||
        sema.Context.getBaseElementType(variable->getType()).hasAddressSpace())
      return true;
    DiagnosticsEngine &engine = sema.getDiagnostics();
    engine.Report(variable->getLocation(),
                  engine.getCustomDiagID(
                      DiagnosticsEngine::Error,
                      "'%0' is static, but Metal keeps nothing between calls;"
                      " drop 'static', or pass device memory"))
        << variable->getName();
    return true;
  }

  /// `v[7]`, where the index is a constant.
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *call) override {
    Expr::EvalResult index;
    if (call->getOperator() != OO_Subscript || call->getNumArgs() != 2)
      return true;
    QualType object = call->getArg(0)->getType();
    ElementType element =
        elementType(sema.Context, sema.Context.removeAddrSpaceQualType(object));
    if (!element.isVector || call->getArg(1)->isValueDependent() ||
        !call->getArg(1)->EvaluateAsInt(index, sema.Context) ||
        isComponent(index.Val.getInt(), element.width))
      return true;
    DiagnosticsEngine &engine = sema.getDiagnostics();
    engine.Report(call->getArg(1)->getExprLoc(),
                  engine.getCustomDiagID(
                      DiagnosticsEngine::Error,
                      "index %0 is out of range; %1 has %2 components"))
        << llvm::toString(index.Val.getInt(), 10) << object.getUnqualifiedType()
        << element.width;
    return true;
  }

private:
  static bool isLibrary(const Decl &decl) {
    auto *scope = dyn_cast<NamespaceDecl>(
        decl.getDeclContext()->getEnclosingNamespaceContext());
    return scope && scope->getName() == "metal";
  }

  /// Whether an argument is of a class that is one in Metal too.
  bool hasLibraryObject(const CallExpr &call) const {
    return llvm::any_of(call.arguments(), [&](const Expr *argument) {
      QualType type = argument->getType();
      while (type->isPointerType())
        type = type->getPointeeType();
      type = sema.Context.removeAddrSpaceQualType(type);
      return !type->isArithmeticType() &&
             !elementType(sema.Context, type).isVector;
    });
  }

  bool refuse(clang::SourceLocation location, const char *what,
              const char *instead) {
    DiagnosticsEngine &engine = sema.getDiagnostics();
    engine.Report(location, engine.getCustomDiagID(DiagnosticsEngine::Error,
                                                   "Metal has no '%0'; %1"))
        << what << instead;
    return true;
  }

  void checkFloats(const ImplicitCastExpr &cast) {
    DType from = elementType(sema.Context, cast.getSubExpr()->getType()).scalar;
    DType to = elementType(sema.Context, cast.getType()).scalar;
    if (convertsByItself(from, to) || from == to)
      return;
    // The meaning is clear for float to bfloat, and kernels that serve several
    // types have it; half and bfloat have no common type to go through.
    auto level = from == DType::F16 || to == DType::F16
                     ? DiagnosticsEngine::Error
                     : DiagnosticsEngine::Warning;
    DiagnosticsEngine &engine = sema.getDiagnostics();
    engine.Report(cast.getExprLoc(),
                  engine.getCustomDiagID(
                      level,
                      "%0 does not convert to %1 by itself in Metal; write"
                      " %2(...)"))
        << cast.getSubExpr()->getType() << cast.getType() << dtypeMetalName(to)
        << cast.getSourceRange();
  }

  Sema &sema;
  llvm::SmallVector<const Expr *> receivers;
};

} // namespace

void msl::checkStrictly(Sema &sema, FunctionDecl &function) {
  if (function.hasBody() && !function.isDependentContext())
    StrictnessChecker(sema).TraverseStmt(function.getBody());
}

void msl::checkMethods(Sema &sema, const CXXRecordDecl &record) {
  for (const CXXMethodDecl *method : record.methods()) {
    if (!method->isVirtualAsWritten())
      continue;
    DiagnosticsEngine &engine = sema.getDiagnostics();
    engine.Report(method->getLocation(),
                  engine.getCustomDiagID(
                      DiagnosticsEngine::Error,
                      "Metal has no virtual functions; '%0' needs a template"
                      " or a switch"))
        << method->getQualifiedNameAsString();
  }
}

void msl::checkProgramScope(Sema &sema, VarDecl &variable, bool isBound) {
  LangAS space =
      sema.Context.getBaseElementType(variable.getType()).getAddressSpace();
  auto report = [&](auto &&format) {
    DiagnosticsEngine &engine = sema.getDiagnostics();
    engine.Report(variable.getLocation(),
                  engine.getCustomDiagID(DiagnosticsEngine::Error, format))
        << variable.getName();
  };
  if (isBound)
    report("'%0' binds a buffer at program scope, which is not supported; make"
           " it a parameter of the kernels that use it");
  else if (!variable.hasInit() && variable.hasExternalStorage())
    report("'%0' is extern, but there is no other source that could define it");
  else if (space != LangAS::opencl_constant)
    report("variable '%0' outside of a function must be in constant memory:"
           " write 'constant', or declare it in the kernel");
  else if (variable.hasInit() && !variable.getInit()->isValueDependent() &&
           !variable.hasConstantInitialization() && !variable.evaluateValue())
    report("the initialiser of '%0' is no constant expression; compute it in"
           " the kernel");
}
