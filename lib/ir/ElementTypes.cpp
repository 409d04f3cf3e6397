//===- ElementTypes.cpp - DType and MLIR's element types ------------------===//
#include "ir/ElementTypes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace bessemer;
using namespace mlir;

Type bessemer::elementType(MLIRContext *context, DType dtype) {
  auto integer = [&](unsigned width, bool isSigned) -> Type {
    return IntegerType::get(
        context, width, isSigned ? IntegerType::Signed : IntegerType::Unsigned);
  };
  switch (dtype) {
  case DType::Bool:
    return IntegerType::get(context, 1);
  case DType::I8:
  case DType::I16:
  case DType::I32:
  case DType::I64:
    return integer(8 * dtypeSize(dtype), true);
  case DType::U8:
  case DType::U16:
  case DType::U32:
  case DType::U64:
    return integer(8 * dtypeSize(dtype), false);
  case DType::F16:
    return Float16Type::get(context);
  case DType::BF16:
    return BFloat16Type::get(context);
  case DType::F32:
    return Float32Type::get(context);
  case DType::F64:
    return Float64Type::get(context);
  case DType::Invalid:
    break;
  }
  return {};
}

DType bessemer::dtypeOf(Type type) {
  static constexpr DType all[] = {
#define BSM_DTYPE(id, name, metal, size) DType::id,
#include "support/DType.def"
  };
  for (DType dtype : all)
    if (dtype != DType::Invalid &&
        elementType(type.getContext(), dtype) == type)
      return dtype;
  return DType::Invalid;
}
