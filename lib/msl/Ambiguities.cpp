//===- Ambiguities.cpp - What is ambiguous in C++ alone -------------------===//
#include "msl/Ambiguities.h"

#include "msl/SourceEdits.h"
#include "msl/Types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/SemaDiagnostic.h"

using namespace bessemer;
using namespace bessemer::msl;
using namespace clang;

static QualType typeArgument(const clang::Diagnostic &info, unsigned i) {
  if (i >= info.getNumArgs() ||
      info.getArgKind(i) != DiagnosticsEngine::ak_qualtype)
    return {};
  return QualType::getFromOpaquePtr(
      reinterpret_cast<void *>(info.getRawArg(i)));
}

static const FunctionDecl *functionArgument(const clang::Diagnostic &info) {
  for (unsigned i = 0; i < info.getNumArgs(); ++i)
    if (info.getArgKind(i) == DiagnosticsEngine::ak_nameddecl)
      return dyn_cast<FunctionDecl>(
          reinterpret_cast<const NamedDecl *>(info.getRawArg(i)));
  return nullptr;
}

/// Without candidates yet: notes follow.
static std::optional<Ambiguity> startOf(const clang::Diagnostic &info) {
  Ambiguity start = {info.getID(), info.getLocation(), {}, {}, {}};
  llvm::ArrayRef<CharSourceRange> ranges = info.getRanges();
  switch (info.getID()) {
  case diag::err_ovl_ambiguous_call:
  case diag::err_ovl_ambiguous_member_call:
  case diag::err_ovl_ambiguous_object_call:
    return start;
  case diag::err_ovl_ambiguous_init:
  case diag::err_ovl_ambiguous_oper_binary:
    start.operands.assign(ranges.begin(), ranges.end());
    return start;
  case diag::err_typecheck_ambiguous_condition:
    start.target = typeArgument(info, 1);
    break;
  case diag::err_ovl_ambiguous_conversion_in_cast:
    start.target = typeArgument(info, 2);
    break;
  default:
    return std::nullopt;
  }
  if (!ranges.empty()) // That of the cast, and that of its operand.
    start.operands = {ranges.back()};
  return start;
}

void Ambiguities::see(const clang::Diagnostic &info) {
  if (info.getID() == diag::note_ovl_candidate) {
    if (const FunctionDecl *function = functionArgument(info);
        function && isOpen)
      found.back().candidates.push_back(function);
    return;
  }
  // An instantiation's notes stand between an error and its candidates.
  if (DiagnosticIDs ids; ids.isNote(info.getID()))
    return;
  std::optional<Ambiguity> start = startOf(info);
  isOpen = start.has_value();
  if (start)
    found.push_back(std::move(*start));
}

namespace {
using Types = llvm::SmallVector<DType, 4>;
} // namespace

/// What `from` becomes, if that is the only type of these which it may become
/// by itself in Metal; else `from`.
static DType onlyTarget(DType from, const Types &types) {
  Types possible;
  for (DType type : types)
    if (convertsByItself(from, type) && !llvm::is_contained(possible, type))
      possible.push_back(type);
  return possible.size() == 1 ? possible.front() : from;
}

/// The scalar types that the candidates have for operand `i`; empty if one of
/// them has none.
static Types operandTypes(const ASTContext &context, const Ambiguity &ambiguity,
                          unsigned i) {
  Types types;
  for (const FunctionDecl *function : ambiguity.candidates) {
    unsigned parameter = i;
    if (ambiguity.diagnostic == diag::err_ovl_ambiguous_oper_binary &&
        isa<CXXMethodDecl>(function) && parameter-- == 0)
      return {}; // The object.
    if (parameter >= function->getNumParams() ||
        function->getMinRequiredArguments() > ambiguity.operands.size())
      return {};
    QualType type = function->getParamDecl(parameter)->getType();
    ElementType element = elementType(context, type.getNonReferenceType());
    if (element.isVector || element.scalar == DType::Invalid)
      return {};
    types.push_back(element.scalar);
  }
  return types;
}

/// The function around operand `i`; empty if it stays as it is.
static std::string argumentFunction(const ASTContext &context,
                                    const Ambiguity &ambiguity, unsigned i) {
  Types types = operandTypes(context, ambiguity, i);
  if (!llvm::is_contained(types, DType::F16) &&
      !llvm::is_contained(types, DType::BF16))
    return {};
  bool changes = false;
  // In parentheses: the arguments of a macro end at a comma.
  std::string function = "(::metal::__argument";
  for (DType from : {DType::F16, DType::BF16, DType::F32}) {
    DType to = onlyTarget(from, types);
    changes |= to != from;
    function +=
        (from == DType::F16 ? "<" : ", ") + std::string(dtypeMetalName(to));
  }
  return changes ? function + ">)" : std::string();
}

/// The function around an object that is to become a number.
static std::string conversionFunction(const ASTContext &context,
                                      const Ambiguity &ambiguity) {
  DType to =
      elementType(context, ambiguity.target.getNonReferenceType()).scalar;
  Types possible;
  for (const FunctionDecl *function : ambiguity.candidates) {
    ElementType from =
        elementType(context, function->getReturnType().getNonReferenceType());
    if (from.isVector || from.scalar == DType::Invalid)
      return {};
    if (convertsByItself(from.scalar, to))
      possible.push_back(from.scalar);
  }
  if (to == DType::Invalid || possible.size() != 1)
    return {};
  return "(::metal::__conversion<" + std::string(dtypeMetalName(to)) + ", " +
         std::string(dtypeMetalName(possible.front())) + ">)";
}

/// Where Clang reports an ambiguous call of a member.
static clang::SourceLocation memberLocation(const Expr *callee) {
  if (auto *member = dyn_cast<CXXDependentScopeMemberExpr>(callee))
    return member->getMemberLoc();
  return callee->getExprLoc();
}

static void setOperands(Ambiguity &ambiguity,
                        llvm::ArrayRef<const Expr *> operands) {
  ambiguity.operands.clear();
  for (const Expr *operand : operands) {
    auto *expansion = dyn_cast<PackExpansionExpr>(operand);
    if (expansion)
      operand = expansion->getPattern();
    do
      ambiguity.operands.push_back(
          CharSourceRange::getTokenRange(operand->getSourceRange()));
    while (expansion && !ambiguity.candidates.empty() &&
           ambiguity.operands.size() <
               ambiguity.candidates.front()->getNumParams());
  }
}

namespace {

/// The operands of calls, where they stand in the source: in a template, those
/// of its definition, which all instances share.
class OperandFinder : public DynamicRecursiveASTVisitor {
public:
  explicit OperandFinder(std::vector<Ambiguity> &ambiguities) {
    for (Ambiguity &ambiguity : ambiguities)
      if (ambiguity.operands.size() < 2)
        wanted[ambiguity.location].push_back(&ambiguity);
  }

  bool VisitCallExpr(CallExpr *call) override {
    see(call->getCallee(), llvm::ArrayRef(call->getArgs(), call->getNumArgs()));
    return true;
  }
  bool VisitCXXUnresolvedConstructExpr(
      CXXUnresolvedConstructExpr *construct) override {
    see(construct->getBeginLoc(),
        llvm::SmallVector<Expr *>(construct->arguments()));
    return true;
  }
  /// What is left of an erroneous call or initialiser.
  bool VisitRecoveryExpr(RecoveryExpr *rest) override {
    llvm::ArrayRef<Expr *> parts = rest->subExpressions();
    see(rest->getBeginLoc(), parts);
    if (!parts.empty())
      see(parts.front(), parts.drop_front());
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    Expr *initialiser = variable->getInit();
    if (auto *list = dyn_cast_or_null<ParenListExpr>(initialiser))
      see(variable->getLocation(), list->exprs());
    else if (auto *braces = dyn_cast_or_null<InitListExpr>(initialiser))
      see(variable->getLocation(), braces->inits());
    else if (auto *rest = dyn_cast_or_null<RecoveryExpr>(initialiser))
      see(variable->getLocation(), rest->subExpressions());
    return true;
  }

private:
  void see(const Expr *callee, llvm::ArrayRef<const Expr *> operands) {
    see(callee->getBeginLoc(), operands);
    if (memberLocation(callee) != callee->getBeginLoc())
      see(memberLocation(callee), operands);
  }
  void see(clang::SourceLocation location,
           llvm::ArrayRef<const Expr *> operands) {
    auto at = wanted.find(location);
    if (at == wanted.end() || operands.empty())
      return;
    if (operands.size() == 1)
      if (auto *braces = dyn_cast<InitListExpr>(operands.front()))
        operands = braces->inits();
    for (Ambiguity *ambiguity : at->second)
      setOperands(*ambiguity, operands);
  }

  std::map<clang::SourceLocation, llvm::SmallVector<Ambiguity *, 1>> wanted;
};

} // namespace

static void findOperands(const ASTContext &context,
                         std::vector<Ambiguity> &ambiguities) {
  OperandFinder finder(ambiguities);
  // Not those of the precompiled header.
  for (Decl *decl : context.getTranslationUnitDecl()->noload_decls())
    finder.TraverseDecl(decl);
}

bool Ambiguities::resolve(const ASTContext &context, SourceEdits &edits) {
  if (found.empty())
    return false;
  findOperands(context, found);
  bool changes = false;
  for (const Ambiguity &ambiguity : found) {
    if (ambiguity.candidates.empty())
      continue;
    bool isConversion = isa<CXXConversionDecl>(ambiguity.candidates.front());
    for (auto [i, operand] : llvm::enumerate(ambiguity.operands)) {
      std::string function = isConversion
                                 ? conversionFunction(context, ambiguity)
                                 : argumentFunction(context, ambiguity, i);
      if (!function.empty())
        changes |= edits.wrap(context.getSourceManager(), context.getLangOpts(),
                              operand, function);
    }
  }
  found.clear();
  isOpen = false;
  return changes;
}
