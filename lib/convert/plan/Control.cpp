//===- Control.cpp - Branches, loops and state in a plan ------------------===//
#include "convert/plan/PlanBuilder.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

uint32_t PlanBuilder::emitRegion(Block &block,
                                 llvm::function_ref<void()> finish) {
  PlanContext::Scope scope(context);
  emitBlock(block);
  if (!context.hasFailed())
    finish();
  return scope.close();
}

void PlanBuilder::copyAll(ArrayRef<std::pair<TensorId, TensorId>> pairs) {
  auto isTarget = [&](TensorId base) {
    return llvm::any_of(
        pairs, [&](auto pair) { return context.baseOf(pair.second) == base; });
  };
  std::vector<CopyStep> last;
  for (auto [from, to] : pairs) {
    if (from == to)
      continue;
    if (isTarget(context.baseOf(from))) {
      TensorId saved =
          context.temporary(context.info(from).dtype, context.info(from).shape);
      context.addStep(CopyStep{from, saved});
      from = saved;
    }
    last.push_back({from, to});
  }
  for (const CopyStep &step : last)
    context.addStep(step);
}

void PlanBuilder::emitIf(IfOp op) {
  IfStep step;
  step.condition = context.dense(context.tensorOf(op.getCondition()));
  std::vector<TensorId> results;
  for (Value result : op.getResults())
    results.push_back(context.allocate(result));
  auto branch = [&](Region &region) {
    Block &block = region.front();
    return emitRegion(block, [&] {
      for (auto [value, result] :
           llvm::zip_equal(block.getTerminator()->getOperands(), results))
        context.addStep(CopyStep{context.tensorOf(value), result});
    });
  };
  step.thenBlock = branch(op.getThenRegion());
  step.elseBlock = branch(op.getElseRegion());
  context.addStep(step);
}

/// What is carried has a tensor for all rounds.
void PlanBuilder::emitWhile(WhileOp op) {
  Block &before = op.getBefore().front(), &after = op.getAfter().front();
  std::vector<TensorId> carried;
  for (auto [init, argument] :
       llvm::zip_equal(op.getInits(), before.getArguments())) {
    carried.push_back(context.temporary(context.dtypeOf(op, argument),
                                        context.shapeOf(argument)));
    context.addStep(CopyStep{context.tensorOf(init), carried.back()});
    context.setTensor(argument, carried.back());
  }
  WhileStep step;
  auto condition = cast<ConditionOp>(before.getTerminator());
  step.before = emitRegion(before, [&] {
    step.condition = context.dense(context.tensorOf(condition.getCondition()));
    for (auto [value, argument, result] : llvm::zip_equal(
             condition.getValues(), after.getArguments(), op.getResults())) {
      context.setTensor(argument, context.tensorOf(value));
      context.setTensor(result, context.tensorOf(value));
    }
  });
  if (context.hasFailed())
    return;
  step.body = emitRegion(after, [&] {
    SmallVector<std::pair<TensorId, TensorId>> pairs;
    for (auto [value, tensor] :
         llvm::zip_equal(after.getTerminator()->getOperands(), carried))
      pairs.push_back({context.tensorOf(value), tensor});
    copyAll(pairs);
  });
  context.addStep(step);
}

bool PlanBuilder::emitControl(Operation &op) {
  if (auto branch = dyn_cast<IfOp>(op))
    emitIf(branch);
  else if (auto loop = dyn_cast<WhileOp>(op))
    emitWhile(loop);
  else
    return false;
  return true;
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

/// States are written when everything else is done: until then their tensors
/// hold what they held at the start, and reads are views.
bool PlanBuilder::emitState(Operation &op) {
  if (isa<CreateTokenOp>(op))
    return true;
  auto read = dyn_cast<ReadHandleOp>(op);
  auto write = dyn_cast<WriteHandleOp>(op);
  if (!read && !write)
    return false;
  auto found = states.find(op.getOperand(0));
  if (found == states.end() || op.getBlock() != &body())
    context.fail(&op, ErrorKind::Unsupported,
                 "state can be used by the body of an entry point alone");
  else if (write)
    found->second.current = write.getValue();
  else
    context.setTensor(read.getOutput(),
                      found->second.current
                          ? context.tensorOf(found->second.current)
                          : found->second.tensor);
  return true;
}

void PlanBuilder::writeStates() {
  SmallVector<std::pair<TensorId, TensorId>> pairs;
  for (auto &[handle, state] : states)
    if (state.current)
      pairs.push_back({context.tensorOf(state.current), state.tensor});
  if (!context.hasFailed())
    copyAll(pairs);
}
