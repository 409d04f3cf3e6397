//===- Pointwise.cpp - Groups of elementwise ops as one kernel ------------===//
#include "convert/plan/Pointwise.h"

#include "convert/plan/ElementKernel.h"
#include "convert/plan/Steps.h"
#include "ops/Sources.h"

#include "llvm/ADT/SetVector.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

/// Kernels have 31 buffers, one of them for the result, one for extents.
static constexpr size_t largestGroupInputs = 28;
static constexpr size_t largestGroup = 64;

/// The value of a constant whose elements are all equal: written into the
/// source instead of a buffer.
static Attribute splatElement(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                        : DenseElementsAttr();
  if (!dense || dense.empty() ||
      !(dense.isSplat() || dense.getNumElements() == 1))
    return {};
  return *dense.getValues<Attribute>().begin();
}

//===----------------------------------------------------------------------===//
// Grouping
//===----------------------------------------------------------------------===//

namespace {
/// Grows groups from the last op backwards.
class Grouping {
public:
  explicit Grouping(PlanContext &context) : context(context) {}
  PointwiseGroups run();

private:
  void groupBlock(Block &block);
  Operation *groupFor(Operation *op);
  bool join(Operation *op, Operation *root);
  void start(Operation *op);

  struct Group {
    llvm::SetVector<Value> inputs; ///< Made by others.
    size_t size = 1;
  };
  PlanContext &context;
  PointwiseGroups groups;
  llvm::DenseMap<Operation *, Group> members;
};
} // namespace

/// The one group that uses the result, if all users have its shape.
Operation *Grouping::groupFor(Operation *op) {
  Value result = op->getResult(0);
  Operation *root = nullptr;
  if (context.outputs.contains(result))
    return nullptr;
  for (OpOperand &use : result.getUses()) {
    Operation *user = use.getOwner();
    if (isShapeOperand(user, use.getOperandNumber()))
      continue;
    auto found = groups.find(user);
    if (user->getBlock() != op->getBlock() || found == groups.end() ||
        (root && root != found->second) ||
        context.shapeOf(user->getResult(0)) != context.shapeOf(result))
      return nullptr;
    root = found->second;
  }
  return root;
}

bool Grouping::join(Operation *op, Operation *root) {
  Group group = members[root];
  group.inputs.remove(op->getResult(0));
  for (Value operand : op->getOperands())
    if (!splatElement(operand))
      group.inputs.insert(operand);
  if (group.inputs.size() > largestGroupInputs || ++group.size > largestGroup)
    return false;
  members[root] = std::move(group);
  groups[op] = root;
  return true;
}

void Grouping::start(Operation *op) {
  Group group;
  for (Value operand : op->getOperands())
    if (!splatElement(operand))
      group.inputs.insert(operand);
  members[op] = std::move(group);
  groups[op] = op;
}

void Grouping::groupBlock(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    if (isa<IfOp, WhileOp>(op))
      for (Region &region : op.getRegions())
        groupBlock(region.front());
    // The bias of a matrix product is added by its step.
    if (!isPointwise(&op) || isBiasOfGemm(context, &op))
      continue;
    Operation *root = groupFor(&op);
    if (!root || !join(&op, root))
      start(&op);
  }
}

PointwiseGroups Grouping::run() {
  groupBlock(context.graph.getBody().front());
  return std::move(groups);
}

PointwiseGroups bessemer::groupPointwise(PlanContext &context) {
  return Grouping(context).run();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
/// Writes the ops of one group, in order, as lines of a kernel.
class GroupWriter {
public:
  GroupWriter(PlanContext &context, Operation *root)
      : context(context), root(root),
        kernel(context, context.shapeOf(root->getResult(0))) {}

  void add(Operation *op);
  void finish();

private:
  std::string operand(Operation *op, Value value);

  PlanContext &context;
  Operation *root;
  ElementKernel kernel;
  llvm::DenseMap<Value, std::string> names;
  std::string hint;
  bool usesHelpers = false;
};
} // namespace

std::string GroupWriter::operand(Operation *op, Value value) {
  DType dtype = context.dtypeOf(op, value);
  if (Attribute element = splatElement(value))
    return literal(element, dtype);
  auto [entry, isNew] = names.try_emplace(value);
  if (isNew) {
    std::string name = "x" + std::to_string(names.size());
    std::string type = computeType(dtype);
    kernel.line(type + " " + name + " = " + type + "(" +
                kernel.load(context.tensorOf(value)) + ");");
    names[value] = name;
    return name;
  }
  return entry->second;
}

void GroupWriter::add(Operation *op) {
  SmallVector<std::string> operands;
  for (Value value : op->getOperands())
    operands.push_back(operand(op, value));
  Value result = op->getResult(0);
  DType dtype = context.dtypeOf(op, result);
  std::string expression = pointwiseExpression(op, operands);
  if (context.hasFailed())
    return;
  if (expression.empty()) {
    context.fail(op, ErrorKind::Unsupported,
                 "is not defined for this element type");
    return;
  }
  usesHelpers |= StringRef(expression).contains("bsm_");
  std::string name = "x" + std::to_string(names.size() + 1);
  kernel.line(computeType(dtype) + " " + name + " = " +
              rounded(dtype, expression) + ";");
  names[result] = name;
  StringRef word = op->getName().stripDialect();
  word.consume_front("decomposable.broadcasting_");
  if (hint.size() < 40)
    hint += (hint.empty() ? "" : "_") + word.str();
}

void GroupWriter::finish() {
  Value result = root->getResult(0);
  DType dtype = context.dtypeOf(root, result);
  TensorId tensor = context.allocate(result);
  kernel.store(tensor,
               std::string(dtypeMetalName(dtype)) + "(" + names[result] + ")");
  if (usesHelpers)
    kernel.include(ops::source("elementwise"));
  kernel.dispatch(hint);
}

void bessemer::emitPointwise(PlanContext &context,
                             const PointwiseGroups &groups, Operation *root) {
  GroupWriter writer(context, root);
  // A group's ops lie between its first and its root.
  SmallVector<Operation *> members{root};
  for (size_t i = 0; i < members.size(); ++i)
    for (Value operand : members[i]->getOperands())
      if (Operation *op = operand.getDefiningOp();
          op && groups.lookup(op) == root && !llvm::is_contained(members, op))
        members.push_back(op);
  llvm::sort(members,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : members) {
    writer.add(op);
    if (context.hasFailed())
      return;
  }
  writer.finish();
}

void bessemer::emitStridedCopy(PlanContext &context, TensorId from,
                               TensorId to) {
  ElementKernel kernel(context, context.info(to).shape);
  std::string value = kernel.load(from);
  kernel.store(to, value);
  kernel.dispatch("copy");
}
