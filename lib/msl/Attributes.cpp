//===- Attributes.cpp - Metal's attributes, collected aside ---------------===//
#include "msl/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

using namespace bessemer;
using namespace bessemer::msl;
using namespace clang;

static thread_local AttributeTable *currentTable = nullptr;

AttributeScope::AttributeScope(AttributeTable &table) { currentTable = &table; }
AttributeScope::~AttributeScope() { currentTable = nullptr; }

namespace {
struct DeclarationAttribute {
  llvm::StringRef name;
  AttributeKind kind;
};
} // namespace

static constexpr ThreadAttribute threadAttributes[] = {
#define BSM_THREAD_ATTRIBUTE(name, source, components)                         \
  {#name, source, components},
#include "msl/Attributes.def"
};

static constexpr DeclarationAttribute declarationAttributes[] = {
#define BSM_DECLARATION_ATTRIBUTE(enumerator, spelling)                        \
  {spelling, AttributeKind::enumerator},
#include "msl/Attributes.def"
};

const ThreadAttribute *msl::findThreadAttribute(llvm::StringRef name) {
  for (const ThreadAttribute &attribute : threadAttributes)
    if (attribute.name == name)
      return &attribute;
  return nullptr;
}

llvm::StringRef msl::nearestAttribute(llvm::StringRef name) {
  llvm::StringRef best;
  unsigned bestDistance = name.size() / 3 + 1;
  auto consider = [&](llvm::StringRef candidate) {
    unsigned distance = name.edit_distance_insensitive(candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  };
  for (const ThreadAttribute &attribute : threadAttributes)
    consider(attribute.name);
  for (const DeclarationAttribute &attribute : declarationAttributes)
    if (!attribute.name.starts_with("__"))
      consider(attribute.name);
  return best;
}

/// A threadgroup variable of a function exists once per threadgroup: static
/// storage, whatever scope declares it.
static void makeStatic(Sema &sema, Decl *decl) {
  auto *variable = dyn_cast<VarDecl>(decl);
  if (!variable || isa<ParmVarDecl>(variable) ||
      !variable->getDeclContext()->isFunctionOrMethod())
    return;
  QualType type = variable->getType();
  while (const ArrayType *array = sema.Context.getAsArrayType(type))
    type = array->getElementType();
  if (type.getAddressSpace() == LangAS::opencl_local)
    variable->setStorageClass(SC_Static);
}

/// Declares `__bsm_defined_NAME` beside function constant NAME, which
/// is_function_constant_defined(NAME) reads.
static void declareIsDefined(Sema &sema, VarDecl *constant, bool defined) {
  ASTContext &context = sema.Context;
  IdentifierInfo &name =
      context.Idents.get(("__bsm_defined_" + constant->getName()).str());
  QualType type = context.BoolTy.withConst();
  auto *variable =
      VarDecl::Create(context, constant->getDeclContext(),
                      constant->getLocation(), constant->getLocation(), &name,
                      type, context.getTrivialTypeSourceInfo(type), SC_Static);
  variable->setConstexpr(true);
  variable->setImplicit();
  variable->setInitStyle(VarDecl::CInit);
  variable->setInit(CXXBoolLiteralExpr::Create(context, defined, context.BoolTy,
                                               constant->getLocation()));
  Scope *scope = sema.getScopeForContext(constant->getDeclContext());
  if (scope)
    sema.PushOnScopeChains(variable, scope, /*AddToContext=*/true);
  else
    constant->getDeclContext()->addDecl(variable);
}

/// A function constant has no initialiser in the source; its value is set when
/// its declaration is complete (Reflection.cpp).
static void makeFunctionConstant(Sema &sema, Decl *decl, const Expr *index) {
  auto *variable = dyn_cast<VarDecl>(decl);
  if (!variable || isa<ParmVarDecl>(variable))
    return;
  variable->setStorageClass(SC_Extern);
  variable->setConstexpr(false);
  std::optional<llvm::APSInt> value =
      index && !index->isValueDependent()
          ? index->getIntegerConstantExpr(sema.Context)
          : std::nullopt;
  if (value && variable->getIdentifier())
    declareIsDefined(
        sema, variable,
        currentTable->functionConstants.count(value->getZExtValue()) != 0);
}

/// A variable with a thread attribute has no initialiser in the source and is
/// not to be written; KernelEntries.cpp puts the value in.
static void makeAttributeVariable(Decl *decl) {
  auto *variable = dyn_cast<VarDecl>(decl);
  if (!variable || isa<ParmVarDecl>(variable) || !variable->isFileVarDecl())
    return;
  variable->setStorageClass(SC_Extern);
  variable->setType(variable->getType().withConst());
}

/// An explicit instantiation of a template. Clang calls it defined, and leaves
/// its body alone, as long as it believes that the body is on its way.
static void postponeBody(Decl *decl) {
  auto *function = dyn_cast<FunctionDecl>(decl);
  if (!function || !function->getTemplateSpecializationInfo() ||
      function->isDefined())
    return;
  function->setWillHaveBody(true);
  currentTable->postpone(function);
}

/// Argument `i` as an expression. Clang keeps a lone name in an attribute it
/// does not know as a name; here it means what it means in an expression.
static Expr *argumentExpr(Sema &sema, const ParsedAttr &parsed, unsigned i) {
  if (parsed.isArgExpr(i))
    return parsed.getArgAsExpr(i);
  if (!parsed.isArgIdent(i))
    return nullptr;
  const IdentifierLoc *name = parsed.getArgAsIdent(i);
  LookupResult found(sema, name->getIdentifierInfo(), name->getLoc(),
                     Sema::LookupOrdinaryName);
  sema.LookupName(found, sema.getCurScope());
  if (!found.isSingleResult()) {
    sema.Diag(name->getLoc(), diag::err_undeclared_var_use)
        << name->getIdentifierInfo();
    return nullptr;
  }
  return sema.BuildDeclarationNameExpr(CXXScopeSpec(), found, false).get();
}

namespace {

/// One handler for every Metal attribute, in [[ ]] and __attribute__ form.
class MetalAttributeInfo : public ParsedAttrInfo {
public:
  MetalAttributeInfo() {
    auto add = [&](const char *name) {
      spellings.push_back({ParsedAttr::AS_CXX11, name});
      spellings.push_back({ParsedAttr::AS_GNU, name});
    };
    for (const ThreadAttribute &attribute : threadAttributes)
      add(attribute.name.data());
    for (const DeclarationAttribute &attribute : declarationAttributes)
      add(attribute.name.data());
    Spellings = spellings;
    OptArgs = 3;
  }

  bool diagAppertainsToDecl(Sema &, const ParsedAttr &,
                            const Decl *) const override {
    return true;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl,
                                   const ParsedAttr &parsed) const override {
    if (!currentTable)
      return AttributeApplied; // Building the precompiled header.
    AppliedAttribute attribute;
    llvm::StringRef name = parsed.getAttrName()->getName();
    attribute.thread = findThreadAttribute(name);
    attribute.kind = kindOf(name);
    attribute.location = parsed.getLoc();
    for (unsigned i = 0; i < parsed.getNumArgs(); ++i)
      if (Expr *argument = argumentExpr(sema, parsed, i))
        attribute.arguments.push_back(argument);
    Expr *first =
        attribute.arguments.empty() ? nullptr : attribute.arguments[0];
    if (attribute.kind == AttributeKind::ThreadgroupMacro) {
      makeStatic(sema, decl);
      return AttributeApplied;
    }
    if (attribute.kind == AttributeKind::FunctionConstant)
      makeFunctionConstant(sema, decl, first);
    if (attribute.thread)
      makeAttributeVariable(decl);
    postponeBody(decl);
    currentTable->add(decl, std::move(attribute));
    return AttributeApplied;
  }

private:
  static AttributeKind kindOf(llvm::StringRef name) {
    for (const DeclarationAttribute &attribute : declarationAttributes)
      if (attribute.name == name)
        return attribute.kind;
    return AttributeKind::Thread;
  }

  llvm::SmallVector<Spelling, 0> spellings;
};

} // namespace

static ParsedAttrInfoRegistry::Add<MetalAttributeInfo>
    registration("bessemer-metal", "Metal's attributes");
