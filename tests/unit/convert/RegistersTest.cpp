//===- RegistersTest.cpp - Shape arithmetic of plans ----------------------===//
#include "convert/plan/Registers.h"

#include <gtest/gtest.h>

using namespace bessemer;
using namespace bessemer::plan;

namespace {
struct RegistersTest : testing::Test {
  Plan plan;
  Registers regs{plan};
  std::optional<int64_t> known(ScalarOp op, int64_t a, int64_t b) {
    return regs.known(regs.op(op, regs.constant(a), regs.constant(b)));
  }
};
} // namespace

TEST_F(RegistersTest, constantsFold) {
  EXPECT_EQ(known(ScalarOp::Add, 2, 3), 5);
  EXPECT_EQ(known(ScalarOp::FloorDiv, -7, 2), -4);
  EXPECT_EQ(known(ScalarOp::CeilDiv, 7, 2), 4);
  EXPECT_EQ(known(ScalarOp::CeilDiv, -7, 2), -3);
  EXPECT_EQ(known(ScalarOp::Mod, -7, 4), 1);
  EXPECT_EQ(known(ScalarOp::Min, 2, 3), 2);
}

TEST_F(RegistersTest, whatMayFailIsLeftToTheRun) {
  EXPECT_EQ(known(ScalarOp::FloorDiv, 1, 0), std::nullopt);
  EXPECT_EQ(known(ScalarOp::Mul, INT64_MAX, 2), std::nullopt);
}

TEST_F(RegistersTest, equalExpressionsShareARegister) {
  Reg n = regs.dim(0, 0), two = regs.constant(2);
  EXPECT_EQ(regs.mul(n, two), regs.mul(two, n));
  EXPECT_EQ(regs.dim(0, 0), n);
  EXPECT_NE(regs.dim(1, 0), n);
  EXPECT_EQ(regs.mul(n, regs.constant(1)), n);
  EXPECT_EQ(regs.known(regs.sub(n, n)), 0);
}

TEST_F(RegistersTest, denseStrides) {
  Reg n = regs.dim(0, 0);
  RegList strides = regs.denseStrides({n, regs.constant(3), regs.constant(4)});
  EXPECT_EQ(regs.known(strides[0]), 12);
  EXPECT_EQ(regs.known(strides[1]), 4);
  EXPECT_EQ(regs.known(strides[2]), 1);
}

TEST_F(RegistersTest, checksThatHoldNeedNoStep) {
  Reg n = regs.dim(0, 0), m = regs.dim(1, 0);
  size_t before = plan.steps.size();
  EXPECT_TRUE(regs.requireEqual(n, n, "same"));
  EXPECT_EQ(plan.steps.size(), before);
  EXPECT_TRUE(regs.requireEqual(n, m, "unknown"));
  EXPECT_TRUE(regs.requireEqual(n, m, "unknown"));
  EXPECT_EQ(plan.steps.size(), before + 1);
  EXPECT_FALSE(regs.requireEqual(regs.constant(1), regs.constant(2), "never"));
}
