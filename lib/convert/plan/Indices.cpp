//===- Indices.cpp - Checked indices in kernels over elements -------------===//
#include "convert/plan/Indices.h"

#include "ir/DiagnosticCapture.h"

using namespace bessemer;
using namespace bessemer::plan;
using namespace mlir;

void bessemer::declareIndex(ElementKernel &kernel, const std::string &name,
                            const std::string &index,
                            const std::string &extent) {
  std::string size = "long(" + extent + ")";
  kernel.line("long " + name + " = long(" + index + ");");
  kernel.line(name + " += " + name + " < 0 && " + name + " >= -" + size +
              " ? " + size + " : 0;");
}

/// The ATen operator that `op` was made of, else the op's own name.
static std::string userName(Operation *op) {
  if (auto fused = dyn_cast<FusedLoc>(op->getLoc()))
    if (auto name = dyn_cast_or_null<StringAttr>(fused.getMetadata()))
      return name.str();
  return op->getName().getStringRef().str();
}

std::string bessemer::indexMessage(Operation *op, std::optional<int64_t> axis) {
  std::string place = locationText(op->getLoc());
  return (place.empty() ? "" : place + ": ") + userName(op) +
         ": Index {index} is out of range [-{extent}, {extent}) for "
         "gather/scatter dimension " +
         (axis ? std::to_string(*axis) : "{axis}") + ".";
}

TensorId bessemer::splitAtAxis(PlanContext &context, TensorId tensor,
                               const RegList &shape, int64_t axis) {
  auto product = [&](size_t from, size_t to) {
    return context.regs.product(
        RegList(shape.begin() + from, shape.begin() + to));
  };
  return context.denseAlias(
      context.dense(tensor),
      {product(0, axis), shape[axis], product(axis + 1, shape.size())});
}

std::string bessemer::indexWithin(ElementKernel &kernel, const RegList &shape,
                                  size_t first, size_t last) {
  std::string at = "0u";
  for (size_t i = first; i < last; ++i)
    at = i == first ? kernel.index(i)
                    : "(" + at + ") * " + kernel.number(shape[i]) + " + " +
                          kernel.index(i);
  return at;
}
