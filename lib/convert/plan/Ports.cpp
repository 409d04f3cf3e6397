//===- Ports.cpp - Inputs, states and outputs of a plan -------------------===//
#include "convert/plan/PlanBuilder.h"

#include "ir/dialect/CoreAIX.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

void PlanBuilder::addInput(BlockArgument argument, StringRef name) {
  auto type = cast<RankedTensorType>(argument.getType());
  auto number = static_cast<uint32_t>(context.plan.inputs.size());
  TensorInfo tensor;
  tensor.dtype = context.dtypeOf(nullptr, argument);
  tensor.storage = Storage::Input;
  tensor.index = number;
  Port port{name.str(), static_cast<TensorId>(context.plan.tensors.size()), {}};
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    bool isDynamic = type.isDynamicDim(axis);
    port.shape.push_back(isDynamic ? -1 : type.getDimSize(axis));
    tensor.shape.push_back(isDynamic
                               ? context.regs.dim(number, axis)
                               : context.regs.constant(type.getDimSize(axis)));
  }
  context.plan.tensors.push_back(std::move(tensor));
  context.plan.inputs.push_back(std::move(port));
}

void PlanBuilder::addState(BlockArgument argument, StringRef name) {
  RankedTensorType type = cast<HandleType>(argument.getType()).getContents();
  if (!type.hasStaticShape()) {
    context.fail(nullptr, ErrorKind::Unsupported,
                 "state '" + name + "' has dynamic dimensions");
    return;
  }
  TensorInfo tensor;
  tensor.dtype = context.dtypeOfElement(nullptr, type.getElementType());
  tensor.storage = Storage::State;
  tensor.index = static_cast<uint32_t>(context.plan.states.size());
  tensor.shape = context.regs.constants(type.getShape().vec());
  auto id = static_cast<TensorId>(context.plan.tensors.size());
  context.plan.states.push_back({name.str(), id, type.getShape().vec()});
  context.plan.tensors.push_back(std::move(tensor));
  states[argument] = {id, {}};
}

void PlanBuilder::addInputs() {
  for (BlockArgument argument : body().getArguments()) {
    StringRef name = context.graph.getInputName(argument.getArgNumber());
    if (isa<HandleType>(argument.getType()))
      addState(argument, name);
    else if (isa<RankedTensorType>(argument.getType()))
      addInput(argument, name);
    else
      context.fail(nullptr, ErrorKind::Unsupported,
                   "an input that is neither tensor nor state");
    if (context.hasFailed())
      return;
  }
}

/// The checks of one size; extents that are the size itself then share its
/// register.
void PlanBuilder::checkDimension(const GraphDimension &dimension) {
  Registers &regs = context.regs;
  std::optional<Reg> size;
  std::string first;
  for (const GraphDimension::Use &use : dimension.uses) {
    if (use.input >= context.plan.inputs.size() || use.factor < 1)
      continue;
    const Port &port = context.plan.inputs[use.input];
    RegList &shape = context.plan.tensors[port.tensor].shape;
    if (use.axis >= shape.size())
      continue;
    std::string what =
        "input '" + port.name + "': dimension " + std::to_string(use.axis);
    Reg own = regs.sub(shape[use.axis], regs.constant(use.offset));
    if (use.factor != 1) {
      Reg rest = regs.op(ScalarOp::Mod, own, regs.constant(use.factor));
      regs.requireEqual(rest, regs.constant(0),
                        what + " must be a multiple of " +
                            std::to_string(use.factor) + " plus " +
                            std::to_string(use.offset));
      own = regs.op(ScalarOp::FloorDiv, own, regs.constant(use.factor));
    }
    if (!size) {
      size = own;
      first = what;
      checkBounds(dimension, own, what);
    } else {
      regs.requireEqual(own, *size,
                        what + " is {a}, but " + first +
                            " is {b}; they are "
                            "one dimension");
      if (use.factor == 1 && use.offset == 0)
        shape[use.axis] = *size;
    }
  }
}

void PlanBuilder::checkBounds(const GraphDimension &dimension, Reg size,
                              const std::string &what) {
  using Relation = RequireStep::Relation;
  Registers &regs = context.regs;
  if (dimension.min > 0)
    regs.require(Relation::LessEqual, regs.constant(dimension.min), size,
                 what + " is {b}, but it must be at least {a}");
  if (dimension.max)
    regs.require(Relation::LessEqual, size, regs.constant(*dimension.max),
                 what + " is {a}, but it must be at most {b}");
}

void PlanBuilder::checkDimensions() {
  Result<std::vector<GraphDimension>> dimensions =
      program.dimensions(context.graph.getSymName());
  if (!dimensions) {
    context.fail(nullptr, dimensions.error().kind, dimensions.error().message);
    return;
  }
  for (const GraphDimension &dimension : *dimensions)
    checkDimension(dimension);
  for (BlockArgument argument : body().getArguments()) {
    if (isa<HandleType>(argument.getType()))
      continue;
    TensorId id = context.plan.inputs[inputNumber(argument)].tensor;
    context.setShape(argument, context.info(id).shape);
    context.setTensor(argument, id);
  }
}

/// Among the arguments that are not state.
size_t PlanBuilder::inputNumber(BlockArgument argument) {
  size_t number = 0;
  for (BlockArgument other : body().getArguments()) {
    if (other == argument)
      break;
    number += !isa<HandleType>(other.getType());
  }
  return number;
}

/// Whether the op's result has its operand's bytes, in the same order.
static bool keepsBytes(Operation *op) {
  return isa<ReshapeOp, ExpandDimsOp, ShrinkDimsOp,
             coreaix::CopyWithConstraintsOp,
             coreaix::CopyDiscardingConstraintsOp>(op);
}

/// Whether the op computes into a tensor of its own.
static bool allocates(Operation *op) {
  return !isa<ConstantOp, TransposeOp, SliceOp, BroadcastToOp,
              BroadcastInDimsOp, GetShapeOp, ReadHandleOp, WhileOp>(op) &&
         !keepsBytes(op);
}

/// Results that can be computed in place: through views of all bytes back to
/// the op that makes them.
void PlanBuilder::findOutputs() {
  for (OpOperand &operand : body().getTerminator()->getOpOperands()) {
    if (isa<TokenType>(operand.get().getType()))
      continue;
    auto number = static_cast<unsigned>(context.outputValues.size());
    context.outputValues.push_back(operand.get());
    outputNumbers.push_back(operand.getOperandNumber());
    Value origin = operand.get();
    while (origin.getDefiningOp() && keepsBytes(origin.getDefiningOp()))
      origin = origin.getDefiningOp()->getOperand(0);
    if (origin.getDefiningOp() && allocates(origin.getDefiningOp()))
      context.outputs.try_emplace(origin, number);
  }
  context.outputTensors.resize(context.outputValues.size());
}

void PlanBuilder::addOutputs() {
  for (auto [number, value] : llvm::enumerate(context.outputValues)) {
    TensorId id = context.tensorOf(value);
    if (context.hasFailed())
      return;
    TensorInfo tensor = context.info(id);
    std::optional<TensorId> made = context.outputTensors[number];
    if (!made) {
      tensor.strides.clear();
      tensor.storage = Storage::Output;
      tensor.index = static_cast<uint32_t>(number);
      tensor.offset = tensor.bytes = 0;
      tensor.offsetReg = 0;
      made = static_cast<TensorId>(context.plan.tensors.size());
      context.plan.tensors.push_back(tensor);
      context.addStep(CopyStep{id, *made});
    }
    Port port;
    port.name = context.graph.getOutputName(outputNumbers[number]).str();
    port.tensor = *made;
    for (int64_t extent : cast<RankedTensorType>(value.getType()).getShape())
      port.shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
    context.plan.outputs.push_back(std::move(port));
  }
}
