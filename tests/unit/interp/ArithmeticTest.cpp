//===- ArithmeticTest.cpp - Defined results of integer and float maths ----===//
#include "KernelRun.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

using namespace bessemer::testing;

static constexpr int32_t minimum = std::numeric_limits<int32_t>::min();
static constexpr int32_t maximum = std::numeric_limits<int32_t>::max();

static std::vector<int32_t> integers(const std::string &operation,
                                     std::vector<std::vector<int32_t>> rows) {
  return evaluateRows<int32_t, int32_t>(
      "i32", "i32", "%r = " + operation + " i32 %a, %b", rows);
}

TEST(Arithmetic, divisionNeverTraps) {
  EXPECT_EQ(integers("sdiv", {{7, -2}, {7, 0}, {minimum, -1}, {-7, 2}}),
            (std::vector<int32_t>{-3, 0, minimum, -3}));
  EXPECT_EQ(integers("srem", {{7, -2}, {7, 0}, {minimum, -1}, {-7, 2}}),
            (std::vector<int32_t>{1, 0, 0, -1}));
  EXPECT_EQ(integers("udiv", {{-1, 2}, {5, 0}}),
            (std::vector<int32_t>{maximum, 0}));
  EXPECT_EQ(integers("urem", {{-1, 16}, {5, 0}}),
            (std::vector<int32_t>{15, 0}));
}

TEST(Arithmetic, shiftCountsAreMasked) {
  EXPECT_EQ(integers("shl", {{1, 4}, {1, 32}, {1, 33}, {1, -1}}),
            (std::vector<int32_t>{16, 1, 2, minimum}));
  EXPECT_EQ(integers("lshr", {{-1, 28}, {-1, 32}}),
            (std::vector<int32_t>{15, -1}));
  EXPECT_EQ(integers("ashr", {{-16, 2}, {-16, 34}}),
            (std::vector<int32_t>{-4, -4}));
}

TEST(Arithmetic, overflowWrapsDespiteFlags) {
  EXPECT_EQ(integers("add nsw", {{maximum, 1}}),
            (std::vector<int32_t>{minimum}));
  EXPECT_EQ(integers("mul nuw nsw", {{65536, 65537}}),
            (std::vector<int32_t>{65536}));
}

TEST(Arithmetic, floatToIntegerSaturates) {
  float nan = std::nanf(""), inf = INFINITY;
  std::vector<std::vector<float>> rows{{nan}, {inf}, {-inf}, {-1.9f}, {3e9f}};
  EXPECT_EQ((evaluateRows<float, int32_t>("float", "i32",
                                          "%r = fptosi float %a to i32", rows)),
            (std::vector<int32_t>{0, maximum, minimum, -1, maximum}));
  EXPECT_EQ((evaluateRows<float, uint32_t>(
                "float", "i32", "%r = fptoui float %a to i32", rows)),
            (std::vector<uint32_t>{0, 0xffffffff, 0, 0, 3000000000u}));
  EXPECT_EQ((evaluateRows<float, uint8_t>(
                "float", "i8", "%r = call i8 @llvm.fptosi.sat.i8.f32(float %a)",
                rows)),
            (std::vector<uint8_t>{0, 127, 128, 255, 127}));
}

TEST(Arithmetic, halfRoundsAfterEveryOperation) {
  // 2049 = 2^11 + 1 is no half: 2048 + 1 rounds to even 2048, so adding 1
  // twice stays there; 0x6800 is 2048, 0x3c00 is 1, 0x4000 is 2, 0x6801 2050.
  std::string twice = "%s = fadd half %a, %b\n%r = fadd half %s, %b";
  EXPECT_EQ((evaluateRows<uint16_t, uint16_t>(
                "half", "half", twice, {{0x6800, 0x3c00}, {0x6800, 0x4000}})),
            (std::vector<uint16_t>{0x6800, 0x6802}));
  // 65504 + 16 is halfway to 65536 and rounds to infinity.
  EXPECT_EQ((evaluateRows<uint16_t, uint16_t>(
                "half", "half", "%r = fadd half %a, %b", {{0x7bff, 0x4c00}})),
            (std::vector<uint16_t>{0x7c00}));
}

TEST(Arithmetic, bfloatRoundsToNearestEven) {
  auto bits = [](float value) { return std::bit_cast<uint32_t>(value); };
  // 1 + 2^-8 is halfway between 1 and 1 + 2^-7: even is 1. 1 + 3 * 2^-8 rounds
  // up to 1 + 2^-6.
  EXPECT_EQ((evaluateRows<uint32_t, uint16_t>(
                "float", "bfloat", "%r = fptrunc float %a to bfloat",
                {{bits(1.00390625f)}, {bits(1.01171875f)}, {bits(-0.0f)}})),
            (std::vector<uint16_t>{0x3f80, 0x3f82, 0x8000}));
  EXPECT_EQ((evaluateRows<uint16_t, uint16_t>("bfloat", "bfloat",
                                              "%r = fmul bfloat %a, %b",
                                              {{0x4049, 0x4000}})),
            (std::vector<uint16_t>{0x40c9})); // 3.140625 * 2 is exact.
}

TEST(Arithmetic, fusedMultiplyAddRoundsOnce) {
  // (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24, lost if the product is rounded.
  float x = 1.0f + 0x1p-12f, y = -(1.0f + 0x1p-11f);
  for (const char *name : {"fma", "fmuladd"})
    EXPECT_EQ((evaluateRows<float, float>(
                  "float", "float",
                  std::string("%r = call float @llvm.") + name +
                      ".f32(float %a, float %a, float %b)",
                  {{x, y}})),
              (std::vector<float>{0x1p-24f}));
}

static std::vector<float> floats(const std::string &function,
                                 std::vector<std::vector<float>> rows,
                                 bool isBinary = false) {
  return evaluateRows<float, float>("float", "float",
                                    "%r = call float @llvm." + function +
                                        ".f32(float %a" +
                                        (isBinary ? ", float %b)" : ")"),
                                    rows);
}

TEST(Arithmetic, roundingFunctions) {
  std::vector<std::vector<float>> rows{{2.5f}, {-2.5f}, {0.4f}, {-0.5f}};
  EXPECT_EQ(floats("floor", rows), (std::vector<float>{2, -3, 0, -1}));
  EXPECT_EQ(floats("ceil", rows), (std::vector<float>{3, -2, 1, -0.0f}));
  EXPECT_EQ(floats("trunc", rows), (std::vector<float>{2, -2, 0, -0.0f}));
  EXPECT_EQ(floats("round", rows), (std::vector<float>{3, -3, 0, -1}));
  EXPECT_EQ(floats("rint", rows), (std::vector<float>{2, -2, 0, -0.0f}));
  EXPECT_EQ(floats("sqrt", {{2.0f}, {16.0f}}),
            (std::vector<float>{1.41421356237f, 4}));
}

TEST(Arithmetic, minimumDropsNaN) {
  float nan = std::nanf("");
  EXPECT_EQ(floats("minnum", {{nan, 2}, {3, nan}, {-1, 1}}, true),
            (std::vector<float>{2, 3, -1}));
  EXPECT_TRUE(std::isnan(floats("maximum", {{nan, 2}}, true).at(0)));
}

static std::vector<int32_t>
bitFunction(const std::string &call, std::vector<std::vector<int32_t>> rows) {
  return evaluateRows<int32_t, int32_t>("i32", "i32", "%r = call i32 " + call,
                                        rows);
}

TEST(Arithmetic, bitFunctions) {
  EXPECT_EQ(bitFunction("@llvm.ctpop.i32(i32 %a)", {{0xff}, {-1}}),
            (std::vector<int32_t>{8, 32}));
  EXPECT_EQ(bitFunction("@llvm.ctlz.i32(i32 %a, i1 false)", {{1}, {0}}),
            (std::vector<int32_t>{31, 32}));
  EXPECT_EQ(bitFunction("@llvm.cttz.i32(i32 %a, i1 false)", {{8}, {0}}),
            (std::vector<int32_t>{3, 32}));
  EXPECT_EQ(bitFunction("@llvm.bitreverse.i32(i32 %a)", {{1}, {6}}),
            (std::vector<int32_t>{minimum, 0x60000000}));
  EXPECT_EQ(bitFunction("@llvm.fshl.i32(i32 %a, i32 %a, i32 %b)",
                        {{int32_t(0x80000001), 1}, {0x12345678, 32}}),
            (std::vector<int32_t>{3, 0x12345678}));
  EXPECT_EQ(bitFunction("@llvm.sadd.sat.i32(i32 %a, i32 %b)",
                        {{maximum, 1}, {minimum, -1}, {2, 3}}),
            (std::vector<int32_t>{maximum, minimum, 5}));
  EXPECT_EQ(bitFunction("@llvm.abs.i32(i32 %a, i1 false)", {{-5}, {minimum}}),
            (std::vector<int32_t>{5, minimum}));
}

TEST(Arithmetic, overflowFlags) {
  EXPECT_EQ((evaluateRows<int32_t, int32_t>(
                "i32", "i32",
                "%p = call {i32, i1} @llvm.smul.with.overflow.i32(i32 %a, i32 "
                "%b)\n%o = extractvalue {i32, i1} %p, 1\n%r = zext i1 %o to "
                "i32",
                {{65536, 65536}, {3, 4}})),
            (std::vector<int32_t>{1, 0}));
}

TEST(Arithmetic, wideProducts) {
  // The high half of 2^63 * 6 as a 128-bit product is 3.
  EXPECT_EQ((evaluateRows<uint64_t, uint64_t>(
                "i64", "i64",
                "%x = zext i64 %a to i128\n%y = zext i64 %b to i128\n"
                "%p = mul i128 %x, %y\n%h = lshr i128 %p, 64\n"
                "%r = trunc i128 %h to i64",
                {{uint64_t(1) << 63, 6}})),
            (std::vector<uint64_t>{3}));
}
