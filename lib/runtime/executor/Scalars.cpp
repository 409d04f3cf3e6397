//===- Scalars.cpp - Shape arithmetic of a run ----------------------------===//
#include "runtime/executor/PlanRun.h"

#include <algorithm>
#include <cstring>

using namespace bessemer;
using namespace bessemer::runtime;
using namespace bessemer::plan;

template <typename T>
static int64_t elementAt(const Tensor &tensor, int64_t index) {
  T value;
  std::memcpy(&value,
              static_cast<const std::byte *>(tensor.data) +
                  index * int64_t(sizeof(T)),
              sizeof(T));
  return static_cast<int64_t>(value);
}

static int64_t integerAt(const Tensor &tensor, int64_t index) {
  switch (tensor.dtype) {
  case DType::I8:
    return elementAt<int8_t>(tensor, index);
  case DType::I16:
    return elementAt<int16_t>(tensor, index);
  case DType::U16:
    return elementAt<uint16_t>(tensor, index);
  case DType::I32:
    return elementAt<int32_t>(tensor, index);
  case DType::U32:
    return elementAt<uint32_t>(tensor, index);
  case DType::I64:
  case DType::U64:
    return elementAt<int64_t>(tensor, index);
  default: // Bool and U8; the verifier lets nothing else pass
    return elementAt<uint8_t>(tensor, index);
  }
}

Result<int64_t> PlanRun::readElement(const ScalarStep &step) {
  Result<Tensor> source = tensor(step.a);
  if (!source)
    return source.error();
  if (step.immediate < 0 || step.immediate >= source->elementCount())
    return fail(ErrorKind::InvalidArgument,
                "element " + std::to_string(step.immediate) +
                    " of a shape tensor with " +
                    std::to_string(source->elementCount()) +
                    " elements is needed");
  // The index counts elements in row-major order.
  int64_t offset = step.immediate;
  if (!source->isDense()) {
    int64_t rest = step.immediate;
    offset = 0;
    for (size_t i = source->shape.size(); i-- > 0; rest /= source->shape[i])
      offset += rest % source->shape[i] * source->strides[i];
  }
  return integerAt(*source, offset);
}

/// Rounds towards minus infinity.
static int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

Status PlanRun::step(const ScalarStep &step) {
  int64_t &target = registers[step.dst];
  if (step.op == ScalarOp::Constant) {
    target = step.immediate;
    return {};
  }
  if (step.op == ScalarOp::Dim) {
    target = inputs[step.a].shape[step.immediate];
    return {};
  }
  if (step.op == ScalarOp::Read) {
    Result<int64_t> value = readElement(step);
    if (!value)
      return value.error();
    target = *value;
    return {};
  }
  int64_t a = registers[step.a], b = registers[step.b];
  bool divides = step.op == ScalarOp::FloorDiv ||
                 step.op == ScalarOp::CeilDiv || step.op == ScalarOp::Mod;
  if (divides && b == 0)
    return fail(ErrorKind::InvalidArgument,
                "division by zero in the shapes that these inputs make");
  bool overflow = divides && a == INT64_MIN && b == -1;
  switch (step.op) {
  case ScalarOp::Add:
    overflow = __builtin_add_overflow(a, b, &target);
    break;
  case ScalarOp::Sub:
    overflow = __builtin_sub_overflow(a, b, &target);
    break;
  case ScalarOp::Mul:
    overflow = __builtin_mul_overflow(a, b, &target);
    break;
  case ScalarOp::FloorDiv:
    target = overflow ? 0 : floorDiv(a, b);
    break;
  case ScalarOp::CeilDiv:
    target = overflow ? 0 : floorDiv(a, b) + (a % b != 0);
    break;
  case ScalarOp::Mod:
    target = overflow ? 0 : a - floorDiv(a, b) * b;
    break;
  case ScalarOp::Min:
    target = std::min(a, b);
    break;
  default:
    target = std::max(a, b);
    break;
  }
  if (overflow)
    return fail(ErrorKind::InvalidArgument,
                "the shapes that these inputs make exceed 64 bits");
  return {};
}

static void replaceAll(std::string &text, std::string_view what, int64_t with) {
  for (size_t at; (at = text.find(what)) != std::string::npos;)
    text.replace(at, what.size(), std::to_string(with));
}

Status PlanRun::step(const RequireStep &step) {
  int64_t a = registers[step.a], b = registers[step.b];
  bool holds = step.relation == RequireStep::Relation::Equal ? a == b : a <= b;
  if (holds)
    return {};
  std::string message = step.message;
  replaceAll(message, "{a}", a);
  replaceAll(message, "{b}", b);
  return fail(ErrorKind::InvalidArgument, message);
}
