//===- PointwiseSource.cpp - Elementwise ops as Metal expressions ---------===//
#include "convert/plan/Pointwise.h"

#include "ir/ElementTypes.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

namespace {
struct Expressions {
  StringRef floating, integer;
};
} // namespace

static const llvm::StringMap<Expressions> &table() {
  static const llvm::StringMap<Expressions> entries = {
#define BSM_POINTWISE(name, floating, integer) {name, {floating, integer}},
#include "convert/plan/PointwiseOps.def"
  };
  return entries;
}

static StringRef plainName(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (!name.consume_front("coreai."))
    return "";
  name.consume_front("decomposable.broadcasting_");
  return name;
}

bool bessemer::isPointwise(Operation *op) {
  return isa<CastOp, GeluOp>(op) || table().contains(plainName(op));
}

static bool isFloat(DType dtype) {
  return dtype == DType::F16 || dtype == DType::BF16 || dtype == DType::F32;
}

std::string bessemer::computeType(DType dtype) {
  return isFloat(dtype) ? "float" : std::string(dtypeMetalName(dtype));
}

std::string bessemer::rounded(DType dtype, const std::string &expression) {
  if (dtype == DType::F16 || dtype == DType::BF16)
    return "float(" + std::string(dtypeMetalName(dtype)) + "(" + expression +
           "))";
  return expression;
}

/// Replaces $n by operands and the word T by the compute type.
static std::string substitute(StringRef pattern, ArrayRef<std::string> operands,
                              const std::string &type) {
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i) {
    bool startsWord = i == 0 || !llvm::isAlnum(pattern[i - 1]);
    bool endsWord = i + 1 == pattern.size() || !llvm::isAlnum(pattern[i + 1]);
    if (pattern[i] == '$')
      text += operands[pattern[++i] - '0'];
    else if (pattern[i] == 'T' && startsWord && endsWord)
      text += type;
    else
      text += pattern[i];
  }
  return text;
}

std::string bessemer::pointwiseExpression(Operation *op,
                                          ArrayRef<std::string> operands) {
  Value decisive = op->getOperands().back();
  DType dtype =
      dtypeOf(cast<RankedTensorType>(decisive.getType()).getElementType());
  if (auto cast = dyn_cast<CastOp>(op)) {
    DType to = dtypeOf(cast.getType().getElementType());
    return to == DType::Bool ? operands[0] + " != 0"
                             : computeType(to) + "(" + operands[0] + ")";
  }
  if (auto gelu = dyn_cast<GeluOp>(op))
    return (gelu.getApproximate() == GeluApproximation::Tanh ? "bsm_gelu_tanh("
                                                             : "bsm_gelu(") +
           operands[0] + ")";
  auto found = table().find(plainName(op));
  if (found == table().end())
    return "";
  StringRef pattern =
      isFloat(dtype) ? found->second.floating : found->second.integer;
  return substitute(pattern, operands, computeType(dtype));
}

/// Nine digits give every float back.
static std::string floatLiteral(double value) {
  if (std::isnan(value))
    return "NAN";
  if (std::isinf(value))
    return value < 0 ? "-INFINITY" : "INFINITY";
  char text[40];
  std::snprintf(text, sizeof(text), "%.9g", value);
  StringRef digits(text);
  bool isWhole = digits.find_first_of(".e") == StringRef::npos;
  return digits.str() + (isWhole ? ".0f" : "f");
}

std::string bessemer::literal(Attribute element, DType dtype) {
  std::string type = computeType(dtype);
  if (auto number = dyn_cast<FloatAttr>(element))
    return "(" + floatLiteral(number.getValueAsDouble()) + ")";
  auto number = cast<IntegerAttr>(element).getValue();
  if (dtype == DType::Bool)
    return number.isZero() ? "false" : "true";
  if (dtype == DType::U32 || dtype == DType::U64)
    return type + "(" + llvm::utostr(number.getZExtValue()) + "ul)";
  bool isUnsigned = dtype == DType::U8 || dtype == DType::U16;
  int64_t value = isUnsigned ? static_cast<int64_t>(number.getZExtValue())
                             : number.getSExtValue();
  if (value == INT64_MIN)
    return "long(1ul << 63)";
  return type + "(" + llvm::itostr(value) + "l)";
}
