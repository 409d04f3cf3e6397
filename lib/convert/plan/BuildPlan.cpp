//===- BuildPlan.cpp - From a graph to a plan -----------------------------===//
//
// First the shapes of all values become registers, with the checks between
// them, so that a run fails before it computes. Then elementwise ops are
// grouped into kernels, and each op adds its steps, in order.
//
//===----------------------------------------------------------------------===//
#include "convert/Convert.h"
#include "convert/Inline.h"
#include "convert/plan/PlanBuilder.h"
#include "convert/plan/Steps.h"

#include "mlir/IR/OwningOpRef.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

/// The operands of a used op, except for those that are only shapes.
void PlanBuilder::findNeeded(Operation &op) {
  bool isUsed =
      isa<WriteHandleOp>(op) || llvm::any_of(op.getResults(), [&](Value value) {
        return needed.contains(value);
      });
  if (!isUsed)
    return;
  for (OpOperand &operand : op.getOpOperands())
    if (!isShapeOperand(&op, operand.getOperandNumber()))
      needed.insert(operand.get());
  if (isa<IfOp, WhileOp>(op))
    for (Region &region : llvm::reverse(op.getRegions()))
      findNeeded(region.front());
}

/// Backwards from the results: what is not needed is not computed.
void PlanBuilder::findNeeded(Block &block) {
  for (Value value : block.getTerminator()->getOperands())
    needed.insert(value);
  for (Operation &op : llvm::reverse(block.without_terminator()))
    findNeeded(op);
}

void PlanBuilder::emit(Operation &op) {
  auto group = groups.find(&op);
  bool isFused = group != groups.end() && group->second != &op;
  if (emitState(op) || isa<ConstantOp>(op) || isFused ||
      isPaddingOfConvolution(context, &op) ||
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
      emitGather(context, &op) || emitScatter(context, &op) ||
      emitWindow(context, &op) || emitControl(op))
    return;
  context.fail(&op, ErrorKind::Unsupported,
               "this build cannot run the operator");
}

void PlanBuilder::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (context.hasFailed())
      return;
    emit(op);
  }
}

Result<Plan> PlanBuilder::run() {
  context.plan.function = context.graph.getSymName().str();
  addInputs();
  if (!context.hasFailed())
    checkDimensions();
  if (!context.hasFailed())
    computeShapes(context);
  if (!context.hasFailed()) {
    findOutputs();
    findNeeded(body());
    groups = groupPointwise(context);
    emitBlock(body());
  }
  if (!context.hasFailed())
    addOutputs();
  if (!context.hasFailed())
    writeStates();
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
  return PlanBuilder(program, *graph).run();
}
