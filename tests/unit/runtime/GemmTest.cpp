//===- GemmTest.cpp - Matrix products against double precision ------------===//
#include "runtime/gemm/Gemm.h"

#include "runtime/gemm/Convert.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace bessemer;
using namespace bessemer::runtime;

namespace {
constexpr unsigned seed = 4711;

/// A matrix in some type and layout, with its values as doubles.
struct Matrix {
  std::vector<float> values; ///< Row-major, as stored after rounding.
  std::vector<std::byte> bytes;
  GemmOperand operand;
  int64_t rows, columns;

  Matrix(int64_t rows, int64_t columns, DType type, bool columnMajor,
         int64_t gap, std::mt19937 &random)
      : rows(rows), columns(columns) {
    std::uniform_real_distribution<float> uniform(-1, 1);
    int64_t leading = (columnMajor ? rows : columns) * gap + (gap > 1 ? 3 : 0);
    int64_t count = leading * (columnMajor ? columns : rows) + 1;
    unsigned size = dtypeSize(type);
    bytes.resize(count * size);
    operand = {bytes.data(), type, columnMajor ? gap : leading,
               columnMajor ? leading : gap};
    values.resize(rows * columns);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        float value = uniform(random);
        auto *at = bytes.data() +
                   (i * operand.rowStride + j * operand.columnStride) * size;
        narrow(&value, at, type, 1);
        widen(at, type, 1, &values[i * columns + j], 1);
      }
  }
};

struct Case {
  int64_t m, n, k;
};

void check(ThreadPool &pool, Case c, DType type, bool transposeA,
           bool transposeB, int64_t gap, bool withBias) {
  SCOPED_TRACE(testing::Message()
               << c.m << "x" << c.n << "x" << c.k << " " << dtypeName(type)
               << " " << transposeA << transposeB << gap << withBias << " seed "
               << seed);
  std::mt19937 random(seed);
  Matrix a(c.m, c.k, type, transposeA, gap, random);
  Matrix b(c.k, c.n, type, transposeB, gap, random);
  Matrix bias(1, c.n, type, false, 1, random);
  std::vector<std::byte> result(c.m * c.n * dtypeSize(type) + 64,
                                std::byte(0xff));
  GemmProblem problem{c.m,       c.n,           c.k,  a.operand,
                      b.operand, result.data(), type, {}};
  if (withBias)
    problem.bias = bias.operand;
  ASSERT_TRUE(GemmProvider::ofHost().run(pool, {&problem, 1}));
  double epsilon = type == DType::F32 ? 1e-6 : type == DType::F16 ? 1e-3 : 8e-3;
  for (int64_t i = 0; i < c.m; ++i)
    for (int64_t j = 0; j < c.n; ++j) {
      double sum = withBias ? bias.values[j] : 0, magnitude = std::abs(sum);
      for (int64_t k = 0; k < c.k; ++k) {
        double term = double(a.values[i * c.k + k]) * b.values[k * c.n + j];
        sum += term;
        magnitude += std::abs(term);
      }
      float got;
      widen(result.data() + (i * c.n + j) * dtypeSize(type), type, 1, &got, 1);
      double bound = epsilon * std::abs(sum) + 1e-6 * magnitude;
      ASSERT_NEAR(got, sum, bound) << i << "," << j;
    }
  EXPECT_EQ(result.back(), std::byte(0xff));
}
} // namespace

TEST(Gemm, AgreesWithDoublePrecision) {
  ThreadPool pool(3);
  for (DType type : {DType::F32, DType::F16, DType::BF16})
    for (Case c : {Case{1, 1, 1}, Case{1, 300, 70}, Case{1, 40, 1300},
                   Case{4, 9, 515}, Case{40, 70, 1024}, Case{7, 5, 3},
                   Case{130, 257, 33}, Case{64, 1, 128}, Case{3, 4, 0},
                   Case{0, 4, 2}, Case{4, 0, 2}, Case{17, 600, 1}})
      for (int layout = 0; layout < 4; ++layout) {
        check(pool, c, type, layout & 1, layout & 2, 1, false);
        check(pool, c, type, layout & 1, layout & 2, 2, true);
      }
}

TEST(Gemm, BroadcastStrides) {
  ThreadPool pool(2);
  std::vector<float> row{1, 2, 3}, b{1, 0, 0, 1, 1, 1}, c(8);
  GemmProblem problem{4,
                      2,
                      3,
                      {row.data(), DType::F32, 0, 1},
                      {b.data(), DType::F32, 2, 1},
                      c.data(),
                      DType::F32,
                      {}};
  ASSERT_TRUE(GemmProvider::ofHost().run(pool, {&problem, 1}));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(c[2 * i], 4);
    EXPECT_EQ(c[2 * i + 1], 5);
  }
}

TEST(Gemm, ThreadsDoNotChangeTheBits) {
  std::mt19937 random(seed);
  Matrix a(200, 300, DType::F32, false, 1, random);
  Matrix b(300, 500, DType::F32, false, 1, random);
  std::vector<float> first;
  for (unsigned threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    std::vector<float> c(200 * 500);
    GemmProblem problem{200,       500,      300,        a.operand,
                        b.operand, c.data(), DType::F32, {}};
    ASSERT_TRUE(GemmProvider::ofHost().run(pool, {&problem, 1}));
    if (first.empty())
      first = c;
    EXPECT_EQ(c, first);
  }
}

TEST(Convert, HalfAgreesWithTheCompilersType) {
  std::vector<uint16_t> all(65536), back(65536);
  std::vector<float> floats(65536);
  for (unsigned i = 0; i < 65536; ++i)
    all[i] = i;
  widen(all.data(), DType::F16, 1, floats.data(), 65536);
  narrow(floats.data(), back.data(), DType::F16, 65536);
  for (unsigned i = 0; i < 65536; ++i) {
    float expected = std::bit_cast<_Float16>(uint16_t(i));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(floats[i]));
      EXPECT_GT(back[i] & 0x7fff, 0x7c00);
      continue;
    }
    ASSERT_EQ(std::bit_cast<uint32_t>(floats[i]),
              std::bit_cast<uint32_t>(expected));
    ASSERT_EQ(back[i], i);
  }
}

TEST(Convert, RoundsToNearestEven) {
  std::mt19937 random(seed);
  std::vector<float> floats;
  for (int i = 0; i < 200000; ++i) {
    float value = std::bit_cast<float>(uint32_t(random()));
    if (i % 2) // in half's range, ties included
      value = std::bit_cast<float>(
          (0x33000000u + uint32_t(random()) % 0x15000000u) & ~0xfffu);
    if (!std::isnan(value))
      floats.push_back(value);
  }
  std::vector<uint16_t> half(floats.size()), bfloat(floats.size());
  narrow(floats.data(), half.data(), DType::F16, floats.size());
  narrow(floats.data(), bfloat.data(), DType::BF16, floats.size());
  for (size_t i = 0; i < floats.size(); ++i) {
    auto expected = std::bit_cast<uint16_t>(_Float16(floats[i]));
    ASSERT_EQ(half[i], expected) << floats[i];
    // The nearest of the two neighbours, the even one of two as near.
    uint32_t bits = std::bit_cast<uint32_t>(floats[i]), low = bits & 0xffffu;
    bool up = low > 0x8000u || (low == 0x8000u && (bits >> 16 & 1));
    ASSERT_EQ(bfloat[i], uint16_t((bits >> 16) + up)) << floats[i];
  }
}
