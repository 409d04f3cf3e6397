//===- SimdTest.cpp - Cross-lane operations under masks -------------------===//
#include "KernelRun.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace bessemer;
using namespace bessemer::testing;

/// out[i] = function(in[i]) in the threads whose lane satisfies `condition` (on
/// %lane), -1 elsewhere.
static std::string masked(const std::string &function, const std::string &type,
                          const std::string &condition) {
  return "declare " + type + " @bsm." + function + "(" + type + ")\n" +
         "define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {\n"
         "%i = call i32 @bsm.thread_position_in_grid.x()\n"
         "%lane = call i32 @bsm.thread_index_in_simdgroup()\n"
         "%from = getelementptr i32, ptr addrspace(1) %in, i32 %i\n"
         "%to = getelementptr i32, ptr addrspace(1) %out, i32 %i\n"
         "%x = load " +
         type + ", ptr addrspace(1) %from\n%c = icmp " + condition +
         "\nbr i1 %c, label %a, label %b\na:\n%y = call " + type + " @bsm." +
         function + "(" + type + " %x)\nstore " + type +
         " %y, ptr addrspace(1) %to\nbr label %b\nb:\nret void\n}\n";
}

template <typename T>
static std::vector<T> apply(const std::string &function,
                            const std::string &type,
                            const std::string &condition, std::vector<T> in) {
  std::vector<T> out(in.size(), T(-1));
  KernelRun run(masked(function, type, condition));
  uint32_t size = in.size();
  Status status = run.buffer(in).buffer(out).run({size, 1, 1}, {size, 1, 1});
  EXPECT_TRUE(status) << (status ? "" : status.error().message);
  return out;
}

TEST(Simd, reductionsUnderMask) {
  // 40 threads: lanes 0-31 and 0-7; the active ones are those below 4.
  std::vector<int32_t> in(40);
  for (int i = 0; i < 40; ++i)
    in[i] = i + 1;
  auto sum = apply<int32_t>("simd_sum.i32", "i32", "ult i32 %lane, 4", in);
  EXPECT_EQ(sum[0], 1 + 2 + 3 + 4);
  EXPECT_EQ(sum[3], 10);
  EXPECT_EQ(sum[4], -1);
  EXPECT_EQ(sum[32], 33 + 34 + 35 + 36);
  auto product =
      apply<int32_t>("simd_product.i32", "i32", "ult i32 %lane, 4", in);
  EXPECT_EQ(product[2], 24);
  auto least = apply<int32_t>("simd_min.i32", "i32", "ugt i32 %lane, 5", in);
  EXPECT_EQ(least[31], 7);
  EXPECT_EQ(least[39], 39);
  auto both = apply<int32_t>("simd_and.u32", "i32", "ult i32 %lane, 2",
                             std::vector<int32_t>{6, 3, 0, 0});
  EXPECT_EQ(both[0], 2);
}

TEST(Simd, signednessOfExtremes) {
  std::vector<int32_t> in{-3, 2, 1, 0};
  EXPECT_EQ(apply<int32_t>("simd_max.i32", "i32", "ult i32 %lane, 9", in)[0],
            2);
  EXPECT_EQ(apply<int32_t>("simd_max.u32", "i32", "ult i32 %lane, 9", in)[0],
            -3);
}

TEST(Simd, floatExtremesDropNaN) {
  float nan = std::nanf("");
  std::vector<float> in{nan, 3, nan, -2};
  EXPECT_EQ(apply<float>("simd_min.f32", "float", "ult i32 %lane, 4", in)[0],
            -2);
  EXPECT_EQ(apply<float>("simd_max.f32", "float", "ult i32 %lane, 4", in)[2],
            3);
}

TEST(Simd, floatSumIsAXorTree) {
  // Distance 16 comes first: lanes 0 and 16 cancel before the small values
  // are added. Adding in lane order would give 0.
  std::vector<float> in(32, 0);
  in[0] = 1e8f;
  in[16] = -1e8f;
  in[1] = 1;
  EXPECT_EQ(apply<float>("simd_sum.f32", "float", "ult i32 %lane, 32", in)[5],
            1);
}

TEST(Simd, scansSkipInactiveLanes) {
  std::vector<int32_t> in{1, 2, 3, 4, 5};
  EXPECT_EQ(apply<int32_t>("simd_prefix_inclusive_sum.i32", "i32",
                           "ne i32 %lane, 2", in),
            (std::vector<int32_t>{1, 3, -1, 7, 12}));
  EXPECT_EQ(apply<int32_t>("simd_prefix_exclusive_sum.u32", "i32",
                           "ne i32 %lane, 0", in),
            (std::vector<int32_t>{-1, 0, 2, 5, 9}));
  EXPECT_EQ(apply<int32_t>("simd_prefix_exclusive_product.i32", "i32",
                           "ult i32 %lane, 9", in),
            (std::vector<int32_t>{1, 1, 2, 6, 24}));
}

TEST(Simd, shuffleReadsTheNamedLane) {
  KernelRun run(R"(
declare i32 @bsm.shuffle.b32(i32, i32)
define void @k(ptr addrspace(1) %out) {
  %i = call i32 @bsm.thread_position_in_grid.x()
  %from = xor i32 %i, 33
  %value = mul i32 %i, 10
  %y = call i32 @bsm.shuffle.b32(i32 %value, i32 %from)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %y, ptr addrspace(1) %to
  ret void
})");
  std::vector<int32_t> out(4);
  EXPECT_TRUE(run.buffer(out).run({4, 1, 1}, {4, 1, 1}));
  EXPECT_EQ(out, (std::vector<int32_t>{10, 0, 30, 20}));
}
