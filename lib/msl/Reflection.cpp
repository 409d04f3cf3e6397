//===- Reflection.cpp - Kernels and function constants of an AST ----------===//
#include "msl/Reflection.h"

#include "msl/KernelReflector.h"
#include "msl/Strictness.h"
#include "msl/Types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

using namespace bessemer;
using namespace bessemer::msl;
using namespace clang;

namespace {

class Reflector : public ASTConsumer {
public:
  Reflector(CompilerInstance &compiler, AttributeTable &attributes,
            ReflectedSource &reflected)
      : compiler(compiler), attributes(attributes), reflected(reflected) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *decl : group)
      visit(decl);
    return true;
  }
  void HandleTranslationUnit(ASTContext &context) override;

private:
  void visit(Decl *decl);
  void visitFunction(FunctionDecl *function);
  void visitVariable(VarDecl *variable);
  Expr *constantValue(VarDecl *variable, uint64_t bits);

  CompilerInstance &compiler;
  AttributeTable &attributes;
  ReflectedSource &reflected;
  struct Order {
    clang::SourceLocation location;
    KernelRecord record;
  };
  std::vector<Order> kernels;
  llvm::DenseSet<const Decl *> seen;
  llvm::StringMap<clang::SourceLocation> names;
};

} // namespace

void Reflector::visit(Decl *decl) {
  if (compiler.getSourceManager().isInSystemHeader(decl->getLocation()))
    return;
  if (auto *function = dyn_cast<FunctionDecl>(decl))
    visitFunction(function);
  else if (auto *variable = dyn_cast<VarDecl>(decl))
    visitVariable(variable);
  else if (isa<NamespaceDecl, LinkageSpecDecl>(decl))
    for (Decl *inner : cast<DeclContext>(decl)->decls())
      visit(inner);
}

void Reflector::visitFunction(FunctionDecl *function) {
  if (function->isThisDeclarationADefinition())
    checkStrictly(compiler.getSema(), *function);
  if (!KernelReflector::isKernel(attributes, *function) ||
      !seen.insert(function->getCanonicalDecl()).second)
    return;
  KernelReflector reflector(compiler.getSema(), attributes, *function);
  clang::SourceLocation at = function->getPointOfInstantiation();
  if (at.isInvalid())
    at = function->getLocation();
  KernelRecord record = reflector.reflect();
  auto [entry, isNew] = names.try_emplace(record.info.name, at);
  if (!isNew) {
    DiagnosticsEngine &engine = compiler.getDiagnostics();
    engine.Report(at, engine.getCustomDiagID(
                          DiagnosticsEngine::Error,
                          "a second kernel is named '%0'; give one of them a"
                          " different [[host_name]]"))
        << record.info.name;
    return;
  }
  kernels.push_back({at, std::move(record)});
}

/// The literal for `bits` in the variable's type; null if it cannot be one.
Expr *Reflector::constantValue(VarDecl *variable, uint64_t bits) {
  ASTContext &context = compiler.getASTContext();
  QualType type =
      context.removeAddrSpaceQualType(variable->getType()).getUnqualifiedType();
  clang::SourceLocation at = variable->getLocation();
  if (type->isBooleanType())
    return CXXBoolLiteralExpr::Create(context, (bits & 0xff) != 0,
                                      context.BoolTy, at);
  if (!type->isIntegerType() && !type->isFloatingType())
    return nullptr;
  llvm::APInt value(64, bits);
  value = value.trunc(context.getTypeSize(type));
  if (type->isFloatingType())
    return FloatingLiteral::Create(
        context, llvm::APFloat(context.getFloatTypeSemantics(type), value),
        /*isexact=*/true, type, at);
  // Literals have at least int; a cast gives the narrower types.
  if (context.getTypeSize(type) >= context.getTypeSize(context.IntTy))
    return IntegerLiteral::Create(context, value, type, at);
  bool isSigned = type->isSignedIntegerType();
  unsigned width = context.getTypeSize(context.IntTy);
  Expr *wide = IntegerLiteral::Create(
      context, isSigned ? value.sext(width) : value.zext(width), context.IntTy,
      at);
  return ImplicitCastExpr::Create(context, type, CK_IntegralCast, wide, nullptr,
                                  VK_PRValue, FPOptionsOverride());
}

/// Gives a function constant its value, before anything uses it.
void Reflector::visitVariable(VarDecl *variable) {
  const AppliedAttribute *attribute =
      attributes.find(variable, AttributeKind::FunctionConstant);
  if (!attribute || !seen.insert(variable).second)
    return;
  ASTContext &context = compiler.getASTContext();
  DiagnosticsEngine &engine = compiler.getDiagnostics();
  Expr::EvalResult index;
  if (attribute->arguments.empty() ||
      !attribute->arguments[0]->EvaluateAsInt(index, context)) {
    engine.Report(attribute->location,
                  engine.getCustomDiagID(
                      DiagnosticsEngine::Error,
                      "function_constant needs an integer constant index"));
    return;
  }
  FunctionConstant constant;
  constant.name = variable->getQualifiedNameAsString();
  constant.index = index.Val.getInt().getZExtValue();
  ElementType element = elementType(
      context, context.removeAddrSpaceQualType(variable->getType()));
  constant.type = element.scalar;
  constant.vectorWidth = element.width;
  auto value = attributes.functionConstants.find(constant.index);
  Expr *literal = constantValue(
      variable,
      value == attributes.functionConstants.end() ? 0 : value->second);
  if (!literal) {
    engine.Report(variable->getLocation(),
                  engine.getCustomDiagID(
                      DiagnosticsEngine::Error,
                      "function constant '%0' has type %1; only scalars are"
                      " supported"))
        << constant.name << variable->getType();
    return;
  }
  variable->setInitStyle(VarDecl::CInit);
  variable->setInit(literal);
  // Marks the variable as usable in constant expressions.
  llvm::SmallVector<PartialDiagnosticAt> notes;
  variable->checkForConstantInitialization(notes);
  reflected.functionConstants.push_back(std::move(constant));
}

void Reflector::HandleTranslationUnit(ASTContext &) {
  const SourceManager &sources = compiler.getSourceManager();
  std::stable_sort(
      kernels.begin(), kernels.end(), [&](const Order &a, const Order &b) {
        return sources.isBeforeInTranslationUnit(a.location, b.location);
      });
  for (Order &kernel : kernels)
    reflected.kernels.push_back(std::move(kernel.record));
}

std::unique_ptr<ASTConsumer> msl::createReflector(CompilerInstance &compiler,
                                                  AttributeTable &attributes,
                                                  ReflectedSource &reflected) {
  return std::make_unique<Reflector>(compiler, attributes, reflected);
}
