//===- IntegerOperands.cpp - Operands that C++ leaves undefined -----------===//
#include "msl/IntegerOperands.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"

#include <optional>

using namespace bessemer;
using namespace clang;

namespace {

class OperandChanger : public DynamicRecursiveASTVisitor {
public:
  explicit OperandChanger(ASTContext &context) : context(context) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitBinaryOperator(BinaryOperator *operation) override {
    QualType type = operation->getLHS()->getType();
    if (auto *assignment = dyn_cast<CompoundAssignOperator>(operation))
      type = assignment->getComputationLHSType();
    const Expr &right = *operation->getRHS();
    if (type->isDependentType() || !type->isIntegerType() ||
        right.isInstantiationDependent() || !right.getType()->isIntegerType())
      return true;
    switch (operation->getOpcode()) {
    case BO_Shl:
    case BO_Shr:
    case BO_ShlAssign:
    case BO_ShrAssign:
      if (llvm::isPowerOf2_32(context.getIntWidth(type)))
        maskCount(*operation, context.getIntWidth(type));
      break;
    case BO_Div:
    case BO_DivAssign:
      if (isOneOf(right, {0, -1}))
        operation->setOpcode(operation->getOpcode() == BO_Div ? BO_Mul
                                                              : BO_MulAssign);
      break;
    case BO_Rem:
    case BO_RemAssign: // x % 1 is 0, too.
      if (isOneOf(right, {0, -1}))
        operation->setRHS(literal(1, right));
      break;
    default:
      break;
    }
    return true;
  }

  /// A constexpr one is a constant expression, which has none of these.
  bool VisitVarDecl(VarDecl *variable) override {
    EvaluatedStmt *known = variable->getEvaluatedStmt();
    if (known && !variable->isConstexpr()) {
      known->WasEvaluated = false;
      known->Evaluated = APValue();
    }
    return true;
  }

private:
  std::optional<llvm::APSInt> constant(const Expr &expression) const {
    Expr::EvalResult value;
    if (!expression.EvaluateAsInt(value, context))
      return std::nullopt;
    return value.Val.getInt();
  }

  bool isOneOf(const Expr &expression,
               std::initializer_list<int64_t> numbers) const {
    std::optional<llvm::APSInt> value = constant(expression);
    return value && llvm::any_of(numbers, [&](int64_t number) {
             return llvm::APSInt::compareValues(*value,
                                                llvm::APSInt::get(number)) == 0;
           });
  }

  void maskCount(BinaryOperator &shift, unsigned width) const {
    Expr *count = shift.getRHS();
    std::optional<llvm::APSInt> value = constant(*count);
    if ((value && value->isNonNegative() && value->ult(width)) ||
        isMasked(*count, width))
      return;
    shift.setRHS(BinaryOperator::Create(
        context, count, literal(width - 1, *count), BO_And,
        count->getType().getUnqualifiedType(), VK_PRValue, OK_Ordinary,
        count->getExprLoc(), FPOptionsOverride()));
  }

  /// By this class: functions are seen more than once.
  bool isMasked(const Expr &count, unsigned width) const {
    auto *mask = dyn_cast<BinaryOperator>(&count);
    return mask && mask->getOpcode() == BO_And &&
           isOneOf(*mask->getRHS(), {width - 1});
  }

  Expr *literal(unsigned number, const Expr &like) const {
    QualType type = like.getType().getUnqualifiedType();
    return IntegerLiteral::Create(
        context, llvm::APInt(context.getIntWidth(type), number), type,
        like.getExprLoc());
  }

  ASTContext &context;
};

} // namespace

void msl::defineIntegerOperands(ASTContext &context, Decl *decl) {
  // The precompiled library keeps to the rules of C++.
  if (!decl->isFromASTFile())
    OperandChanger(context).TraverseDecl(decl);
}
