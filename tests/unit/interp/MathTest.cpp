//===- MathTest.cpp - bsm.* math against known values ---------------------===//
#include "KernelRun.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace bessemer::testing;

static std::vector<float> unary(const std::string &name,
                                std::vector<std::vector<float>> rows) {
  std::string symbol = "@bsm." + name + ".precise.f32";
  return evaluateRows<float, float>(
      "float", "float", "%r = call float " + symbol + "(float %a)", rows,
      "declare float " + symbol + "(float)");
}

// Decimal values from tables of 12 digits.
TEST(Math, knownValues) {
  EXPECT_EQ(unary("exp", {{1}, {0}, {-INFINITY}}),
            (std::vector<float>{2.71828182846f, 1, 0}));
  EXPECT_EQ(unary("log2", {{8}, {3}}), (std::vector<float>{3, 1.58496250072f}));
  EXPECT_EQ(unary("sin", {{1}, {100}}),
            (std::vector<float>{0.841470984808f, -0.506365641110f}));
  EXPECT_EQ(unary("tanh", {{0.5f}}), (std::vector<float>{0.462117157260f}));
  EXPECT_EQ(unary("rsqrt", {{4}, {2}}),
            (std::vector<float>{0.5f, 0.707106781187f}));
  EXPECT_EQ(unary("exp10", {{-3}, {2}}), (std::vector<float>{0.001f, 100}));
}

TEST(Math, sinPiIsExactAtQuarters) {
  EXPECT_EQ(unary("sinpi", {{0.5f}, {1}, {1.5f}, {-0.5f}, {1e9f}}),
            (std::vector<float>{1, 0, -1, -1, 0}));
  EXPECT_EQ(unary("cospi", {{0}, {0.5f}, {1}, {8388609}, {1e9f}, {3e-8f}}),
            (std::vector<float>{1, 0, -1, -1, 1, 1}));
  EXPECT_EQ(unary("tanpi", {{0.25f}}), (std::vector<float>{1}));
}
