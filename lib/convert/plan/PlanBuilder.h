//===- PlanBuilder.h - From a graph to a plan -------------------*- C++ -*-===//
#ifndef BESSEMER_CONVERT_PLAN_PLANBUILDER_H
#define BESSEMER_CONVERT_PLAN_PLANBUILDER_H

#include "convert/plan/Pointwise.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace bessemer {

class PlanBuilder {
public:
  PlanBuilder(IRProgram &program, coreai::GraphOp graph)
      : program(program), context(program, graph) {}
  Result<plan::Plan> run();

private:
  mlir::Block &body() { return context.graph.getBody().front(); }
  void findNeeded(mlir::Block &block);
  void findNeeded(mlir::Operation &op);
  void emitBlock(mlir::Block &block);
  void emit(mlir::Operation &op);

  // Ports.cpp
  void addInputs();
  void addInput(mlir::BlockArgument argument, llvm::StringRef name);
  void addState(mlir::BlockArgument argument, llvm::StringRef name);
  void checkDimensions();
  void checkDimension(const GraphDimension &dimension);
  void checkBounds(const GraphDimension &dimension, plan::Reg size,
                   const std::string &what);
  size_t inputNumber(mlir::BlockArgument argument);
  void findOutputs();
  void addOutputs();

  // Control.cpp
  bool emitControl(mlir::Operation &op);
  void emitIf(coreai::IfOp op);
  void emitWhile(coreai::WhileOp op);
  /// Emits a region as a block of the plan; `finish` adds its last steps.
  uint32_t emitRegion(mlir::Block &block, llvm::function_ref<void()> finish);
  bool emitState(mlir::Operation &op);
  void writeStates();
  /// Copies to tensors that hold what is copied to others of them.
  void copyAll(llvm::ArrayRef<std::pair<plan::TensorId, plan::TensorId>> pairs);

  IRProgram &program;
  PlanContext context;
  PointwiseGroups groups;
  llvm::DenseSet<mlir::Value> needed;  ///< Values that some step reads.
  std::vector<unsigned> outputNumbers; ///< Operands of the terminator.
  struct State {
    plan::TensorId tensor = 0;
    mlir::Value current; ///< What was written last; null: nothing yet.
  };
  llvm::MapVector<mlir::Value, State> states; ///< By handle.
};

} // namespace bessemer

#endif // BESSEMER_CONVERT_PLAN_PLANBUILDER_H
