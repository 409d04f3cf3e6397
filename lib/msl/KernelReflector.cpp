//===- KernelReflector.cpp - One kernel function to its record ------------===//
#include "msl/KernelReflector.h"

#include "msl/Diagnostics.h"
#include "msl/Types.h"

#include "clang/AST/Mangle.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"

using namespace bessemer;
using namespace bessemer::msl;
using namespace clang;

static constexpr unsigned maxIndex = 30;

template <unsigned size>
DiagnosticBuilder KernelReflector::error(clang::SourceLocation location,
                                         const char (&format)[size]) const {
  DiagnosticsEngine &engine = context.getDiagnostics();
  return engine.Report(
      location, engine.getCustomDiagID(DiagnosticsEngine::Error, format));
}

/// The attribute on any declaration of the function or of its template.
static const AppliedAttribute *find(const AttributeTable &attributes,
                                    const FunctionDecl &function,
                                    AttributeKind kind) {
  for (const FunctionDecl *decl : function.redecls())
    if (const AppliedAttribute *found = attributes.find(decl, kind))
      return found;
  if (const FunctionDecl *pattern = function.getTemplateInstantiationPattern())
    for (const FunctionDecl *decl : pattern->redecls())
      if (const AppliedAttribute *found = attributes.find(decl, kind))
        return found;
  return nullptr;
}

bool KernelReflector::isKernel(const AttributeTable &attributes,
                               const FunctionDecl &function) {
  if (function.isDependentContext() ||
      !function.isThisDeclarationADefinition() ||
      function.getTemplateSpecializationKind() == TSK_ImplicitInstantiation)
    return false;
  return find(attributes, function, AttributeKind::Kernel) ||
         find(attributes, function, AttributeKind::KernelMacro);
}

const AppliedAttribute *
KernelReflector::functionAttribute(AttributeKind kind) const {
  return find(attributes, function, kind);
}

/// Attributes of an instantiation's parameter are those of the template.
llvm::ArrayRef<AppliedAttribute>
KernelReflector::parameterAttributes(unsigned i) const {
  llvm::ArrayRef<AppliedAttribute> own =
      attributes.of(function.getParamDecl(i));
  const FunctionDecl *pattern = function.getTemplateInstantiationPattern();
  if (!own.empty() || !pattern || i >= pattern->getNumParams())
    return own;
  return attributes.of(pattern->getParamDecl(i));
}

/// The attribute's operand, with the template's arguments put in; null if there
/// is none or it does not depend on constants alone.
const Expr *KernelReflector::operand(const AppliedAttribute &attribute) const {
  if (attribute.arguments.empty())
    return nullptr;
  Expr *operand = attribute.arguments[0];
  if (!operand->isInstantiationDependent())
    return operand;
  Sema::InstantiatingTemplate instantiation(sema, attribute.location,
                                            &function);
  LocalInstantiationScope scope(sema);
  ExprResult result =
      sema.SubstExpr(operand, sema.getTemplateInstantiationArgs(&function));
  return result.isUsable() ? result.get() : nullptr;
}

std::optional<uint64_t>
KernelReflector::integer(const AppliedAttribute &attribute) const {
  Expr::EvalResult value;
  const Expr *constant = operand(attribute);
  if (constant && !constant->isValueDependent() &&
      constant->EvaluateAsInt(value, context) &&
      value.Val.getInt().isNonNegative())
    return value.Val.getInt().getZExtValue();
  error(attribute.location,
        "this attribute needs a non-negative integer constant");
  return std::nullopt;
}

std::string KernelReflector::hostName() const {
  if (const AppliedAttribute *attribute =
          functionAttribute(AttributeKind::HostName)) {
    auto *literal = attribute->arguments.empty()
                        ? nullptr
                        : dyn_cast<StringLiteral>(
                              attribute->arguments[0]->IgnoreParenImpCasts());
    if (literal && !literal->getString().empty())
      return literal->getString().str();
    error(attribute->location, "host_name needs a string literal, not empty");
  }
  return function.getQualifiedNameAsString();
}

KernelReflector::KernelReflector(Sema &sema, const AttributeTable &attributes,
                                 FunctionDecl &function)
    : sema(sema), context(sema.getASTContext()), attributes(attributes),
      function(function) {}

KernelRecord KernelReflector::reflect() {
  clang::SourceLocation at = function.getPointOfInstantiation();
  if (at.isInvalid())
    at = function.getLocation();
  record.info.name = record.info.symbol = hostName();
  record.info.location = userLocation(context.getSourceManager(), at);
  record.function = ASTNameGenerator(context).getName(&function);
  if (!function.getReturnType()->isVoidType())
    error(function.getLocation(), "kernel '%0' must return void, not %1")
        << record.info.name << function.getReturnType();
  if (const AppliedAttribute *limit =
          functionAttribute(AttributeKind::MaxThreads))
    if (std::optional<uint64_t> threads = integer(*limit)) {
      uint64_t most = record.info.maxThreadsPerThreadgroup;
      if (*threads == 0 || *threads > most)
        error(limit->location,
              "max_total_threads_per_threadgroup is %0; allowed are 1 to %1")
            << unsigned(*threads) << unsigned(most);
      else
        record.info.maxThreadsPerThreadgroup = *threads;
    }
  if (const AppliedAttribute *required =
          functionAttribute(AttributeKind::RequiredThreads))
    error(required->location,
          "required_threads_per_threadgroup is not supported; use"
          " max_total_threads_per_threadgroup");
  for (unsigned i = 0; i < function.getNumParams(); ++i)
    reflectParameter(i);
  assignIndices();
  return std::move(record);
}

void KernelReflector::reflectParameter(unsigned i) {
  const ParmVarDecl &parameter = *function.getParamDecl(i);
  llvm::ArrayRef<AppliedAttribute> applied = parameterAttributes(i);
  for (const AppliedAttribute &attribute : applied)
    if (attribute.thread) {
      if (std::optional<KernelParameter> value =
              threadParameter(context, parameter, attribute))
        record.parameters.push_back(*value);
      return;
    }
  Argument argument;
  argument.name = parameter.getNameAsString();
  argument.location =
      userLocation(context.getSourceManager(), parameter.getLocation());
  if (std::optional<TensorType> tensor = tensorType(parameter.getType())) {
    argument.kind = ArgumentKind::Tensor;
    argument.space = AddressSpace::Device;
    argument.rank = tensor->rank;
    describeElement(tensor->element, argument);
  } else if (!describePointee(parameter, argument)) {
    return;
  }
  if (switchedOff(applied)) {
    record.parameters.push_back({KernelParameter::Kind::Absent});
    return;
  }
  addArgument(parameter, std::move(argument), applied);
}

std::optional<KernelParameter>
msl::threadParameter(ASTContext &context, const VarDecl &variable,
                     const AppliedAttribute &attribute) {
  QualType type = variable.getType();
  ElementType element = elementType(context, type);
  bool isInteger = element.scalar >= DType::I8 && element.scalar <= DType::U64;
  if (!isInteger || element.width > attribute.thread->components) {
    DiagnosticsEngine &engine = context.getDiagnostics();
    engine.Report(variable.getLocation(),
                  engine.getCustomDiagID(
                      DiagnosticsEngine::Error,
                      "%select{variable|parameter}0 '%1' with [[%2]] cannot"
                      " have type %3; use ushort or uint"
                      "%select{|, or a vector of them}4"))
        << isa<ParmVarDecl>(variable) << variable.getName()
        << attribute.thread->name << type.getUnqualifiedType()
        << (attribute.thread->components == 3);
    return std::nullopt;
  }
  KernelParameter source;
  source.kind = KernelParameter::Kind::Thread;
  source.attribute = attribute.thread;
  source.components = element.width;
  source.bits = dtypeSize(element.scalar) * 8;
  source.isVector = element.isVector;
  return source;
}

bool KernelReflector::describePointee(const ParmVarDecl &parameter,
                                      Argument &argument) const {
  QualType type = parameter.getType();
  if (!type->isPointerType() && !type->isReferenceType()) {
    error(
        parameter.getLocation(),
        "parameter '%0' of kernel '%1' has type %2 and no attribute; a kernel"
        " parameter is a device, constant or threadgroup pointer or reference,"
        " a tensor, or has a thread attribute such as"
        " [[thread_position_in_grid]]")
        << parameter.getName() << record.info.name << type;
    return false;
  }
  QualType pointee = type->getPointeeType();
  switch (pointee.getAddressSpace()) {
  case LangAS::opencl_global:
    argument.space = AddressSpace::Device;
    break;
  case LangAS::opencl_constant:
    argument.space = AddressSpace::Constant;
    break;
  case LangAS::opencl_local:
    argument.space = AddressSpace::Threadgroup;
    argument.kind = ArgumentKind::ThreadgroupMemory;
    break;
  default:
    error(parameter.getLocation(),
          "parameter '%0' of kernel '%1' needs an address space: device,"
          " constant or threadgroup")
        << parameter.getName() << record.info.name;
    return false;
  }
  argument.isReference = type->isReferenceType();
  describeElement(pointee, argument);
  return true;
}

void KernelReflector::describeElement(QualType element,
                                      Argument &argument) const {
  argument.access =
      element.isConstQualified() ? Access::Read : Access::ReadWrite;
  QualType plain =
      context.removeAddrSpaceQualType(element).getUnqualifiedType();
  ElementType known = elementType(context, plain);
  argument.element = known.scalar;
  argument.vectorWidth = known.width;
  bool isScalar = plain->getAs<BuiltinType>() && !plain->getAs<TypedefType>();
  argument.typeName =
      isScalar && known.scalar != DType::Invalid
          ? std::string(dtypeMetalName(known.scalar))
          : metalName(plain.getAsString(context.getPrintingPolicy()));
  // A class template that no code has used yet becomes complete by the
  // question.
  if (plain->isFunctionType() ||
      !sema.isCompleteType(function.getLocation(), plain))
    return;
  argument.elementSize = context.getTypeSizeInChars(plain).getQuantity();
  argument.alignment = context.getTypeAlignInChars(plain).getQuantity();
}

/// `[[function_constant(x)]]` on an argument: it exists only where x is true.
bool KernelReflector::switchedOff(
    llvm::ArrayRef<AppliedAttribute> applied) const {
  for (const AppliedAttribute &attribute : applied) {
    if (attribute.kind != AttributeKind::FunctionConstant)
      continue;
    bool value = false;
    const Expr *condition = operand(attribute);
    if (!condition || condition->isValueDependent() ||
        !condition->EvaluateAsBooleanCondition(value, context))
      error(attribute.location,
            "function_constant on an argument needs a boolean function"
            " constant");
    return !value;
  }
  return false;
}

void KernelReflector::addArgument(const ParmVarDecl &parameter,
                                  Argument argument,
                                  llvm::ArrayRef<AppliedAttribute> applied) {
  bool isThreadgroup = argument.kind == ArgumentKind::ThreadgroupMemory;
  AttributeKind wanted =
      isThreadgroup ? AttributeKind::Threadgroup : AttributeKind::Buffer;
  bool explicitIndex = false;
  for (const AppliedAttribute &attribute : applied) {
    if (attribute.kind != wanted)
      continue;
    std::optional<uint64_t> index = integer(attribute);
    if (!index)
      continue;
    llvm::SmallBitVector &used = isThreadgroup ? usedThreadgroup : usedBuffers;
    if (*index > maxIndex)
      error(attribute.location,
            "%select{buffer|threadgroup}0 index %1 is out of range; the largest"
            " is 30")
          << isThreadgroup << unsigned(*index);
    else if (used.test(*index))
      error(
          attribute.location,
          "%select{buffer|threadgroup}0 index %1 is used twice in kernel '%2'")
          << isThreadgroup << unsigned(*index) << record.info.name;
    else
      used.set(*index);
    argument.index = *index;
    explicitIndex = true;
  }
  bool isTensor = argument.kind == ArgumentKind::Tensor;
  record.parameters.push_back({isTensor ? KernelParameter::Kind::Tensor
                                        : KernelParameter::Kind::Argument});
  record.info.arguments.push_back(std::move(argument));
  hasIndex.push_back(explicitIndex);
}

/// Arguments without an index get the first free one of their kind.
void KernelReflector::assignIndices() {
  for (size_t i = 0; i < hasIndex.size(); ++i) {
    if (hasIndex[i])
      continue;
    Argument &argument = record.info.arguments[i];
    llvm::SmallBitVector &used =
        argument.kind == ArgumentKind::ThreadgroupMemory ? usedThreadgroup
                                                         : usedBuffers;
    unsigned index = used.find_first_unset();
    if (index > maxIndex) {
      error(function.getLocation(), "kernel '%0' has more than 31 buffers")
          << record.info.name;
      return;
    }
    used.set(index);
    argument.index = index;
  }
}
