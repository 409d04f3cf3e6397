"""Kernels whose threads wait for each other, and what they must give.

    python -m locks FORM        runs one form in every shape

A separate process, as a kernel that waits for ever cannot be ended otherwise.
"""

from __future__ import annotations

import sys

import numpy as np

import bessemer

HEADER = """
#include <metal_stdlib>
using namespace metal;
constant auto relaxed = memory_order_relaxed;

bool take(device atomic_uint *lock) {
  return atomic_exchange_explicit(lock, 1u, relaxed) == 0u;
}
bool takeWeakly(device atomic_uint *lock) {
  uint expected = 0u;
  return atomic_compare_exchange_weak_explicit(lock, &expected, 1u, relaxed,
                                               relaxed);
}
void give(device atomic_uint *lock) {
  atomic_store_explicit(lock, 0u, relaxed);
}
void work(device uint *data, uint i) {
  data[0] += i + 1;
  data[1] = data[1] * 3 + 1;
}
void workLocked(device atomic_uint *lock, device uint *data, uint i) {
  while (true) {
    if (takeWeakly(lock)) {
      work(data, i);
      give(lock);
      return;
    }
  }
}
"""
SIGNATURE = """
kernel void locked(device atomic_uint *locks [[buffer(0)]],
                   device uint *data [[buffer(1)]],
                   uint i [[thread_position_in_grid]],
                   uint t [[thread_index_in_threadgroup]],
                   uint n [[threads_per_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]])
"""
# Every thread once does `work` on the first two words of `data`.
BODIES = {
    "exchange until done": """
  bool done = false;
  while (!done) {
    if (atomic_exchange_explicit(locks, 1u, relaxed) == 0u) {
      work(data, i);
      give(locks);
      done = true;
    }
  }""",
    "fetch_or until done": """
  bool done = false;
  while (!done) {
    if ((atomic_fetch_or_explicit(locks, 2u, relaxed) & 2u) == 0u) {
      work(data, i);
      atomic_fetch_and_explicit(locks, ~2u, relaxed);
      done = true;
    }
  }""",
    "compare and exchange until done": """
  bool done = false;
  do {
    uint expected = 0u;
    if (atomic_compare_exchange_weak_explicit(locks, &expected, 1u, relaxed,
                                              relaxed)) {
      work(data, i);
      give(locks);
      done = true;
    }
  } while (!done);""",
    "for with a flag": """
  for (bool done = false; !done;) {
    if (take(locks)) {
      work(data, i);
      give(locks);
      done = true;
    }
  }""",
    "continue while taken": """
  bool done = false;
  while (!done) {
    if (!take(locks))
      continue;
    work(data, i);
    give(locks);
    done = true;
  }""",
    "break": """
  while (true) {
    if (take(locks)) {
      work(data, i);
      give(locks);
      break;
    }
  }""",
    "break behind": """
  for (;;) {
    bool taken = take(locks);
    if (taken) {
      work(data, i);
      give(locks);
    }
    if (taken)
      break;
  }""",
    "return": """
  while (true) {
    if (take(locks)) {
      work(data, i);
      give(locks);
      return;
    }
  }""",
    "break or return": """
  while (true) {
    if (takeWeakly(locks)) {
      if (i % 3 == 0) {
        work(data, i);
        give(locks);
        return;
      }
      for (uint k = 0; k < i % 2; ++k)
        atomic_fetch_add_explicit(locks + 1, 1u, relaxed);
      work(data, i);
      give(locks);
      break;
    }
  }""",
    "limited attempts": """
  for (int attempt = 0; attempt < 1000000; ++attempt) {
    if (take(locks)) {
      work(data, i);
      give(locks);
      break;
    }
  }""",
    "helper": "  workLocked(locks, data, i);",
    "helper under a condition": """
  if (i % 2)
    workLocked(locks, data, i);
  else
    workLocked(locks, data, i);""",
    "ticket": """
  uint mine = atomic_fetch_add_explicit(locks, 1u, relaxed);
  bool done = false;
  while (!done) {
    if (atomic_load_explicit(locks + 1, relaxed) == mine) {
      work(data, i);
      atomic_store_explicit(locks + 1, mine + 1u, relaxed);
      done = true;
    }
  }""",
    "nested": """
  bool outer = false;
  while (!outer) {
    if (take(locks)) {
      bool inner = false;
      while (!inner) {
        if (takeWeakly(locks + 1)) {
          work(data, i);
          give(locks + 1);
          inner = true;
        }
      }
      give(locks);
      outer = true;
    }
  }""",
    "nested with breaks": """
  while (true) {
    if (take(locks)) {
      while (true) {
        if (take(locks + 1)) {
          work(data, i);
          give(locks + 1);
          break;
        }
      }
      give(locks);
      break;
    }
  }""",
    "both or none": """
  bool done = false;
  while (!done) {
    if (take(locks)) {
      if (take(locks + 1)) {
        work(data, i);
        done = true;
        give(locks + 1);
      }
      give(locks);
    }
  }""",
    "loop inside": """
  bool done = false;
  while (!done) {
    if (take(locks)) {
      for (uint k = 0; k <= i; ++k)
        data[0] += 1;
      data[1] = data[1] * 3 + 1;
      give(locks);
      done = true;
    }
  }""",
    "again and again": """
  for (uint round = 0; round < 3; ++round) {
    bool done = false;
    while (!done) {
      if (take(locks)) {
        if (round == 1)
          work(data, i);
        give(locks);
        done = true;
      }
    }
  }""",
    "threadgroup lock": """
  threadgroup atomic_uint lock;
  threadgroup uint sum, count;
  if (t == 0) {
    sum = count = 0;
    atomic_store_explicit(&lock, 0u, relaxed);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  bool done = false;
  while (!done) {
    if (atomic_exchange_explicit(&lock, 1u, relaxed) == 0u) {
      sum += i + 1;
      count += 1;
      atomic_store_explicit(&lock, 0u, relaxed);
      done = true;
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  while (t == 0) {
    if (take(locks)) {
      data[0] += sum;
      for (uint k = 0; k < count; ++k)
        data[1] = data[1] * 3 + 1;
      give(locks);
      break;
    }
  }""",
    "first lane tells": """
  if (lane == 0) {
    atomic_fetch_add_explicit(locks + (i - lane) + 1, 7u, relaxed);
  } else {
    while (atomic_load_explicit(locks + (i - lane) + 1, relaxed) == 0u) {
    }
  }
  workLocked(locks, data, i);""",
    "others wait for the first lane": """
  if (lane != 0) {
    while (atomic_load_explicit(locks + (i - lane) + 1, relaxed) == 0u) {
    }
  } else {
    atomic_fetch_add_explicit(locks + (i - lane) + 1, 7u, relaxed);
  }
  workLocked(locks, data, i);""",
}
BUCKETS = 7
# Every thread once does `work` on the pair of words of its bucket.
BUCKET_BODIES = {
    "lock of a bucket": """
  uint bucket = i * 5 % 7;
  bool done = false;
  while (!done) {
    if (take(locks + bucket)) {
      work(data + 2 * bucket, i);
      give(locks + bucket);
      done = true;
    }
  }""",
    "lock of a bucket, break": """
  device uint *place = data + 2 * (i * 5 % 7);
  while (true) {
    if (takeWeakly(locks + i * 5 % 7)) {
      work(place, i);
      give(locks + i * 5 % 7);
      break;
    }
  }""",
}
# Every thread writes i + 1 to one free word of `data`.
TABLE_BODIES = {
    "hash table": """
  for (uint slot = i * 2654435761u % 1024;; slot = (slot + 1) % 1024) {
    uint expected = 0u;
    if (atomic_compare_exchange_weak_explicit(locks + slot, &expected, i + 1,
                                              relaxed, relaxed)) {
      data[slot] = i + 1;
      break;
    }
  }""",
    "locked hash table": """
  uint slot = i % 10;
  bool done = false;
  while (!done) {
    if (take(locks + slot)) {
      if (data[slot] == 0) {
        data[slot] = i + 1;
        done = true;
      }
      give(locks + slot);
      slot = (slot + 1) % 1024;
    }
  }""",
}
FORMS = BODIES | BUCKET_BODIES | TABLE_BODIES
# (threads, group)
SHAPES = [
    (1, 1),
    (2, 2),
    (33, 33),
    (300, 300),
    (300, 64),
    (300, 100),
    (300, 1),
    (700, 256),
]


def source(form: str) -> str:
    return f"{HEADER}{SIGNATURE}{{{FORMS[form]}\n}}\n"


def counted(count: int) -> int:
    value = 0
    for _ in range(count):
        value = (value * 3 + 1) % 2**32
    return value


def wanted(form: str, threads: int) -> np.ndarray:
    result = np.zeros(1024, np.uint32)
    i = np.arange(threads)
    if form in TABLE_BODIES:
        result[:threads] = i + 1
    bucket = i * 5 % BUCKETS if form in BUCKET_BODIES else i * 0
    for number in range(BUCKETS if form not in TABLE_BODIES else 0):
        mine = i[bucket == number]
        result[2 * number : 2 * number + 2] = sum(mine + 1), counted(len(mine))
    return result


def check(form: str, result: np.ndarray, threads: int, group: int) -> None:
    if form in TABLE_BODIES:
        result = np.sort(result)[::-1]
        result[:threads] = result[:threads][::-1]
    np.testing.assert_array_equal(
        result, wanted(form, threads), f"{form}: {threads} threads, groups of {group}"
    )


def buffers():
    return np.zeros(1024, np.uint32), np.zeros(1024, np.uint32)


def main(form: str) -> None:
    kernel = bessemer.compile(source(form))["locked"]
    for threads, group in SHAPES:
        locks, data = buffers()
        print(threads, group, flush=True)
        kernel(locks, data, threads=threads, group_size=group)
        check(form, data, threads, group)


if __name__ == "__main__":
    main(sys.argv[1])
