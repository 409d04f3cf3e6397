//===- Types.cpp - Metal's types in Clang's AST ---------------------------===//
#include "msl/Types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

using namespace bessemer;
using namespace bessemer::msl;
using namespace clang;

static DType scalarType(const ASTContext &context, QualType type) {
  const auto *builtin = type->getAs<BuiltinType>();
  if (!builtin)
    return DType::Invalid;
  switch (builtin->getKind()) {
  case BuiltinType::Bool:
    return DType::Bool;
  case BuiltinType::Float16:
  case BuiltinType::Half:
    return DType::F16;
  case BuiltinType::Float: // Target.cpp says why.
    return DType::BF16;
  case BuiltinType::Double:
    return DType::F32;
  default:
    break;
  }
  if (!type->isIntegerType())
    return DType::Invalid;
  bool isSigned = type->isSignedIntegerType();
  switch (context.getTypeSize(type)) {
  case 8:
    return isSigned ? DType::I8 : DType::U8;
  case 16:
    return isSigned ? DType::I16 : DType::U16;
  case 32:
    return isSigned ? DType::I32 : DType::U32;
  case 64:
    return isSigned ? DType::I64 : DType::U64;
  default:
    return DType::Invalid;
  }
}

/// The specialisation of a class template of namespace metal.
static const ClassTemplateSpecializationDecl *
metalTemplate(QualType type, llvm::ArrayRef<llvm::StringRef> names) {
  auto *specialization = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      type->getAsCXXRecordDecl());
  if (!specialization || !llvm::is_contained(names, specialization->getName()))
    return nullptr;
  const DeclContext *scope = specialization->getDeclContext();
  while (scope->isInlineNamespace())
    scope = scope->getParent();
  auto *space = dyn_cast<NamespaceDecl>(scope);
  return space && space->getName() == "metal" ? specialization : nullptr;
}

ElementType msl::elementType(const ASTContext &context, QualType type) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (auto *vector = metalTemplate(type, {"vec", "packed_vec"})) {
    const TemplateArgumentList &arguments = vector->getTemplateArgs();
    return {scalarType(context, arguments[0].getAsType()),
            unsigned(arguments[1].getAsIntegral().getZExtValue()), true};
  }
  if (auto *atomic = metalTemplate(type, {"atomic"}))
    return {scalarType(context, atomic->getTemplateArgs()[0].getAsType()), 1,
            false};
  return {scalarType(context, type), 1, false};
}

bool msl::convertsByItself(DType from, DType to) {
  if (from == DType::BF16)
    return to != DType::F16;
  return to != DType::BF16 || (from != DType::F16 && from != DType::F32);
}

std::optional<TensorType> msl::tensorType(QualType type) {
  auto *tensor = metalTemplate(type.getCanonicalType(), {"tensor"});
  if (!tensor)
    return std::nullopt;
  const TemplateArgumentList &arguments = tensor->getTemplateArgs();
  auto *extents = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      arguments[1].getAsType()->getAsCXXRecordDecl());
  if (!extents || extents->getTemplateArgs().size() < 2)
    return std::nullopt;
  return TensorType{arguments[0].getAsType(),
                    extents->getTemplateArgs()[1].pack_size()};
}
