//===- Cancellation.cpp - Work that its user no longer wants --------------===//
#include "support/Cancellation.h"

using namespace bessemer;

static thread_local const std::atomic<bool> *current = nullptr;

bool bessemer::isCancelled() {
  return current && current->load(std::memory_order_relaxed);
}

CancellationScope::CancellationScope(const std::atomic<bool> &flag)
    : outer(current) {
  current = &flag;
}

CancellationScope::~CancellationScope() { current = outer; }
