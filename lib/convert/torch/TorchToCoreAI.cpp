//===- TorchToCoreAI.cpp - From torch.call to coreai ops ------------------===//
#include "convert/torch/TorchToCoreAI.h"

#include "convert/torch/Composite.h"
#include "convert/torch/Lowerings.h"
#include "ir/DiagnosticCapture.h"
#include "ir/dialect/CoreAI.h"

using namespace bessemer;
using namespace mlir;

static LoweringTable makeTable() {
  LoweringTable table;
  addUnaryLowerings(table);
  addBinaryLowerings(table);
  addActivationLowerings(table);
  addMatmulLowerings(table);
  addViewLowerings(table);
  addSliceLowerings(table);
  addReductionLowerings(table);
  addNormalisationLowerings(table);
  addWindowLowerings(table);
  addIndexLowerings(table);
  addScatterLowerings(table);
  addSortLowerings(table);
  addCreationLowerings(table);
  addSymbolicLowerings(table);
  return table;
}

const LoweringTable &bessemer::loweringTable() {
  static const LoweringTable table = makeTable();
  return table;
}

bool bessemer::hasTorchLowering(std::string_view target) {
  return loweringTable().contains(StringRef(target.data(), target.size()));
}

static Error callError(torch::CallOp call, ErrorKind kind,
                       const std::string &problem) {
  std::string place = locationText(call.getLoc());
  return makeError(kind, (place.empty() ? "" : place + ": ") +
                             "cannot convert " + call.getTarget().str() + ": " +
                             problem);
}

static Status lowerCall(torch::CallOp call) {
  auto lowering = loweringTable().find(call.getTarget());
  if (lowering == loweringTable().end())
    return callError(call, ErrorKind::Unsupported,
                     "there is no lowering for this operator; express it with "
                     "others, decompose it, or write it as a Metal kernel");
  OpBuilder builder(call);
  // Operators keep their ATen name, for messages of a run.
  call->setLoc(
      FusedLoc::get(call.getContext(), {call.getLoc()}, call.getTargetAttr()));
  Call view(call, builder);
  // The call may be gone afterwards.
  Error unknown = callError(call, ErrorKind::InvalidArgument, "");
  lowering->second(view);
  if (!view.hasFailed())
    return {};
  return makeError(unknown.kind, unknown.message + view.error());
}

/// Lowering may know more extents than the walker declared.
static void refineResultTypes(coreai::GraphOp graph) {
  auto output =
      dyn_cast<coreai::OutputOp>(graph.getBody().front().getTerminator());
  if (output)
    graph.setFunctionType(
        FunctionType::get(graph.getContext(), graph.getArgumentTypes(),
                          SmallVector<Type>(output.getOperandTypes())));
}

Status bessemer::lowerTorchCalls(ModuleOp module) {
  for (auto graph : module.getOps<coreai::GraphOp>()) {
    SmallVector<torch::CallOp> calls;
    graph.walk([&](torch::CallOp call) { calls.push_back(call); });
    for (torch::CallOp call : calls)
      if (Status status = lowerCall(call); !status)
        return status;
    if (!calls.empty() && !graph.isExternal())
      refineResultTypes(graph);
  }
  return {};
}
