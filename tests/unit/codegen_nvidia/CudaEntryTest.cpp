//===- CudaEntryTest.cpp - How arguments reach a kernel on a GPU ----------===//
#include "support/CudaEntry.h"
#include "bessemer/abi/cuda.h"

#include <gtest/gtest.h>

using namespace bessemer;

static Argument buffer(AddressSpace space, unsigned size, bool isReference) {
  Argument argument;
  argument.space = space;
  argument.elementSize = size;
  argument.isReference = isReference;
  return argument;
}

TEST(CudaEntry, Forms) {
  Argument tensor, memory;
  tensor.kind = ArgumentKind::Tensor;
  memory.kind = ArgumentKind::ThreadgroupMemory;
  KernelInfo kernel;
  kernel.arguments = {buffer(AddressSpace::Device, 4, false),
                      buffer(AddressSpace::Constant, 4, true),
                      buffer(AddressSpace::Constant, 4, false),
                      buffer(AddressSpace::Constant, 257, true),
                      buffer(AddressSpace::Device, 4, true),
                      memory,
                      tensor};
  std::vector<CudaParameter> expected{
      CudaParameter::Pointer,   CudaParameter::Value,   CudaParameter::Pointer,
      CudaParameter::Pointer,   CudaParameter::Pointer, CudaParameter::None,
      CudaParameter::Descriptor};
  EXPECT_EQ(cudaParameters(kernel), expected);
}

TEST(CudaEntry, ParametersStayWithinTheLimit) {
  KernelInfo kernel;
  for (unsigned i = 0; i < BSM_MAX_BUFFERS; ++i)
    kernel.arguments.push_back(buffer(AddressSpace::Constant, 256, true));
  size_t bytes = sizeof(bsm_cuda_launch), values = 0;
  for (CudaParameter form : cudaParameters(kernel)) {
    bytes += form == CudaParameter::Value ? 256 : 8;
    values += form == CudaParameter::Value;
  }
  EXPECT_LE(bytes, 4096u);
  EXPECT_GE(values, 13u);
}

TEST(CudaEntry, Names) {
  EXPECT_EQ(cudaEntryName("saxpy"), "bsm_saxpy");
  EXPECT_EQ(cudaEntryName("ns::kernel<float, 4>"), "bsm_ns__kernel_float__4_");
}
