//===- Rows.h - A tensor seen as [outer, extent, inner] ---------*- C++ -*-===//
#ifndef BESSEMER_CONVERT_PLAN_ROWS_H
#define BESSEMER_CONVERT_PLAN_ROWS_H

#include "convert/plan/Context.h"

namespace bessemer {

struct Rows {
  plan::TensorId tensor; ///< Dense.
  plan::Reg outer, extent, inner;
};

/// Operand 0 with these axes in the middle; brought together by a copy if they
/// are not neighbours.
Rows rowsOf(PlanContext &context, mlir::Operation *op,
            std::vector<int64_t> axes);

/// sort and argsort; false if the op is neither.
bool emitSort(PlanContext &context, mlir::Operation *op);

} // namespace bessemer

#endif // BESSEMER_CONVERT_PLAN_ROWS_H
