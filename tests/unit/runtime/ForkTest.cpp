//===- ForkTest.cpp - Forks while others work -----------------------------===//
#include "runtime/Fork.h"

#include <gtest/gtest.h>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace bessemer::runtime;

/// Exit status of a child that runs `work`; -1 if it does not end in 20 s.
template <typename Work> static int inChild(Work work) {
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Fork, LocksOfSectionsAreFreeInTheChild) {
  std::mutex mutex;
  std::atomic<bool> stop{false};
  std::vector<int> numbers;
  auto use = [&] {
    ForkSection section;
    ForkSection nested;
    std::lock_guard lock(mutex);
    numbers.assign(100, 7); // malloc has locks as well
    usleep(100);
    numbers.clear();
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      while (!stop)
        use();
    });
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(inChild([&] {
                use();
                return numbers.empty() ? 0 : 1;
              }),
              0);
  // From inside a section too, if the lock is not the thread's own.
  ForkSection section;
  EXPECT_EQ(inChild([&] { return use(), 0; }), 0);
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Fork, LocalsAreMadeAgainInTheChild) {
  ForkLocal<std::mutex> mutexes;
  std::mutex &mutex = mutexes.get();
  EXPECT_EQ(&mutexes.get(), &mutex);
  std::lock_guard lock(mutex);
  unsigned generation = forkGeneration();
  EXPECT_EQ(inChild([&] {
              std::lock_guard childsLock(mutexes.get());
              bool isOther = &mutexes.get() != &mutex;
              return isOther && forkGeneration() == generation + 1 ? 0 : 1;
            }),
            0);
  EXPECT_EQ(&mutexes.get(), &mutex);
}
