//===- ThreadPoolTest.cpp -------------------------------------------------===//
#include "runtime/CpuDevice.h"

#include <gtest/gtest.h>
#include <numeric>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

using namespace bessemer::runtime;

/// Every index of [0, total) is visited once.
static void checkCovers(ThreadPool &pool, uint64_t total, uint64_t chunk) {
  std::vector<std::atomic<int>> visits(total);
  pool.parallelFor(total, chunk, [&](uint64_t first, uint64_t last) {
    for (uint64_t i = first; i < last; ++i)
      visits[i].fetch_add(1, std::memory_order_relaxed);
  });
  for (uint64_t i = 0; i < total; ++i)
    ASSERT_EQ(visits[i].load(), 1) << i;
}

TEST(ThreadPool, CoversEveryIndexOnce) {
  for (unsigned threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (uint64_t total : {0, 1, 2, 7, 64, 1000})
      for (uint64_t chunk : {0, 1, 3, 64, 5000})
        checkCovers(pool, total, chunk);
  }
}

TEST(ThreadPool, ManyShortJobs) {
  ThreadPool pool(4);
  std::atomic<uint64_t> sum{0};
  for (unsigned job = 0; job < 20000; ++job)
    pool.parallelFor(8, 1, [&](uint64_t first, uint64_t last) {
      sum.fetch_add(last - first, std::memory_order_relaxed);
    });
  EXPECT_EQ(sum.load(), 160000u);
}

TEST(ThreadPool, ManyCallersAtOnce) {
  ThreadPool pool(3);
  std::atomic<uint64_t> sum{0};
  std::vector<std::thread> callers;
  for (unsigned i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      for (unsigned job = 0; job < 2000; ++job)
        pool.parallelFor(10, 2, [&](uint64_t first, uint64_t last) {
          sum.fetch_add(last - first, std::memory_order_relaxed);
        });
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(sum.load(), 80000u);
}

TEST(ThreadPool, NestedWorkRunsOnItsThread) {
  ThreadPool pool(3);
  std::atomic<uint64_t> sum{0};
  pool.parallelFor(6, 1, [&](uint64_t, uint64_t) {
    auto thread = std::this_thread::get_id();
    pool.parallelFor(5, 1, [&](uint64_t first, uint64_t last) {
      EXPECT_EQ(std::this_thread::get_id(), thread);
      sum.fetch_add(last - first);
    });
  });
  EXPECT_EQ(sum.load(), 30u);
}

TEST(ThreadPool, IdleWorkersUseNoCpu) {
  ThreadPool pool(4);
  pool.parallelFor(64, 1, [](uint64_t, uint64_t) {});
  auto cpuSeconds = [] {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
  };
  usleep(100000); // the spin before parking ends
  double before = cpuSeconds();
  usleep(300000);
  // Spinning workers would use 0.9 seconds.
  EXPECT_LT(cpuSeconds() - before, 0.1);
}

TEST(CpuDevice, IsShared) {
  EXPECT_EQ(CpuDevice::shared(2), CpuDevice::shared(2));
  EXPECT_EQ(CpuDevice::shared(0)->threads(), availableCpus());
}

TEST(CpuDevice, WorksInAForkedChild) {
  auto device = CpuDevice::shared(3);
  checkCovers(device->pool(), 100, 1);
  pid_t child = fork();
  if (child == 0) {
    std::atomic<int> visits{0};
    std::atomic<bool> otherThread{false};
    auto self = std::this_thread::get_id();
    for (int job = 0; job < 100; ++job)
      device->pool().parallelFor(100, 1, [&](uint64_t, uint64_t) {
        visits.fetch_add(1);
        usleep(10);
        if (std::this_thread::get_id() != self)
          otherThread = true;
      });
    _exit(visits == 10000 && otherThread ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  checkCovers(device->pool(), 100, 1);
}
