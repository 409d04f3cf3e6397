//===- TestPrograms.h - Programs that the tests share -----------*- C++ -*-===//
#ifndef BESSEMER_TESTS_UNIT_IR_TESTPROGRAMS_H
#define BESSEMER_TESTS_UNIT_IR_TESTPROGRAMS_H

#include "ir/Program.h"
#include "ir/dialect/CoreAI.h"

#include <gtest/gtest.h>

namespace bessemer::test {

/// One custom kernel, a weight that is a resource, shape arithmetic.
inline constexpr std::string_view kernelProgram = R"(module {
  coreai.graph @main(%arg0: tensor<?x4xf32> {coreai.name = "x"}) -> (tensor<?x4xf32> {coreai.name = "y"}) {
    %0 = coreai.constant dense<[64, 1, 1]> : tensor<3xui32>
    %1 = coreai.constant dense<1> : tensor<3xui32>
    %2 = coreai.get_shape %arg0 : tensor<?x4xf32> -> tensor<2xui32>
    %3 = coreai.constant dense_resource<weights> : tensor<4xf32>
    %4 = coreai.decomposable.broadcasting_add %arg0, %3 : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
    %5 = coreaix.copy_with_constraints(%4) : (tensor<?x4xf32>) -> tensor<?x4xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1], interleave: [1x1]>>
    %6 = coreai.metal4_kernel kernel_args(%5), threads_per_grid %0, threads_per_thread_group %1, result_shapes(%2) {kernel_name = "k_abcdefgh", kernel_source = "\0Akernel void k_abcdefgh() {}"} : (tensor<?x4xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1], interleave: [1x1]>>, tensor<3xui32>, tensor<3xui32>, tensor<2xui32>) -> tensor<?x4xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1], interleave: [1x1]>>
    %7 = coreaix.copy_discarding_constraints(%6) : (tensor<?x4xf32, #coreaix.hw_constraints<MTLBuffer, alignments: [1x1x1], interleave: [1x1]>>) -> tensor<?x4xf32>
    coreai.output %7 : tensor<?x4xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F000000400000404000008040"
    }
  }
#-}
)";

inline std::unique_ptr<IRProgram> parsed(std::string_view text) {
  auto program = IRProgram::parse(text);
  if (!program) {
    ADD_FAILURE() << program.error().message;
    return nullptr;
  }
  return std::move(*program);
}

} // namespace bessemer::test

#endif // BESSEMER_TESTS_UNIT_IR_TESTPROGRAMS_H
