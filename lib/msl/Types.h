//===- Types.h - Metal's types in Clang's AST -------------------*- C++ -*-===//
#ifndef BESSEMER_MSL_TYPES_H
#define BESSEMER_MSL_TYPES_H

#include "bessemer/reflection.h"

#include "clang/AST/Type.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace bessemer::msl {

/// A scalar or vector type as Metal sees it.
struct ElementType {
  DType scalar = DType::Invalid; ///< Invalid for structs and the like.
  unsigned width = 1;
  bool isVector = false;
};

/// Whether a scalar of one type becomes another without a cast: half and float
/// never become a bfloat, and a bfloat never a half.
bool convertsByItself(DType from, DType to);

ElementType elementType(const clang::ASTContext &context, clang::QualType type);

/// For `tensor<device T, dextents<I, N>, ...>`: the element type and rank.
struct TensorType {
  clang::QualType element; ///< With its address space and const.
  unsigned rank = 0;
};
std::optional<TensorType> tensorType(clang::QualType type);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_TYPES_H
