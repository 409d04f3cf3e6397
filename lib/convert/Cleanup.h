//===- Cleanup.h - Canonical form of programs -------------------*- C++ -*-===//
#ifndef BESSEMER_CONVERT_CLEANUP_H
#define BESSEMER_CONVERT_CLEANUP_H

#include "bessemer/result.h"

#include "mlir/IR/BuiltinOps.h"

namespace bessemer {

/// Folds, merges equal values, removes what nothing uses, and moves constants
/// to the top of their graph, where readers of a program look for them.
Status cleanUp(mlir::ModuleOp module);

} // namespace bessemer

#endif // BESSEMER_CONVERT_CLEANUP_H
