//===- CheckKernelsTest.cpp - Kernels of programs against their operands --===//
#include "convert/Convert.h"

#include <gtest/gtest.h>

using namespace bessemer;

/// A program with one kernel `k` from tensor<4xf32> to tensor<4xf32>.
static std::string programWith(const std::string &parameters,
                               const std::string &body) {
  return R"(
!placed = tensor<4xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1], interleave: [1]>>
coreai.graph @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %size = coreai.constant dense<[4, 1, 1]> : tensor<3xui32>
  %shape = coreai.constant dense<4> : tensor<1xui32>
  %a = coreaix.copy_with_constraints(%x) : (tensor<4xf32>) -> !placed
  %k = coreai.metal4_kernel kernel_args(%a), threads_per_grid %size, threads_per_thread_group %size, result_shapes(%shape) {kernel_name = "k", kernel_source = "#include <metal_stdlib>\0Ausing namespace metal;\0A[[kernel]] void k()" +
         parameters + ") { " + body +
         R"( }"} : (!placed, tensor<3xui32>, tensor<3xui32>, tensor<1xui32>) -> !placed
  %y = coreaix.copy_discarding_constraints(%k) : (!placed) -> tensor<4xf32>
  coreai.output %y : tensor<4xf32>
})";
}

static std::string tensorParameter(const std::string &type, int rank,
                                   const std::string &name, int index) {
  return "tensor<device " + type + ", dextents<int, " + std::to_string(rank) +
         ">, tensor_handle> " + name + " [[buffer(" + std::to_string(index) +
         ")]]";
}

static const std::string id = ", uint id [[thread_position_in_grid]]";

static std::vector<CompileFailure> check(const std::string &text) {
  auto program = IRProgram::parse(text);
  EXPECT_TRUE(program) << (program ? "" : program.error().message);
  return program ? checkKernels(**program) : std::vector<CompileFailure>();
}

TEST(CheckKernels, aGoodKernelPasses) {
  auto failures =
      check(programWith(tensorParameter("float", 1, "x", 0) + ", " +
                            tensorParameter("float", 1, "y", 1) + id,
                        "y[id] = x[id] + 1;"));
  EXPECT_TRUE(failures.empty()) << failures[0].error.message;
}

TEST(CheckKernels, diagnosticsAreKept) {
  auto failures =
      check(programWith(tensorParameter("float", 1, "x", 0) + ", " +
                            tensorParameter("float", 1, "y", 1) + id,
                        "y[id] = z[id];"));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].error.kind, ErrorKind::Compile);
  EXPECT_NE(failures[0].error.message.find("kernel 'k'"), std::string::npos);
  ASSERT_FALSE(failures[0].diagnostics.empty());
  EXPECT_EQ(failures[0].diagnostics[0].location.line, 3u);
}

TEST(CheckKernels, typesAndRanksMustFit) {
  auto half = check(programWith(tensorParameter("half", 1, "x", 0) + ", " +
                                    tensorParameter("float", 1, "y", 1) + id,
                                "y[id] = x[id];"));
  ASSERT_EQ(half.size(), 1u);
  EXPECT_NE(half[0].error.message.find("argument 'x': the program passes "
                                       "float32 of rank 1, but the kernel "
                                       "takes float16 of rank 1"),
            std::string::npos)
      << half[0].error.message;
  auto rank = check(programWith(tensorParameter("float", 1, "x", 0) + ", " +
                                    tensorParameter("float", 2, "y", 1) + id,
                                "y[id, 0] = x[id];"));
  ASSERT_EQ(rank.size(), 1u);
  EXPECT_NE(rank[0].error.message.find("result 'y'"), std::string::npos);
}

TEST(CheckKernels, theNumberOfParametersMustFit) {
  auto failures = check(
      programWith(tensorParameter("float", 1, "x", 0) + id, "x[id] = 1;"));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_NE(failures[0].error.message.find("passes 2"), std::string::npos);
}
