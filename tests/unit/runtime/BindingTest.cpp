//===- BindingTest.cpp - Argument checks ----------------------------------===//
#include "runtime/Binding.h"

#include "FakeCode.h"

#include <gtest/gtest.h>

using namespace bessemer;
using namespace bessemer::runtime;
using namespace bessemer::test;

namespace {
struct Binding : testing::Test {
  std::vector<float> x = std::vector<float>(8), y = x;
  KernelInfo info = saxpyInfo();
  Dispatch dispatch;
  void SetUp() override {
    dispatch.threads = Dim3{8, 1, 1};
    dispatch.arguments = {tensorOf(x), tensorOf(y), bytesOf(1.0f)};
  }
  std::string error() {
    Result<BoundDispatch> bound = bind(info, dispatch);
    EXPECT_FALSE(bound);
    if (bound)
      return {};
    EXPECT_EQ(bound.error().kind, ErrorKind::InvalidArgument);
    EXPECT_TRUE(bound.error().message.starts_with("kernel 'saxpy'"));
    return bound.error().message;
  }
  void expectError(std::string_view part) {
    std::string message = error();
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  Tensor &tensorAt(size_t i) { return std::get<Tensor>(dispatch.arguments[i]); }
};
} // namespace

TEST_F(Binding, LaysOutTheLaunch) {
  dispatch.groupSize = {3, 1, 1};
  Result<BoundDispatch> bound = bind(info, dispatch);
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_EQ(bound->launch.buffers[0].address, x.data());
  EXPECT_EQ(bound->launch.buffers[0].bytes, 32u);
  EXPECT_EQ(*static_cast<float *>(bound->launch.buffers[2].address), 1.0f);
  EXPECT_EQ(bound->launch.threadgroups_per_grid[0], 3u);
  EXPECT_EQ(bound->groupCount, 3u);
}

TEST_F(Binding, CountsArguments) {
  dispatch.arguments.pop_back();
  expectError("takes 3 arguments (x, y, a), got 2; 'a' is missing");
  dispatch.arguments.resize(4);
  expectError("takes 3 arguments (x, y, a), got 4");
  dispatch.arguments.resize(3);
  dispatch.arguments[1] = std::monostate();
  expectError("argument 'y' ('float', buffer 1) is not bound");
}

TEST_F(Binding, ComparesTypes) {
  std::vector<double> doubles(8);
  dispatch.arguments[0] = tensorOf(doubles, DType::F64);
  expectError("argument 'x' is declared 'float' (float32 elements), got "
              "float64[8]");
}

TEST_F(Binding, RefusesReadOnlyResultsAndNull) {
  tensorAt(1).readOnly = true;
  expectError("'y' is written by the kernel");
  tensorAt(1).readOnly = false;
  tensorAt(0).readOnly = true; // only read: fine
  EXPECT_TRUE(bind(info, dispatch));
  tensorAt(0).data = nullptr;
  expectError("'x' has 32 bytes at a null pointer");
}

TEST_F(Binding, ChecksLayoutAndAlignment) {
  tensorAt(0).shape = {2, 2};
  tensorAt(0).strides = {4, 2};
  expectError("'x' is a pointer in the kernel, but the array given is not "
              "contiguous");
  EXPECT_TRUE(bind(info, dispatch, {.stridedBuffers = true}));
  tensorAt(0).strides = {-2, 1};
  expectError("negative stride");
  tensorAt(0) = tensorOf(x);
  info.arguments[0].alignment = 64;
  tensorAt(0).data = reinterpret_cast<char *>(
      (reinterpret_cast<uintptr_t>(x.data()) & ~uintptr_t(63)) + 4);
  expectError("multiple of 64 bytes");
}

TEST_F(Binding, ChecksValues) {
  dispatch.arguments[2] = bytesOf(uint16_t(1));
  expectError("'a' holds 'float' of 4 bytes, got 2 bytes");
  dispatch.arguments[2] = bytesOf(1.0f);
  dispatch.arguments[1] = bytesOf(1.0f);
  expectError("'y' is written by the kernel; pass an array");
}

TEST_F(Binding, ChecksTheGrid) {
  dispatch.groups = Dim3{1, 1, 1};
  expectError("both threads and groups");
  dispatch.threads.reset();
  dispatch.groups.reset();
  expectError("neither threads nor groups");
  dispatch.threads = Dim3{8, 1, 1};
  dispatch.groupSize = {0, 1, 1};
  expectError("group size (0, 1, 1) has a zero");
  dispatch.groupSize = {32, 33, 1};
  expectError("group size (32, 33, 1) exceeds 1024");
  dispatch.groupSize = {UINT32_MAX, UINT32_MAX, 2};
  expectError("exceeds 1024");
  dispatch.threads.reset();
  dispatch.groups = Dim3{UINT32_MAX, 1, 1};
  dispatch.groupSize = {2, 1, 1};
  expectError("more than 4294967295 threads in dimension 0");
  dispatch.groups = Dim3{UINT32_MAX, UINT32_MAX, UINT32_MAX};
  dispatch.groupSize = {1, 1, 1};
  expectError("more than 2^64 threadgroups");
}

TEST_F(Binding, DescribesTensors) {
  info.arguments[0].kind = ArgumentKind::Tensor;
  info.arguments[0].rank = 2;
  expectError("'x' is a tensor of rank 2, got float32[8]");
  tensorAt(0).shape = {2, 3};
  tensorAt(0).strides = {4, 1};
  Result<BoundDispatch> bound = bind(info, dispatch);
  ASSERT_TRUE(bound) << bound.error().message;
  auto *tensor = static_cast<bsm_tensor *>(bound->launch.buffers[0].address);
  EXPECT_EQ(tensor->rank, 2u);
  EXPECT_EQ(tensor->extents[0], 3);
  EXPECT_EQ(tensor->extents[1], 2);
  EXPECT_EQ(tensor->strides[1], 4);
  EXPECT_EQ(tensor->bytes, 28u);
  tensorAt(0).strides = {1, 2};
  expectError("innermost dimension must be dense, got one with stride 2");
  tensorAt(0).shape = {1, int64_t(1) << 33};
  tensorAt(0).strides.clear();
  expectError("tensor extents are 32 bits");
}

TEST_F(Binding, ChecksThreadgroupMemory) {
  Argument scratch = bufferArgument("scratch", 2);
  scratch.kind = ArgumentKind::ThreadgroupMemory;
  info.arguments.push_back(scratch);
  expectError("'scratch' is threadgroup memory 2: give its size");
  dispatch.threadgroupMemory[2] = 40000;
  expectError("the limit is 32768");
  dispatch.threadgroupMemory[2] = 100;
  EXPECT_TRUE(bind(info, dispatch));
  dispatch.threadgroupMemory[1] = 4;
  expectError("no argument [[threadgroup(1)]]");
}

TEST_F(Binding, HugeShapesAreErrors) {
  tensorAt(0).shape = {INT64_MAX, INT64_MAX};
  expectError("larger than the address space");
  tensorAt(0).shape = {-1};
  expectError("negative extent");
}
