//===- LowerTorch.cpp - From exported programs to coreai ------------------===//
#include "convert/Cleanup.h"
#include "convert/Convert.h"
#include "convert/torch/TorchToCoreAI.h"
#include "ir/dialect/CoreAI.h"

#include "mlir/IR/Builders.h"

using namespace bessemer;
using namespace mlir;

/// Says that the graph has no effects but on its handles.
static constexpr StringLiteral pureAttribute = "__coreai_pure__";

Status bessemer::lowerTorch(ModuleOp module) {
  if (Status status = lowerTorchCalls(module); !status)
    return status;
  if (Status status = cleanUp(module); !status)
    return status;
  for (auto graph : module.getOps<coreai::GraphOp>())
    graph->setAttr(pureAttribute, UnitAttr::get(module.getContext()));
  return {};
}

Status bessemer::lowerTorch(IRProgram &program) {
  return lowerTorch(program.module());
}
