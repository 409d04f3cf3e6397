//===- SmallRows.h - Products with a few rows -------------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_GEMM_SMALLROWS_H
#define BESSEMER_RUNTIME_GEMM_SMALLROWS_H

#include "runtime/gemm/Gemm.h"

namespace bessemer::runtime {

/// Is this a product whose time goes into reading a 16-bit B once (a language
/// model's decoding step)? Then widening all of B first, for a library, costs
/// more than the product.
bool hasSmallRows(const GemmProblem &problem);

/// All rows of columns [column, column + columns) of such a product, in
/// floats, `leading` apart.
void multiplySmallRows(const GemmProblem &problem, int64_t column,
                       int64_t columns, float *c, int64_t leading);

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_GEMM_SMALLROWS_H
