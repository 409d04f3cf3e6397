//===- Pool.cpp - Ranges of work on one or several threads ----------------===//
#include "Pool.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Pool {
public:
  ~Pool() { resize(1); }
  void resize(size_t count);
  void run(size_t count, const peers::Range &range);

private:
  void work(size_t number);
  void share(size_t number) {
    size_t threads = workers.size() + 1;
    (*range)(count *number / threads, count * (number + 1) / threads);
  }

  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake, done;
  size_t round = 0, busy = 0, count = 0;
  bool stop = false;
  const peers::Range *range = nullptr;
};

void Pool::work(size_t number) {
  size_t seen = 0;
  for (;;) {
    std::unique_lock lock(mutex);
    wake.wait(lock, [&] { return stop || round != seen; });
    if (stop)
      return;
    seen = round;
    lock.unlock();
    share(number);
    lock.lock();
    if (--busy == 0)
      done.notify_one();
  }
}

void Pool::resize(size_t threads) {
  {
    std::lock_guard lock(mutex);
    stop = true;
  }
  wake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
  workers.clear();
  stop = false;
  round = 0;
  for (size_t number = 1; number < threads; ++number)
    workers.emplace_back([this, number] { work(number); });
}

void Pool::run(size_t units, const peers::Range &work) {
  if (workers.empty())
    return work(0, units);
  {
    std::lock_guard lock(mutex);
    count = units;
    range = &work;
    busy = workers.size();
    ++round;
  }
  wake.notify_all();
  share(0);
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return busy == 0; });
}

Pool pool;

} // namespace

void peers::parallel(size_t count, const Range &range) {
  pool.run(count, range);
}

extern "C" void use_threads(size_t count) { pool.resize(count); }
