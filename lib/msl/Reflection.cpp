//===- Reflection.cpp - Kernels and function constants of an AST ----------===//
#include "msl/Reflection.h"

#include "msl/KernelReflector.h"
#include "msl/Strictness.h"
#include "msl/Types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <numeric>

using namespace bessemer;
using namespace bessemer::msl;
using namespace clang;

namespace {

class Reflector : public ASTConsumer {
public:
  Reflector(CompilerInstance &compiler, AttributeTable &attributes,
            size_t mostKernels, ReflectedSource &reflected)
      : compiler(compiler), attributes(attributes), mostKernels(mostKernels),
        reflected(reflected) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *decl : group)
      visit(decl);
    return true;
  }
  void HandleTranslationUnit(ASTContext &context) override;

private:
  template <unsigned size>
  DiagnosticBuilder error(clang::SourceLocation location,
                          const char (&format)[size]) const {
    DiagnosticsEngine &engine = compiler.getDiagnostics();
    return engine.Report(
        location, engine.getCustomDiagID(DiagnosticsEngine::Error, format));
  }
  void visit(Decl *decl);
  void visitFunction(FunctionDecl *function);
  void visitKernel(FunctionDecl *function);
  void visitVariable(VarDecl *variable);
  void visitAttributeVariable(VarDecl *variable,
                              const AppliedAttribute &attribute);
  Expr *constantValue(VarDecl *variable, uint64_t bits);

  CompilerInstance &compiler;
  AttributeTable &attributes;
  size_t mostKernels;
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

/// Gives a postponed explicit instantiation its body.
static void instantiate(CompilerInstance &compiler, AttributeTable &attributes,
                        FunctionDecl *function, bool isRead = false) {
  if (!attributes.takePostponed(function))
    return;
  function->setWillHaveBody(false);
  compiler.getSema().InstantiateFunctionDefinition(
      function->getPointOfInstantiation(), function, /*Recursive=*/isRead,
      /*DefinitionRequired=*/false, /*AtEndOfTU=*/isRead);
}

static void wantCode(CompilerInstance &compiler, AttributeTable &attributes,
                     FunctionDecl *function, bool isRead = false) {
  instantiate(compiler, attributes, function, isRead);
  // A kernel without linkage has no user that Clang could see.
  if (!function->hasAttr<UsedAttr>())
    function->addAttr(UsedAttr::CreateImplicit(compiler.getASTContext()));
}

void msl::wantOnly(KernelRecord &kernel, CompilerInstance &compiler,
                   AttributeTable &attributes, ReflectedSource &reflected) {
  for (KernelRecord &other : reflected.kernels) {
    other.hasCode = &other == &kernel;
    if (!other.hasCode)
      reflected.withoutCode.insert(other.declaration->getCanonicalDecl());
  }
  reflected.withoutCode.erase(kernel.declaration->getCanonicalDecl());
  wantCode(compiler, attributes, kernel.declaration, /*isRead=*/true);
}

void Reflector::visit(Decl *decl) {
  if (compiler.getSourceManager().isInSystemHeader(decl->getLocation()))
    return;
  if (auto *function = dyn_cast<FunctionDecl>(decl))
    visitFunction(function);
  else if (auto *variable = dyn_cast<VarDecl>(decl))
    visitVariable(variable);
  else if (isa<FileScopeAsmDecl>(decl))
    error(decl->getLocation(), "Metal has no 'asm'; write it in Metal");
  else if (auto *record = dyn_cast<CXXRecordDecl>(decl))
    checkMethods(compiler.getSema(), *record);
  else if (isa<NamespaceDecl, LinkageSpecDecl>(decl))
    for (Decl *inner : cast<DeclContext>(decl)->decls())
      visit(inner);
}

void Reflector::visitFunction(FunctionDecl *function) {
  if (function->isThisDeclarationADefinition())
    checkStrictly(compiler.getSema(), *function);
  if (!KernelReflector::isKernel(attributes, *function))
    instantiate(compiler, attributes, function);
  else if (seen.insert(function->getCanonicalDecl()).second)
    visitKernel(function);
}

void Reflector::visitKernel(FunctionDecl *function) {
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
  record.declaration = function;
  record.hasCode = kernels.size() < mostKernels;
  if (record.hasCode)
    wantCode(compiler, attributes, function);
  else
    reflected.withoutCode.insert(function->getCanonicalDecl());
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

void Reflector::visitAttributeVariable(VarDecl *variable,
                                       const AppliedAttribute &attribute) {
  std::optional<KernelParameter> value =
      threadParameter(compiler.getASTContext(), *variable, attribute);
  if (value)
    reflected.attributeVariables.push_back(
        {ASTNameGenerator(compiler.getASTContext()).getName(variable), *value});
}

/// Gives a function constant its value, before anything uses it.
void Reflector::visitVariable(VarDecl *variable) {
  for (const AppliedAttribute &attribute : attributes.of(variable))
    if (attribute.thread)
      return visitAttributeVariable(variable, attribute);
  const AppliedAttribute *attribute =
      attributes.find(variable, AttributeKind::FunctionConstant);
  if (!seen.insert(variable).second)
    return;
  if (!attribute) {
    if (!variable->isStaticDataMember() && !variable->isImplicit() &&
        !isa<VarTemplateSpecializationDecl>(variable))
      checkProgramScope(compiler.getSema(), *variable,
                        attributes.find(variable, AttributeKind::Buffer) !=
                            nullptr);
    if (!reflected.undefinedConstants.empty() && variable->hasInit())
      reflected.computedConstants.push_back(variable);
    return;
  }
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
  if (variable->hasInit())
    error(variable->getLocation(),
          "function constant '%0' has an initialiser; its value comes from the"
          " host")
        << constant.name;
  if (index.Val.getInt().getExtValue() < 0 ||
      index.Val.getInt().getExtValue() > 65535) {
    error(attribute->location,
          "function_constant index is out of range; the largest is 65535");
    return;
  }
  constant.index = index.Val.getInt().getZExtValue();
  for (const FunctionConstant &other : reflected.functionConstants)
    if (other.index == constant.index)
      error(attribute->location,
            "function constants '%0' and '%1' have the same index %2")
          << other.name << constant.name << constant.index;
  ElementType element = elementType(
      context, context.removeAddrSpaceQualType(variable->getType()));
  constant.type = element.scalar;
  constant.vectorWidth = element.width;
  auto value = attributes.functionConstants.find(constant.index);
  bool isGiven = value != attributes.functionConstants.end();
  Expr *literal = constantValue(variable, isGiven ? value->second : 0);
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
  if (!isGiven)
    reflected.undefinedConstants.push_back(variable);
  reflected.functionConstants.push_back(std::move(constant));
}

void Reflector::HandleTranslationUnit(ASTContext &) {
  const SourceManager &sources = compiler.getSourceManager();
  auto isBefore = [&](size_t a, size_t b) {
    return sources.isBeforeInTranslationUnit(kernels[a].location,
                                             kernels[b].location);
  };
  // Instances of one template stand at one place and keep their order.
  std::vector<size_t> order(kernels.size());
  std::iota(order.begin(), order.end(), size_t(0));
  llvm::sort(order, [&](size_t a, size_t b) {
    return isBefore(a, b) || (!isBefore(b, a) && a < b);
  });
  for (size_t number : order)
    reflected.kernels.push_back(std::move(kernels[number].record));
}

std::unique_ptr<ASTConsumer> msl::createReflector(CompilerInstance &compiler,
                                                  AttributeTable &attributes,
                                                  size_t mostKernels,
                                                  ReflectedSource &reflected) {
  return std::make_unique<Reflector>(compiler, attributes, mostKernels,
                                     reflected);
}
