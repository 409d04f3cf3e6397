//===- Inline.h - Graphs without calls --------------------------*- C++ -*-===//
#ifndef BESSEMER_CONVERT_INLINE_H
#define BESSEMER_CONVERT_INLINE_H

#include "bessemer/result.h"
#include "ir/dialect/CoreAI.h"

#include "mlir/IR/BuiltinOps.h"

namespace bessemer {

/// Replaces the calls in graph `name`, at every depth, by the graphs they call.
/// Recursion is an Error.
Result<coreai::GraphOp> inlineGraph(mlir::ModuleOp module,
                                    llvm::StringRef name);

} // namespace bessemer

#endif // BESSEMER_CONVERT_INLINE_H
