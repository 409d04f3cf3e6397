//===- Cleanup.cpp - Canonical form of programs ---------------------------===//
#include "convert/Cleanup.h"

#include "ir/DiagnosticCapture.h"
#include "ir/dialect/CoreAI.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace bessemer;
using namespace mlir;

static void hoistConstants(coreai::GraphOp graph) {
  if (graph.isExternal())
    return;
  Block &body = graph.getBody().front();
  Operation *last = nullptr;
  for (auto constant :
       llvm::make_early_inc_range(body.getOps<coreai::ConstantOp>())) {
    if (last)
      constant->moveAfter(last);
    else
      constant->moveBefore(&body, body.begin());
    last = constant;
  }
}

Status bessemer::cleanUp(ModuleOp module) {
  DiagnosticCapture capture(module.getContext());
  PassManager manager(module.getContext());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  if (failed(manager.run(module)))
    return capture.error(ErrorKind::InvalidArgument,
                         "the program is not valid after simplification");
  for (auto graph : module.getOps<coreai::GraphOp>())
    hoistConstants(graph);
  return {};
}
