//===- Context.h - A plan while it is built ---------------------*- C++ -*-===//
//
// What the parts of the plan builder share: the plan, its registers, the shape
// and the tensor of every value. The first error is kept; building stops after
// the op that met it.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CONVERT_PLAN_CONTEXT_H
#define BESSEMER_CONVERT_PLAN_CONTEXT_H

#include "bessemer/result.h"
#include "convert/plan/Registers.h"
#include "ir/Program.h"
#include "ir/dialect/CoreAI.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace bessemer {

class PlanContext {
public:
  PlanContext(const IRProgram &program, coreai::GraphOp graph)
      : graph(graph), program(program) {}

  coreai::GraphOp graph;
  plan::Plan plan;
  Registers regs{plan};

  /// Keeps the first error; `op` gives its place. Returns false.
  bool fail(mlir::Operation *op, ErrorKind kind, const llvm::Twine &message);
  bool hasFailed() const { return error.has_value(); }
  const Error &getError() const { return *error; }

  // Shapes (Shapes.cpp).
  const RegList &shapeOf(mlir::Value value);
  void setShape(mlir::Value value, RegList shape);
  /// The elements of a small integer tensor made of shape arithmetic; none if
  /// they depend on data (ShapeValues.cpp).
  std::optional<RegList> integersOf(mlir::Value value);
  /// The same, known now; fails otherwise.
  std::vector<int64_t> knownIntegers(mlir::Operation *op, mlir::Value value);
  /// An axis operand, in [0, rank).
  std::vector<int64_t> axesOf(mlir::Operation *op, mlir::Value value,
                              int64_t rank);

  // Tensors (Tensors.cpp).
  plan::TensorId tensorOf(mlir::Value value);
  void setTensor(mlir::Value value, plan::TensorId id);
  /// A new dense tensor for the value: an output of the function if it is one.
  plan::TensorId allocate(mlir::Value value);
  plan::TensorId temporary(DType dtype, RegList shape);
  /// The same bytes with other extents and strides (empty: dense), `offset`
  /// elements further on.
  plan::TensorId alias(plan::TensorId of, RegList shape, RegList strides,
                       plan::Reg offset);
  plan::TensorId denseAlias(plan::TensorId of, RegList shape);
  /// The tensor itself if it is dense, else a copy.
  plan::TensorId dense(plan::TensorId id);
  RegList stridesOf(plan::TensorId id);
  const plan::TensorInfo &info(plan::TensorId id) { return plan.tensors[id]; }
  /// The tensor at the end of a chain of aliases.
  plan::TensorId baseOf(plan::TensorId id);
  DType dtypeOf(mlir::Operation *op, mlir::Value value);
  DType dtypeOfElement(mlir::Operation *op, mlir::Type element);

  // Steps (Dispatch.cpp).
  void addStep(plan::Step step) {
    (openBlocks.empty() ? plan.steps : openBlocks.back())
        .push_back(std::move(step));
  }
  /// While it lives, steps go to a block of their own. What is remembered of
  /// tensors they made is forgotten at its end: they may not have run.
  class Scope {
  public:
    explicit Scope(PlanContext &context)
        : context(context), denseCopies(context.denseCopies),
          sortedOrders(context.sortedOrders) {
      context.openBlocks.emplace_back();
    }
    /// Returns the number of the block.
    uint32_t close();

  private:
    PlanContext &context;
    llvm::DenseMap<plan::TensorId, plan::TensorId> denseCopies;
    std::map<std::tuple<plan::TensorId, plan::Reg, plan::Reg, bool>,
             plan::TensorId>
        sortedOrders;
  };
  /// The number of a source; equal ones are kept once.
  uint32_t source(plan::KernelSource source);
  /// One thread for each of `count` elements of a kernel of our own.
  void dispatchFlat(const std::string &text, const std::string &kernel,
                    std::vector<plan::KernelArg> arguments, plan::Reg count,
                    const std::string &indexMessage = "");

  /// Orders of rows that were computed already: sort and argsort share them.
  std::map<std::tuple<plan::TensorId, plan::Reg, plan::Reg, bool>,
           plan::TensorId>
      sortedOrders;

  std::vector<mlir::Value> outputValues;
  /// Values whose bytes become an output, by the outputs' numbers.
  llvm::DenseMap<mlir::Value, unsigned> outputs;
  /// Output tensors that exist already.
  std::vector<std::optional<plan::TensorId>> outputTensors;

private:
  const IRProgram &program; ///< `graph` may be a copy of one of its.
  std::optional<RegList> evaluate(mlir::Value value);
  plan::TensorId add(plan::TensorInfo tensor);
  plan::TensorId constantTensor(coreai::ConstantOp op);
  bool placeInFile(mlir::ElementsAttr value, plan::TensorInfo &tensor);

  std::optional<Error> error;
  std::vector<std::vector<plan::Step>> openBlocks;
  llvm::DenseMap<mlir::Value, RegList> shapes;
  llvm::DenseMap<mlir::Value, std::optional<RegList>> integers;
  llvm::DenseMap<mlir::Value, plan::TensorId> tensors;
  llvm::DenseMap<mlir::Attribute, plan::TensorId> constants;
  llvm::DenseMap<plan::TensorId, plan::TensorId> denseCopies;
  std::map<std::string, uint32_t> sources;
};

/// Computes the shape of every value of the graph, in order, with the checks
/// that hold them together.
void computeShapes(PlanContext &context);

/// Whether operand `index` is shapes, axes or bounds: evaluated while the plan
/// is built, not a tensor of the run.
bool isShapeOperand(mlir::Operation *op, unsigned index);

} // namespace bessemer

#endif // BESSEMER_CONVERT_PLAN_CONTEXT_H
