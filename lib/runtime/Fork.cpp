//===- Fork.cpp - Working on in a forked child ----------------------------===//
#include "runtime/Fork.h"

#include "runtime/ThreadRecords.h"

#include <chrono>
#include <cstdint>
#include <pthread.h>
#include <thread>

using namespace bessemer::runtime;

namespace {
struct Sections {
  std::atomic<uint32_t> depth{0}; ///< Written by its thread alone.
};
} // namespace

static std::atomic<unsigned> generation{0};
/// Threads that are about to fork.
static std::atomic<unsigned> forking{0};

static Sections &ownSections() { return ThreadRecords<Sections>::ofThread(); }

static void pauseBriefly() {
  std::this_thread::sleep_for(std::chrono::microseconds(50));
}

/// Before a fork: new sections wait, those that are open end.
static void waitForSections() {
  Sections &own = ownSections();
  forking.fetch_add(1);
  ThreadRecords<Sections>::forEach([&](Sections &sections) {
    while (&sections != &own && sections.depth.load() != 0)
      pauseBriefly();
  });
}

static void resumeParent() { forking.fetch_sub(1); }

static void resumeChild() {
  forking.store(0);
  generation.fetch_add(1);
}

static void registerHandlers() {
  static const int registered =
      pthread_atfork(waitForSections, resumeParent, resumeChild);
  (void)registered;
}

unsigned bessemer::runtime::forkGeneration() {
  registerHandlers();
  return generation.load();
}

/// Makes the thread's depth, which is 0, `wanted`.
static void enter(std::atomic<uint32_t> &depth, uint32_t wanted) {
  // Each side writes, then looks at the other's word: one of them sees it.
  for (depth.store(wanted); forking.load() != 0; depth.store(wanted)) {
    depth.store(0);
    while (forking.load() != 0)
      pauseBriefly();
  }
}

ForkSection::ForkSection() {
  registerHandlers();
  std::atomic<uint32_t> &depth = ownSections().depth;
  uint32_t outer = depth.load(std::memory_order_relaxed);
  if (outer) // A fork waits for this thread already.
    depth.store(outer + 1, std::memory_order_relaxed);
  else
    enter(depth, 1);
}

ForkSection::~ForkSection() {
  ownSections().depth.fetch_sub(1, std::memory_order_release);
}

ForkPause::ForkPause() : depth(ownSections().depth.exchange(0)) {}

ForkPause::~ForkPause() {
  if (depth)
    enter(ownSections().depth, depth);
}
