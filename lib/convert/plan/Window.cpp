//===- Window.cpp - Convolutions and pooling in a plan --------------------===//
//
// A thread for each result element, which loops over its window. Images are
// [batch, channel, spatial...], dense.
//
//===----------------------------------------------------------------------===//
#include "convert/plan/ElementKernel.h"
#include "convert/plan/Pointwise.h"
#include "convert/plan/Steps.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

namespace {
/// Writes the loops over a window.
class WindowWriter {
public:
  WindowWriter(PlanContext &context, Operation *op, Value input,
               std::vector<int64_t> strides, std::vector<int64_t> dilations)
      : context(context), kernel(context, context.shapeOf(op->getResult(0))),
        shape(context.shapeOf(input)), strides(std::move(strides)),
        dilations(std::move(dilations)) {
    tensor = context.dense(context.tensorOf(input));
    image = kernel.buffer(tensor);
  }

  /// Opens a loop for each spatial axis, over these extents.
  void open(const RegList &extents);
  void close() { kernel.line(std::string(2 * strides.size(), '}')); }
  /// The element under the loops' place, of the channel expression.
  std::string element(const std::string &channel);

  PlanContext &context;
  ElementKernel kernel;
  TensorId tensor;

private:
  RegList shape;
  std::vector<int64_t> strides, dilations;
  std::string image;
};
} // namespace

/// Places outside the image (of windows that overhang) are passed over.
void WindowWriter::open(const RegList &extents) {
  for (size_t i = 0; i < strides.size(); ++i) {
    std::string axis = std::to_string(i), loop = "w" + axis, at = "at" + axis;
    kernel.line("for (uint " + loop + " = 0; " + loop + " < " +
                kernel.number(extents[i]) + "; ++" + loop + ") {");
    kernel.line("uint " + at + " = " + kernel.index(i + 2) + " * " +
                std::to_string(strides[i]) + "u + " + loop + " * " +
                std::to_string(dilations[i]) + "u;");
    kernel.line("if (" + at + " < " + kernel.number(shape[i + 2]) + ") {");
  }
}

std::string WindowWriter::element(const std::string &channel) {
  std::string at =
      kernel.index(0) + " * " + kernel.number(shape[1]) + " + " + channel;
  for (size_t i = 0; i < strides.size(); ++i)
    at = "(" + at + ") * " + kernel.number(shape[i + 2]) + " + at" +
         std::to_string(i);
  return image + "[" + at + "]";
}

/// Filters of a group below which a product has too few rows.
static constexpr int64_t leastFilters = 4;

static std::optional<double> splatValue(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                        : DenseElementsAttr();
  if (!dense || !dense.isSplat() || !isa<FloatType>(dense.getElementType()))
    return std::nullopt;
  return dense.getSplatValue<APFloat>().convertToDouble();
}

/// Whether the convolution is a step of its own, rather than a kernel.
static bool isProductConvolution(PlanContext &context, Operation *op) {
  if (!isa<Conv2dOp, Conv3dOp>(op))
    return false;
  std::optional<int64_t> filters =
      context.regs.known(context.shapeOf(op->getOperand(1))[0]);
  auto groups = constantIntegers(op->getOperand(4));
  return filters && groups && groups->front() > 0 &&
         *filters / groups->front() >= leastFilters;
}

/// The padding with zeros that a convolution's step does as well: amounts
/// before and behind each axis; none if `op` is not such a padding.
static std::optional<SmallVector<int64_t>> zeroPadding(PlanContext &context,
                                                       Operation *op) {
  auto pad = dyn_cast_or_null<PadOp>(op);
  if (!pad || pad.getMode() != PadMode::Constant ||
      splatValue(pad.getValue()) != 0.0 ||
      context.outputs.contains(pad.getResult()))
    return std::nullopt;
  auto amounts = constantIntegers(pad.getPadding());
  if (!amounts || amounts->size() < 6 ||
      llvm::any_of(*amounts, [](int64_t amount) { return amount < 0; }) ||
      llvm::any_of(ArrayRef(*amounts).take_front(4),
                   [](int64_t amount) { return amount != 0; }))
    return std::nullopt;
  return SmallVector<int64_t>(amounts->begin(), amounts->end());
}

bool bessemer::isPaddingOfConvolution(PlanContext &context, Operation *op) {
  return zeroPadding(context, op) &&
         llvm::all_of(op->getResult(0).getUses(), [&](OpOperand &use) {
           return use.getOperandNumber() == 0 &&
                  use.getOwner()->getBlock() == op->getBlock() &&
                  isProductConvolution(context, use.getOwner());
         });
}

static void emitProductConvolution(PlanContext &context, Operation *op) {
  Value input = op->getOperand(0);
  ConvolutionStep step;
  step.strides = context.knownIntegers(op, op->getOperand(2));
  step.dilations = context.knownIntegers(op, op->getOperand(3));
  step.groups = constantIntegers(op->getOperand(4))->front();
  step.paddings.assign(step.strides.size(), 0);
  Operation *pad = input.getDefiningOp();
  if (pad && isPaddingOfConvolution(context, pad)) {
    SmallVector<int64_t> amounts = *zeroPadding(context, pad);
    for (size_t i = 0; i < step.paddings.size(); ++i)
      step.paddings[i] = amounts[2 * (i + 2)];
    input = pad->getOperand(0);
  }
  if (context.hasFailed())
    return;
  step.input = context.dense(context.tensorOf(input));
  step.weight = context.dense(context.tensorOf(op->getOperand(1)));
  step.output = context.allocate(op->getResult(0));
  context.addStep(std::move(step));
}

static void emitConvolution(PlanContext &context, Operation *op) {
  Registers &regs = context.regs;
  Value input = op->getOperand(0), weight = op->getOperand(1);
  std::vector<int64_t> strides = context.knownIntegers(op, op->getOperand(2)),
                       dilations = context.knownIntegers(op, op->getOperand(3)),
                       groups = context.knownIntegers(op, op->getOperand(4));
  RegList filter = context.shapeOf(weight),
          result = context.shapeOf(op->getResult(0));
  if (context.hasFailed())
    return;
  TensorId filters = context.dense(context.tensorOf(weight));
  WindowWriter window(context, op, input, strides, dilations);
  ElementKernel &kernel = window.kernel;
  std::string table = kernel.buffer(filters), part = kernel.number(filter[1]);
  std::string output = kernel.index(1);
  // Filters of one group see its part of the channels.
  Reg perGroup = regs.op(ScalarOp::FloorDiv, result[1],
                         regs.constant(std::max<int64_t>(groups.front(), 1)));
  kernel.line("uint first = " + output + " / " + kernel.number(perGroup) +
              " * " + part + ";");
  kernel.line("float sum = 0.0f;");
  kernel.line("for (uint c = 0; c < " + part + "; ++c) {");
  window.open({filter.begin() + 2, filter.end()});
  std::string place = output + " * " + part + " + c";
  for (size_t i = 0; i < strides.size(); ++i)
    place = "(" + place + ") * " + kernel.number(filter[i + 2]) + " + w" +
            std::to_string(i);
  kernel.line("sum += float(" + window.element("first + c") + ") * float(" +
              table + "[" + place + "]);");
  window.close();
  kernel.line("}");
  TensorId to = context.allocate(op->getResult(0));
  kernel.store(to,
               std::string(dtypeMetalName(context.info(to).dtype)) + "(sum)");
  kernel.dispatch("convolution");
}

/// `first` and `join` of a, b: a maximum or a sum.
static void emitPool(PlanContext &context, Operation *op, bool isMax) {
  std::vector<int64_t> extents = context.knownIntegers(op, op->getOperand(1)),
                       strides = context.knownIntegers(op, op->getOperand(2)),
                       dilations = context.knownIntegers(op, op->getOperand(3));
  if (context.hasFailed())
    return;
  WindowWriter window(context, op, op->getOperand(0), strides, dilations);
  ElementKernel &kernel = window.kernel;
  DType dtype = context.info(window.tensor).dtype;
  std::string type = computeType(dtype);
  std::string least =
      type == "float" ? "-INFINITY" : "numeric_limits<" + type + ">::lowest()";
  kernel.line(type + " best = " + (isMax ? least : type + "(0)") + ";");
  window.open(context.regs.constants(extents));
  kernel.line(type + " next = " + type + "(" + window.element(kernel.index(1)) +
              ");");
  kernel.line(isMax ? "best = next > best || next != next ? next : best;"
                    : "best = " + type + "(best + next);");
  window.close();
  kernel.store(context.allocate(op->getResult(0)),
               std::string(dtypeMetalName(dtype)) + "(best)");
  kernel.dispatch(isMax ? "max_pool" : "sum_pool");
}

bool bessemer::emitWindow(PlanContext &context, Operation *op) {
  if (isProductConvolution(context, op))
    emitProductConvolution(context, op);
  else if (isa<Conv2dOp, Conv3dOp>(op))
    emitConvolution(context, op);
  else if (isa<MaxPool2dOp, MaxPool3dOp>(op))
    emitPool(context, op, /*isMax=*/true);
  else if (isa<SumPool2dOp, SumPool3dOp>(op))
    emitPool(context, op, /*isMax=*/false);
  else
    return false;
  return true;
}
