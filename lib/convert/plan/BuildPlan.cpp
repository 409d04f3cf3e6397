//===- BuildPlan.cpp - From a graph to a plan -----------------------------===//
//
// First the shapes of all values become registers, with the checks between
// them, so that a run fails before it computes. Then elementwise ops are
// grouped into kernels, and each op adds its steps, in order.
//
//===----------------------------------------------------------------------===//
#include "convert/Convert.h"
#include "convert/Inline.h"
#include "convert/plan/Pointwise.h"
#include "convert/plan/Steps.h"

#include "ir/dialect/CoreAIX.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseSet.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

namespace {
class PlanBuilder {
public:
  explicit PlanBuilder(GraphOp graph) : context(graph) {}
  Result<Plan> run();

private:
  Block &body() { return context.graph.getBody().front(); }
  void addInputs();
  void findOutputs();
  void findNeeded();
  void emit(Operation &op);
  void addOutputs();

  PlanContext context;
  PointwiseGroups groups;
  llvm::DenseSet<Value> needed; ///< Values that some step reads.
};
} // namespace

void PlanBuilder::addInputs() {
  for (BlockArgument argument : body().getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type) {
      context.fail(nullptr, ErrorKind::Unsupported,
                   "state (an argument of handle type)");
      return;
    }
    unsigned number = argument.getArgNumber();
    Port port;
    port.name = context.graph.getInputName(number).str();
    port.tensor = static_cast<TensorId>(context.plan.tensors.size());
    TensorInfo tensor;
    tensor.dtype = context.dtypeOf(nullptr, argument);
    tensor.storage = Storage::Input;
    tensor.index = number;
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      bool isDynamic = type.isDynamicDim(axis);
      port.shape.push_back(isDynamic ? -1 : type.getDimSize(axis));
      tensor.shape.push_back(
          isDynamic ? context.regs.dim(number, axis)
                    : context.regs.constant(type.getDimSize(axis)));
    }
    context.setShape(argument, tensor.shape);
    context.setTensor(argument, port.tensor);
    context.plan.tensors.push_back(std::move(tensor));
    context.plan.inputs.push_back(std::move(port));
  }
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
              BroadcastInDimsOp, GetShapeOp>(op) &&
         !keepsBytes(op);
}

/// Results that can be computed in place: through views of all bytes back to
/// the op that makes them.
void PlanBuilder::findOutputs() {
  OperandRange values = body().getTerminator()->getOperands();
  context.outputTensors.resize(values.size());
  for (auto [number, value] : llvm::enumerate(values)) {
    Value origin = value;
    while (origin.getDefiningOp() && keepsBytes(origin.getDefiningOp()))
      origin = origin.getDefiningOp()->getOperand(0);
    if (origin.getDefiningOp() && allocates(origin.getDefiningOp()))
      context.outputs.try_emplace(origin, number);
  }
}

/// Backwards from the outputs: operands that are only shapes are not computed.
void PlanBuilder::findNeeded() {
  for (Value value : body().getTerminator()->getOperands())
    needed.insert(value);
  for (Operation &op : llvm::reverse(body().without_terminator())) {
    bool isUsed = llvm::any_of(
        op.getResults(), [&](Value value) { return needed.contains(value); });
    for (OpOperand &operand : op.getOpOperands())
      if (isUsed && !isShapeOperand(&op, operand.getOperandNumber()))
        needed.insert(operand.get());
  }
}

void PlanBuilder::emit(Operation &op) {
  auto group = groups.find(&op);
  bool isFused = group != groups.end() && group->second != &op;
  if (isa<ConstantOp>(op) || isFused ||
      !llvm::any_of(op.getResults(),
                    [&](Value value) { return needed.contains(value); }))
    return;
  if (op.getNumResults() == 1 && !isa<Metal4KernelOp>(op) &&
      context.integersOf(op.getResult(0)))
    return emitIntegers(context, op.getResult(0));
  if (emitGemm(context, &op) || context.hasFailed())
    return;
  if (group != groups.end())
    return emitPointwise(context, groups, &op);
  if (emitKernel(context, &op) || emitView(context, &op) ||
      emitMovement(context, &op) || emitReduction(context, &op) ||
      emitGather(context, &op) || emitWindow(context, &op))
    return;
  context.fail(&op, ErrorKind::Unsupported,
               "this build cannot run the operator");
}

void PlanBuilder::addOutputs() {
  OperandRange values = body().getTerminator()->getOperands();
  for (auto [number, value] : llvm::enumerate(values)) {
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
      context.plan.steps.push_back(CopyStep{id, *made});
    }
    Port port;
    port.name = context.graph.getOutputName(number).str();
    port.tensor = *made;
    for (int64_t extent : cast<RankedTensorType>(value.getType()).getShape())
      port.shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
    context.plan.outputs.push_back(std::move(port));
  }
}

Result<Plan> PlanBuilder::run() {
  context.plan.function = context.graph.getSymName().str();
  addInputs();
  if (!context.hasFailed())
    computeShapes(context);
  if (!context.hasFailed()) {
    findOutputs();
    findNeeded();
    groups = groupPointwise(context);
  }
  for (Operation &op : body().without_terminator()) {
    if (context.hasFailed())
      return context.getError();
    emit(op);
  }
  if (!context.hasFailed())
    addOutputs();
  if (context.hasFailed())
    return context.getError();
  return std::move(context.plan);
}

Result<Plan> bessemer::buildPlan(IRProgram &program,
                                 std::string_view function) {
  Result<GraphOp> found = program.graph(function);
  if (!found)
    return found.error();
  // Work on a copy in which no graph calls another.
  OwningOpRef<ModuleOp> copy = program.module().clone();
  Result<GraphOp> graph = inlineGraph(*copy, found->getSymName());
  if (!graph)
    return graph.error();
  return PlanBuilder(*graph).run();
}
