//===- LaunchTest.cpp - Dispatches, faults, interruption ------------------===//
#include "runtime/Launch.h"

#include "../ThreadSanitizer.h"
#include "FakeCode.h"
#include "bessemer/process.h"

#include <csetjmp>
#include <csignal>
#include <gtest/gtest.h>

using namespace bessemer;
using namespace bessemer::runtime;
using namespace bessemer::test;

namespace {
struct Launch : testing::Test {
  std::shared_ptr<CpuDevice> device = CpuDevice::shared(3);
  FakeCode code;

  Status run(const KernelInfo &info, const Dispatch &dispatch) {
    CpuKernel kernel(info, code);
    Result<BoundDispatch> bound = bind(info, dispatch);
    return bound ? launch(*device, kernel, *bound) : Status(bound.error());
  }
  /// `groups` threadgroups of one thread.
  Dispatch groupsOf(uint32_t groups, std::vector<KernelArgument> arguments) {
    Dispatch dispatch;
    dispatch.groups = Dim3{groups, 1, 1};
    dispatch.arguments = std::move(arguments);
    return dispatch;
  }
};
} // namespace

TEST_F(Launch, CutsTheLastGroup) {
  std::vector<float> x(1000, 2), y(1001, 1);
  Dispatch dispatch;
  dispatch.threads = Dim3{1000, 1, 1};
  dispatch.groupSize = {64, 1, 1};
  dispatch.arguments = {tensorOf(x), tensorOf(y), bytesOf(3.0f)};
  Status status = run(saxpyInfo(), dispatch);
  ASSERT_TRUE(status) << status.error().message;
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(y[i], 7) << i;
  EXPECT_EQ(y[1000], 1);
}

TEST_F(Launch, EmptyGridRunsNothing) {
  std::vector<float> x, y;
  Dispatch dispatch;
  dispatch.threads = Dim3{0, 1, 1};
  dispatch.arguments = {tensorOf(x), tensorOf(y), bytesOf(3.0f)};
  EXPECT_TRUE(run(saxpyInfo(), dispatch));
  EXPECT_EQ(code.calls, 0u);
}

TEST_F(Launch, ThreadgroupMemoryLiesBehindTheStaticBlock) {
  Argument scratch = bufferArgument("scratch", 0);
  scratch.kind = ArgumentKind::ThreadgroupMemory;
  scratch.space = AddressSpace::Threadgroup;
  KernelInfo info = kernelInfo(
      "group_sum", {bufferArgument("x", 0), bufferArgument("out", 1), scratch});
  std::vector<float> x(64 * 32), out(64);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = i / 32;
  Dispatch dispatch = groupsOf(64, {tensorOf(x), tensorOf(out)});
  dispatch.groupSize = {32, 1, 1};
  dispatch.threadgroupMemory[0] = 32 * 4;
  Status status = run(info, dispatch);
  ASSERT_TRUE(status) << status.error().message;
  for (int group = 0; group < 64; ++group)
    EXPECT_EQ(out[group], group * 32);
}

TEST_F(Launch, CrashBecomesAnErrorOnEveryThread) {
  SKIP_WITHOUT_SIGNALS();
  std::vector<int> out(4);
  KernelInfo info = kernelInfo("crash", {bufferArgument("out", 0, DType::I32)});
  for (int repeat = 0; repeat < 200; ++repeat) {
    Status status = run(info, groupsOf(16, {tensorOf(out, DType::I32)}));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, ErrorKind::Fault);
    EXPECT_EQ(status.error().message,
              "kernels.metal:3: kernel 'crash' stopped with an invalid memory "
              "access (SIGSEGV) at address 0x0");
  }
  KernelInfo divide =
      kernelInfo("divide", {bufferArgument("value", 0, DType::I32)});
  Status status = run(divide, groupsOf(1, {tensorOf(out, DType::I32)}));
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("SIGFPE"), std::string::npos);
}

/// A tensor of rank 2 at buffer 0.
static Argument matrixArgument() {
  Argument argument = bufferArgument("m", 0);
  argument.kind = ArgumentKind::Tensor;
  argument.rank = 2;
  return argument;
}

TEST_F(Launch, TheFaultOfTheLowestGroupCounts) {
  std::vector<float> data(20);
  Tensor tensor{DType::F32, {4, 5}, {}, data.data(), false, nullptr};
  KernelInfo info = kernelInfo("late_subscript", {matrixArgument()});
  for (int repeat = 0; repeat < 20; ++repeat) {
    Status status = run(info, groupsOf(640, {tensor}));
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("index 7 of"), std::string::npos)
        << status.error().message;
  }
}

TEST_F(Launch, SubscriptFaultNamesTensorAndLine) {
  std::vector<float> data(20);
  Tensor tensor{DType::F32, {4, 5}, {}, data.data(), false, nullptr};
  Status status =
      run(kernelInfo("subscript", {matrixArgument()}), groupsOf(100, {tensor}));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::Fault);
  EXPECT_EQ(status.error().message,
            "kernels.metal:12: kernel 'subscript': index 7 of tensor 'm' is "
            "out of range in dimension 0: its extents are (5, 4), innermost "
            "first");
}

TEST_F(Launch, KeepsDenormalsAndRestoresTheMode) {
  std::vector<float> out(50);
  __builtin_ia32_ldmxcsr(0x1f80 | 0x8040); // flush to zero
  Status status = run(kernelInfo("denormal", {bufferArgument("out", 0)}),
                      groupsOf(50, {tensorOf(out)}));
  unsigned after = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(0x1f80);
  EXPECT_TRUE(status);
  EXPECT_EQ(after & 0x8040, 0x8040u);
  for (float value : out)
    EXPECT_GT(value, 0);
}

TEST_F(Launch, InterruptStopsAtAGroupBoundary) {
  setInterruptCheck([] { return true; });
  Status status = run(kernelInfo("slow", {}), groupsOf(UINT32_MAX, {}));
  setInterruptCheck(nullptr);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::Interrupted);
}

TEST_F(Launch, InterruptLeavesLoopsThatNeverEnd) {
  SKIP_WITHOUT_SIGNALS();
  for (unsigned threads : {1u, 3u})
    for (uint32_t groups : {1u, 2u, 1000u}) {
      device = CpuDevice::shared(threads);
      // Asked on the thread that dispatches, which is in the loop itself.
      static std::atomic<unsigned> asked;
      static std::thread::id caller;
      asked = 0;
      caller = std::this_thread::get_id();
      setInterruptCheck([] {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        return ++asked == 2;
      });
      Status status = run(kernelInfo("forever", {}), groupsOf(groups, {}));
      setInterruptCheck(nullptr);
      ASSERT_FALSE(status);
      EXPECT_EQ(status.error().kind, ErrorKind::Interrupted);
      std::vector<float> x(1000, 2), y(1000, 1);
      EXPECT_TRUE(run(saxpyInfo(), groupsOf(1000, {tensorOf(x), tensorOf(y),
                                                   bytesOf(3.0f)})));
      EXPECT_EQ(y[999], 7);
    }
}

TEST_F(Launch, TheCheckMayDispatch) {
  SKIP_WITHOUT_SIGNALS();
  static Launch *test;
  static std::atomic<unsigned> nested;
  test = this;
  nested = 0;
  setInterruptCheck([] {
    std::vector<float> x(5, 2), y(5, 1);
    nested +=
        bool(test->run(saxpyInfo(), test->groupsOf(5, {tensorOf(x), tensorOf(y),
                                                       bytesOf(3.0f)})));
    return nested >= 2;
  });
  Status status = run(kernelInfo("forever", {}), groupsOf(3, {}));
  setInterruptCheck(nullptr);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::Interrupted);
}

TEST_F(Launch, NobodyWaitsForGroupsAfterAFault) {
  SKIP_WITHOUT_SIGNALS();
  std::vector<int> out(4);
  KernelInfo info =
      kernelInfo("crash_or_wait", {bufferArgument("out", 0, DType::I32)});
  Status status = run(info, groupsOf(200, {tensorOf(out, DType::I32)}));
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("SIGSEGV"), std::string::npos);
}

TEST_F(Launch, ForeignUsersOfTheLeaveSignalKeepTheirHandler) {
  SKIP_WITHOUT_SIGNALS();
  static std::atomic<int> received;
  received = 0;
  struct sigaction handler{}, before;
  handler.sa_handler = [](int) { ++received; };
  sigaction(SIGURG, &handler, &before);
  setInterruptCheck([] { return kill(getpid(), SIGURG) == 0; });
  Status status = run(kernelInfo("forever", {}), groupsOf(1, {}));
  setInterruptCheck(nullptr);
  sigaction(SIGURG, &before, nullptr);
  EXPECT_FALSE(status);
  EXPECT_EQ(received, 1);
}

static sigjmp_buf foreignLanding;

TEST_F(Launch, ForeignFaultsGoToTheirHandler) {
  SKIP_WITHOUT_SIGNALS();
  struct sigaction handler{}, before;
  handler.sa_handler = [](int) { siglongjmp(foreignLanding, 1); };
  handler.sa_flags = SA_NODEFER;
  sigaction(SIGSEGV, &handler, &before);
  std::vector<int> out(4);
  KernelInfo info = kernelInfo("crash", {bufferArgument("out", 0, DType::I32)});
  // Ours goes in front, for faults of kernels ...
  EXPECT_FALSE(run(info, groupsOf(16, {tensorOf(out, DType::I32)})));
  volatile bool reached = false;
  if (sigsetjmp(foreignLanding, 0) == 0) {
    int *volatile nowhere = nullptr;
    *nowhere = 1;
  } else {
    reached = true; // ... and hands others on.
  }
  EXPECT_TRUE(reached);
  // And it is back for the next kernel.
  EXPECT_FALSE(run(info, groupsOf(16, {tensorOf(out, DType::I32)})));
  sigaction(SIGSEGV, &before, nullptr);
}

TEST_F(Launch, ManyThreadsDispatchOneKernel) {
  CpuKernel saxpy(saxpyInfo(), code);
  CpuKernel fails(kernelInfo("late_subscript", {matrixArgument()}), code);
  std::vector<float> data(20);
  Tensor matrix{DType::F32, {4, 5}, {}, data.data(), false, nullptr};
  auto add = [&](uint32_t size) {
    std::vector<float> x(1000, 2), y(1000, 1);
    Dispatch dispatch;
    dispatch.threads = Dim3{1000, 1, 1};
    dispatch.groupSize = {size, 1, 1};
    dispatch.arguments = {tensorOf(x), tensorOf(y), bytesOf(3.0f)};
    EXPECT_TRUE(launch(*device, saxpy, *bind(saxpy.info(), dispatch)));
    EXPECT_EQ(y, std::vector<float>(1000, 7));
  };
  auto fail = [&] {
    Dispatch dispatch = groupsOf(64, {matrix});
    Status status = launch(*device, fails, *bind(fails.info(), dispatch));
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("index 7 of"), std::string::npos)
        << status.error().message;
  };
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      for (uint32_t repeat = 0; repeat < 60; ++repeat)
        add(8 + 4 * ((repeat + t) % 5)); // some have cut groups
      fail();
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(Launch, OneShapeIsCompiledOnce) {
  CpuKernel kernel(saxpyInfo(), code);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int repeat = 0; repeat < 20; ++repeat) {
        EXPECT_TRUE(kernel.body({{64, 1, 1}}));
        EXPECT_TRUE(kernel.body({{32, 1, 1}}));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(code.calls, 2u);
}

TEST_F(Launch, CompleteGroupsHaveABodyUntilThereIsOneForAll) {
  CpuKernel kernel(saxpyInfo(), code);
  Specialisation complete{{64, 1, 1}, true}, all{{64, 1, 1}, false};
  const bsm_kernel *first = *kernel.body(complete);
  const bsm_kernel *general = *kernel.body(all);
  EXPECT_NE(first, general);
  EXPECT_EQ(*kernel.body(complete), general);
  EXPECT_EQ(code.calls, 2u);
}

TEST(CompiledLibrary, RefusesWhatIsNone) {
  auto garbage = CompiledLibrary::load("not an object");
  ASSERT_FALSE(garbage);
  EXPECT_NE(garbage.error().message.find("cannot be loaded"),
            std::string::npos);
  FakeCode code;
  std::string object = *code.object("", {});
  for (int i = 0; i < 50; ++i) { // descriptor numbers are reused
    auto first = CompiledLibrary::load(object);
    auto second = CompiledLibrary::load(object);
    ASSERT_TRUE(first && second);
    EXPECT_NE((*first)->find("saxpy"), (*second)->find("saxpy"));
    EXPECT_EQ((*first)->find("nope"), nullptr);
  }
}
