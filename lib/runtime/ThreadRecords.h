//===- ThreadRecords.h - One record a thread, seen by all -------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_THREADRECORDS_H
#define BESSEMER_RUNTIME_THREADRECORDS_H

#include <atomic>

namespace bessemer::runtime {

/// Records of type `Record`, which threads publish and others look at without
/// a lock. They are never freed, but given to a later thread when theirs ends:
/// a looker may be one thread behind.
template <typename Record> class ThreadRecords {
public:
  /// The calling thread's.
  static Record &ofThread() {
    static thread_local Lease lease;
    return lease.node->record;
  }

  /// Calls `visit` with the record of every thread, ended ones included.
  template <typename Visit> static void forEach(Visit visit) {
    for (Node *node = head.load(std::memory_order_acquire); node;
         node = node->next)
      visit(node->record);
  }

private:
  struct Node {
    Record record;
    std::atomic<bool> taken{true};
    Node *next = nullptr;
  };

  struct Lease {
    Node *node = take();
    ~Lease() { node->taken.store(false, std::memory_order_release); }
  };

  static Node *take() {
    for (Node *node = head.load(std::memory_order_acquire); node;
         node = node->next)
      if (bool taken = false; node->taken.compare_exchange_strong(taken, true))
        return node;
    auto *made = new Node;
    made->next = head.load(std::memory_order_relaxed);
    while (!head.compare_exchange_weak(made->next, made))
      ;
    return made;
  }

  inline static std::atomic<Node *> head{nullptr};
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_THREADRECORDS_H
