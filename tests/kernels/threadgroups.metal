// Threadgroup memory, barriers and atomics.
#include <metal_stdlib>
using namespace metal;

kernel void reverse(device const float *in, device float *out,
                    uint t [[thread_index_in_threadgroup]],
                    uint g [[threadgroup_position_in_grid]],
                    uint n [[threads_per_threadgroup]]) {
  threadgroup float tile[64];
  tile[t] = in[g * 64 + t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[g * 64 + t] = tile[n - 1 - t];
}

kernel void row_sums(device const float *in, device float *out,
                     constant uint &columns,
                     threadgroup float *partial [[threadgroup(0)]],
                     uint row [[threadgroup_position_in_grid]],
                     uint t [[thread_position_in_threadgroup]],
                     uint n [[threads_per_threadgroup]]) {
  float sum = 0;
  for (uint c = t; c < columns; c += n)
    sum += in[row * columns + c];
  partial[t] = sum;
  for (uint step = n / 2; step > 0; step /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < step)
      partial[t] += partial[t + step];
  }
  if (t == 0)
    out[row] = partial[0];
}

kernel void transpose_tiles(device const int *in, device int *out,
                            constant uint2 &size,
                            uint2 group [[threadgroup_position_in_grid]],
                            uint2 t [[thread_position_in_threadgroup]]) {
  threadgroup int tile[8][9];
  uint2 from = group * 8 + t;
  if (from.x < size.x && from.y < size.y)
    tile[t.y][t.x] = in[from.y * size.x + from.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint2 to = group.yx * 8 + t;
  if (to.x < size.y && to.y < size.x)
    out[to.y * size.y + to.x] = tile[t.x][t.y];
}

kernel void histogram(device const uchar *in, device atomic_uint *bins,
                      constant uint &count,
                      uint i [[thread_position_in_grid]],
                      uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint local[16];
  if (t < 16)
    atomic_store_explicit(&local[t], 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < count)
    atomic_fetch_add_explicit(&local[in[i] & 15], 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 16)
    atomic_fetch_add_explicit(
        &bins[t], atomic_load_explicit(&local[t], memory_order_relaxed),
        memory_order_relaxed);
}

kernel void atomics(device atomic_int *ints, device atomic_float *floats,
                    device atomic_uint *uints,
                    uint i [[thread_position_in_grid]]) {
  atomic_fetch_max_explicit(&ints[0], int(i) - 5, memory_order_relaxed);
  atomic_fetch_min_explicit(&ints[1], int(i) - 5, memory_order_relaxed);
  atomic_fetch_or_explicit(&ints[2], 1 << i, memory_order_relaxed);
  atomic_fetch_xor_explicit(&ints[3], int(i), memory_order_relaxed);
  atomic_fetch_and_explicit(&ints[4], ~(1 << i), memory_order_relaxed);
  atomic_fetch_sub_explicit(&ints[5], 2, memory_order_relaxed);
  atomic_fetch_add_explicit(&floats[0], 0.5f, memory_order_relaxed);
  uint seen = atomic_load_explicit(&uints[0], memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(
      &uints[0], &seen, seen * 2 + 1, memory_order_relaxed,
      memory_order_relaxed))
    ;
  uint old = atomic_exchange_explicit(&uints[1], i, memory_order_relaxed);
  atomic_fetch_add_explicit(&uints[2], old, memory_order_relaxed);
}
