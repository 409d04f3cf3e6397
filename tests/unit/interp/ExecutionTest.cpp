//===- ExecutionTest.cpp - Groups, memory, calls and faults ---------------===//
#include "KernelRun.h"

#include <gtest/gtest.h>

using namespace bessemer;
using namespace bessemer::testing;

static std::string error(const Status &status) {
  return status ? "no error" : status.error().message;
}

TEST(Execution, edgeGroupsAreRenumbered) {
  // A 3 x 3 grid in 2 x 2 groups: index in the group from the actual size.
  KernelRun run(R"(
declare i32 @bsm.thread_position_in_grid.y()
declare i32 @bsm.threads_per_threadgroup.x()
define void @k(ptr addrspace(1) %out) {
  %x = call i32 @bsm.thread_position_in_grid.x()
  %y = call i32 @bsm.thread_position_in_grid.y()
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %w = call i32 @bsm.threads_per_threadgroup.x()
  %w10 = mul i32 %w, 10
  %v = add i32 %w10, %t
  %row = mul i32 %y, 3
  %at = add i32 %row, %x
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %v, ptr addrspace(1) %to
  ret void
})");
  std::vector<int32_t> out(9);
  EXPECT_TRUE(run.buffer(out).run({3, 3, 1}, {2, 2, 1}));
  EXPECT_EQ(out, (std::vector<int32_t>{20, 21, 10, 22, 23, 11, 20, 21, 10}));
}

TEST(Execution, dynamicThreadgroupMemory) {
  KernelRun run(R"(
define void @k(ptr addrspace(1) %out, ptr addrspace(3) %a, ptr addrspace(3) %b) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %mine = getelementptr i32, ptr addrspace(3) %a, i32 %t
  %mine2 = getelementptr i32, ptr addrspace(3) %b, i32 %t
  store i32 %t, ptr addrspace(3) %mine
  store i32 100, ptr addrspace(3) %mine2
  call void @bsm.threadgroup_barrier(i32 2)
  %other = sub i32 3, %t
  %theirs = getelementptr i32, ptr addrspace(3) %a, i32 %other
  %v = load i32, ptr addrspace(3) %theirs
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %to
  ret void
})");
  std::vector<int32_t> out(4);
  run.launch.threadgroup_offset[1] = 16;
  run.options.threadgroupBytes = 32;
  EXPECT_TRUE(run.buffer(out).run({4, 1, 1}, {4, 1, 1}));
  EXPECT_EQ(out, (std::vector<int32_t>{3, 2, 1, 0}));
  // A fifth thread leaves argument a, though not the group's block.
  EXPECT_NE(error(run.run({5, 1, 1}, {5, 1, 1}))
                .find("at offset 16 of argument 'a' (threadgroup 0), which has "
                      "16 bytes"),
            std::string::npos);
}

TEST(Execution, returnedThreadsDoNotBlockABarrier) {
  KernelRun run(R"(
@v = internal addrspace(3) global i32 undef
define void @k(ptr addrspace(1) %out) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %late = icmp ugt i32 %t, 1
  br i1 %late, label %end, label %go
go:
  %first = icmp eq i32 %t, 0
  br i1 %first, label %write, label %wait
write:
  store i32 42, ptr addrspace(3) @v
  br label %wait
wait:
  call void @bsm.threadgroup_barrier(i32 2)
  %x = load i32, ptr addrspace(3) @v
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %x, ptr addrspace(1) %to
  br label %end
end:
  ret void
})");
  std::vector<int32_t> out(4);
  EXPECT_TRUE(run.buffer(out).run({4, 1, 1}, {4, 1, 1}));
  EXPECT_EQ(out, (std::vector<int32_t>{42, 42, 0, 0}));
}

TEST(Execution, aggregatesCallsAndSwitch) {
  KernelRun run(R"(
%pair = type { i8, [2 x i32], <2 x float> }
define internal %pair @make(i32 %x) {
  %a = insertvalue %pair zeroinitializer, i32 %x, 1, 1
  %b = insertvalue %pair %a, i8 7, 0
  ret %pair %b
}
define internal i32 @double(i32 %x) {
  %y = shl i32 %x, 1
  ret i32 %y
}
define void @k(ptr addrspace(1) %out) {
entry:
  %slot = alloca %pair, align 8
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %p = call %pair @make(i32 %t)
  store %pair %p, ptr %slot
  %field = getelementptr %pair, ptr %slot, i32 0, i32 1, i32 1
  %x = load i32, ptr %field
  switch i32 %x, label %other [ i32 0, label %zero
                                i32 2, label %two ]
zero:
  br label %join
two:
  %d = call i32 @double(i32 21)
  br label %join
other:
  %tag = load i8, ptr %slot
  %tag32 = zext i8 %tag to i32
  br label %join
join:
  %v = phi i32 [ 100, %zero ], [ %d, %two ], [ %tag32, %other ]
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %to
  ret void
})");
  std::vector<int32_t> out(4);
  EXPECT_TRUE(run.buffer(out).run({4, 1, 1}, {4, 1, 1}));
  EXPECT_EQ(out, (std::vector<int32_t>{100, 7, 42, 7}));
}

TEST(Execution, indirectCallsAndAtomics) {
  KernelRun run(R"(
@table = internal addrspace(4) constant [2 x ptr] [ptr @one, ptr @ten]
define internal i32 @one() {
  ret i32 1
}
define internal i32 @ten() {
  ret i32 10
}
define void @k(ptr addrspace(1) %out) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %odd = and i32 %t, 1
  %from = getelementptr [2 x ptr], ptr addrspace(4) @table, i32 0, i32 %odd
  %f = load ptr, ptr addrspace(4) %from
  %x = call i32 %f()
  %old = atomicrmw add ptr addrspace(1) %out, i32 %x monotonic
  %max = getelementptr i32, ptr addrspace(1) %out, i32 1
  %o2 = atomicrmw umax ptr addrspace(1) %max, i32 %t monotonic
  %cas = getelementptr i32, ptr addrspace(1) %out, i32 2
  %o3 = cmpxchg ptr addrspace(1) %cas, i32 0, i32 %x monotonic monotonic
  ret void
})");
  std::vector<int32_t> out(3);
  EXPECT_TRUE(run.buffer(out).run({5, 1, 1}, {5, 1, 1}));
  EXPECT_EQ(out, (std::vector<int32_t>{23, 4, 1}));
}

namespace {
struct Recorded {
  uint32_t dimension = 99;
  int64_t index = 0;
};
} // namespace

TEST(Execution, indexFaultReachesTheServices) {
  static const bsm_services services{[](void *dispatch, const bsm_tensor *,
                                        uint32_t dimension, int64_t index,
                                        uint32_t) {
    *static_cast<Recorded *>(dispatch) = {dimension, index};
  }};
  KernelRun run(R"(
define void @k(ptr addrspace(4) %t) {
  call void @bsm.check_index(i1 false, ptr addrspace(4) %t, i32 1, i64 -5)
  ret void
})");
  float data[6];
  bsm_tensor tensor{data, sizeof(data), {1, 3}, {3, 2}, 2, 0};
  Recorded recorded;
  run.kernel.arguments[0].kind = ArgumentKind::Tensor;
  run.launch.buffers[0] = {&tensor, sizeof(tensor)};
  run.launch.services = &services;
  run.launch.dispatch = &recorded;
  Status status = run.run({1, 1, 1}, {1, 1, 1});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::Fault);
  EXPECT_EQ(recorded.dimension, 1u);
  EXPECT_EQ(recorded.index, -5);
}

TEST(Execution, tensorDataIsBounded) {
  KernelRun run(R"(
define void @k(ptr addrspace(4) %t) {
  %data = load ptr addrspace(1), ptr addrspace(4) %t
  %past = getelementptr float, ptr addrspace(1) %data, i32 6
  store float 0.0, ptr addrspace(1) %past
  ret void
})");
  float data[12];
  bsm_tensor tensor{data, 24, {1, 3}, {3, 2}, 2, 0};
  run.kernel.arguments[0].kind = ArgumentKind::Tensor;
  run.launch.buffers[0] = {&tensor, sizeof(tensor)};
  EXPECT_NE(error(run.run({1, 1, 1}, {1, 1, 1}))
                .find("at offset 24 of argument 't' (buffer 0), which has 24"),
            std::string::npos);
}

TEST(Execution, badLaunchesAreRefused) {
  KernelRun run("define void @k() {\nret void\n}");
  EXPECT_NE(error(run.run({2048, 1, 1}, {2048, 1, 1})).find("1 to 1024"),
            std::string::npos);
  EXPECT_TRUE(run.run({1, 1, 1}, {1, 1, 1}));
  run.kernel.symbol = "absent";
  EXPECT_NE(error(run.run({1, 1, 1}, {1, 1, 1})).find("'absent'"),
            std::string::npos);
}
