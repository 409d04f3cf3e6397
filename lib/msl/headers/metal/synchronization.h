// Barriers and fences.
#pragma once

namespace metal {

enum class mem_flags {
  mem_none = 0,
  mem_device = 1,
  mem_threadgroup = 2,
  mem_texture = 4,
  mem_threadgroup_imageblock = 8,
  mem_object_data = 16,
};
constexpr mem_flags operator|(mem_flags a, mem_flags b) {
  return mem_flags(int(a) | int(b));
}
constexpr mem_flags operator&(mem_flags a, mem_flags b) {
  return mem_flags(int(a) & int(b));
}

enum memory_order {
  memory_order_relaxed = 0,
  memory_order_acquire = 2,
  memory_order_release = 3,
  memory_order_acq_rel = 4,
  memory_order_seq_cst = 5,
};
enum thread_scope {
  thread_scope_thread,
  thread_scope_simdgroup,
  thread_scope_threadgroup,
  thread_scope_device,
};

void __threadgroupBarrier(uint) __BSM_EFFECT("threadgroup_barrier");
void __simdgroupBarrier(uint) __BSM_EFFECT("simdgroup_barrier");

inline void threadgroup_barrier(mem_flags flags) {
  __threadgroupBarrier((uint)flags);
}
inline void threadgroup_barrier(mem_flags flags, thread_scope) {
  __threadgroupBarrier((uint)flags);
}
inline void simdgroup_barrier(mem_flags flags) {
  __simdgroupBarrier((uint)flags);
}
inline void simdgroup_barrier(mem_flags flags, thread_scope) {
  __simdgroupBarrier((uint)flags);
}

// A relaxed fence orders nothing; every other one is the full fence.
inline void atomic_thread_fence(mem_flags, memory_order order,
                                thread_scope = thread_scope_device) {
  if (order != memory_order_relaxed)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

} // namespace metal
