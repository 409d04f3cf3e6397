//===- Inline.cpp - Graphs without calls ----------------------------------===//
#include "convert/Inline.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

/// Deeper than any program's modules: a graph that calls itself.
static constexpr unsigned largestDepth = 64;

static void inlineCall(InvokeOp call, GraphOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  Block &body = callee.getBody().front();
  mapping.map(body.getArguments(), call.getInputs());
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, value] :
       llvm::zip_equal(call.getOuts(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

Result<GraphOp> bessemer::inlineGraph(ModuleOp module, StringRef name) {
  SymbolTable symbols(module);
  auto graph = symbols.lookup<GraphOp>(name);
  if (!graph || graph.isExternal())
    return makeError(ErrorKind::NotFound,
                     "no function named '" + name.str() + "'");
  for (unsigned depth = 0; depth < largestDepth; ++depth) {
    SmallVector<InvokeOp> calls;
    graph.walk([&](InvokeOp call) { calls.push_back(call); });
    if (calls.empty())
      return graph;
    for (InvokeOp call : calls) {
      auto callee = symbols.lookup<GraphOp>(call.getCallee());
      if (!callee || callee.isExternal() || callee == graph)
        return makeError(ErrorKind::InvalidArgument,
                         "function '" + name.str() + "' calls '" +
                             call.getCallee().str() +
                             "', which cannot be inlined");
      inlineCall(call, callee);
    }
  }
  return makeError(ErrorKind::InvalidArgument,
                   "function '" + name.str() + "' calls itself");
}
