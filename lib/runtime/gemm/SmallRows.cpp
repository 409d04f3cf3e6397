//===- SmallRows.cpp - Products with a few rows ---------------------------===//
#include "runtime/gemm/SmallRows.h"

#include "runtime/gemm/Convert.h"
#include "runtime/gemm/EachCpu.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace bessemer;
using namespace bessemer::runtime;

static constexpr int64_t maxRows = 4;
/// Elements of a column of B that are widened at a time: they stay in the
/// first-level cache for all rows.
static constexpr int64_t run = 512;

bool runtime::hasSmallRows(const GemmProblem &problem) {
  return problem.m <= maxRows && problem.k > 0 && problem.b.rowStride == 1 &&
         problem.b.dtype != DType::F32;
}

/// Wider than any machine's vector: every CPU cuts it into its own.
using Lanes = float __attribute__((ext_vector_type(16)));

static inline Lanes load(const float *from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

/// Partial sums in a fixed number of lanes, enough to hide the latency of an
/// addition.
BSM_EACH_CPU static float dot(const float *a, const float *b, int64_t count) {
  Lanes even = 0, odd = 0;
  int64_t i = 0;
  for (; i + 32 <= count; i += 32) {
    even = load(a + i) * load(b + i) + even;
    odd = load(a + i + 16) * load(b + i + 16) + odd;
  }
  float tail = 0;
  for (; i < count; ++i)
    tail = a[i] * b[i] + tail;
  Lanes sum = even + odd;
  auto eight = sum.lo + sum.hi;
  auto four = eight.lo + eight.hi;
  auto two = four.lo + four.hi;
  return two.x + two.y + tail;
}

void runtime::multiplySmallRows(const GemmProblem &p, int64_t column,
                                int64_t columns, float *c, int64_t leading) {
  static thread_local std::vector<float> a;
  a.resize(p.m * p.k);
  unsigned sizeA = dtypeSize(p.a.dtype), sizeB = dtypeSize(p.b.dtype);
  for (int64_t i = 0; i < p.m; ++i)
    widen(static_cast<const std::byte *>(p.a.data) + i * p.a.rowStride * sizeA,
          p.a.dtype, p.a.columnStride, a.data() + i * p.k, p.k);
  float widened[run];
  for (int64_t j = 0; j < columns; ++j) {
    auto *b = static_cast<const std::byte *>(p.b.data) +
              (column + j) * p.b.columnStride * sizeB;
    float sums[maxRows] = {};
    for (int64_t k = 0; k < p.k; k += run) {
      int64_t count = std::min(run, p.k - k);
      widen(b + k * sizeB, p.b.dtype, 1, widened, count);
      for (int64_t i = 0; i < p.m; ++i)
        sums[i] += dot(a.data() + i * p.k + k, widened, count);
    }
    for (int64_t i = 0; i < p.m; ++i)
      c[i * leading + j] = sums[i];
  }
}
