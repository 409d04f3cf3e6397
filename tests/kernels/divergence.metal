// Control flow that differs between the lanes, with and without barriers.
#include <metal_stdlib>
using namespace metal;

kernel void add_guarded(device const float *a, device const float *b,
                        device float *out, constant uint &n,
                        uint i [[thread_position_in_grid]]) {
  if (i >= n)
    return;
  out[i] = a[i] + b[i];
}

// Nested loops with continue, break and exits through several levels, uniform
// loops inside divergent branches, a switch that falls to different arms.
static float walk(uint i, uint n, device const float *a) {
  float v = a[i];
  uint x = (i * 2654435761u) >> 27;
  float r = 0;
  bool left = false;
  for (uint k = 0; k < x && !left; k++) {
    if ((k & 3) == 1)
      continue;
    r += a[(i + k) % n];
    if (r > 3.0f)
      break;
    for (uint j = 0; j < (k & 3); j++) {
      r *= 0.5f;
      if (r < -0.25f) {
        left = true;
        break;
      }
    }
  }
  if (left)
    return r;
  if (v > 0) {
    for (uint k = 0; k < 4; k++)
      r += v * k;
    if (x > 16)
      r += a[x];
    else
      r -= a[0];
  }
  switch (x & 3) {
  case 0:
    r += 1;
    break;
  case 1:
    r *= 2;
    break;
  case 2:
    if (v < 0)
      r = -r;
    break;
  default:
    r -= v;
  }
  return r;
}

kernel void nested_loops(device const float *a, device const float *,
                         device float *out, constant uint &n,
                         uint i [[thread_position_in_grid]]) {
  if (i >= n)
    return;
  out[i] = walk(i, n, a);
}

// Threads that have returned do not take part in the barrier; a stencil whose
// first index wraps.
kernel void return_before_barrier(device const float *a, device const float *,
                                  device float *out, constant uint &n,
                                  uint i [[thread_position_in_grid]],
                                  uint l [[thread_index_in_threadgroup]]) {
  threadgroup float tile[1024];
  if (i >= n)
    return;
  float v = a[i];
  if (i > 0)
    v += a[i - 1];
  if (v > 0) {
    v = v * 2 + 1;
  } else if (v < -1) {
    v = v * v;
    for (uint k = 0; k < l % 5; k++)
      v += a[k];
  }
  tile[l] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  bool paired = (i ^ 1) < n;
  out[i] = v + (paired ? tile[l ^ 1] : 0);
}

// Barriers in a uniform loop and under a uniform branch, a private array that
// lives across them, a divergent loop between them.
kernel void barriers_in_loop(device const float *a, device const float *,
                             device float *out, constant uint &n,
                             uint i [[thread_position_in_grid]],
                             uint l [[thread_index_in_threadgroup]],
                             uint size [[threads_per_threadgroup]]) {
  threadgroup float tile[1024];
  float sum = 0;
  float own[4];
  for (uint q = 0; q < 4; q++)
    own[q] = l + q;
  uint steps = n & 3;
  for (uint s = 0; s <= steps; s++) {
    float w = 0;
    for (uint k = 0; k < (l & 7); k++) {
      w += a[(i + k + s) % n];
      if (w > 1.5f)
        break;
    }
    tile[l] = w + own[(l + s) & 3];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (s & 1) {
      sum += tile[(l + 1) % size];
      threadgroup_barrier(mem_flags::mem_threadgroup);
    } else {
      sum -= tile[size - 1 - l];
    }
    own[s & 3] += sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  out[i] = sum + own[l & 3];
}

// Integer state that lives across a tree of barriers: exact in any order.
kernel void tree_reduction(device const float *a, device const float *,
                           device float *out, constant uint &n,
                           uint i [[thread_position_in_grid]],
                           uint l [[thread_index_in_threadgroup]],
                           uint size [[threads_per_threadgroup]]) {
  threadgroup int tile[1024];
  int mine = i < n ? int(a[i] * 1000) : 0;
  tile[l] = mine;
  uint width = size;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  while (width > 1) {
    uint half_width = (width + 1) / 2;
    if (l + half_width < width)
      tile[l] += tile[l + half_width];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    width = half_width;
  }
  out[i] = float(tile[0] - mine);
}

// Reductions, maxima and ballots of the lanes that a branch left active.
kernel void masked_simd(device const float *a, device const float *,
                        device float *out, constant uint &n,
                        uint i [[thread_position_in_grid]],
                        uint lane [[thread_index_in_simdgroup]],
                        uint group [[simdgroup_index_in_threadgroup]]) {
  int v = int(a[i % n] * 100);
  int r = 0;
  if (v > 0)
    r = simd_sum(v);
  else if (lane < 20)
    r = simd_max(v);
  uint vote = uint(uint64_t(simd_ballot(v > 25)));
  out[i] = float(r + int(vote & 0xffff) + int(vote >> 16)) + group * 0.5f +
           simd_shuffle_xor(a[i % n], 5);
}

// 16-bit gathers and scatters under a mask.
kernel void half_gather(device const float *a, device const float *,
                        device float *out, constant uint &n,
                        uint i [[thread_position_in_grid]]) {
  device const half *from = reinterpret_cast<device const half *>(a);
  device ushort *to = reinterpret_cast<device ushort *>(out);
  if (i >= n)
    return;
  if ((i * 5u) % 3u)
    to[i] = as_type<ushort>(half(clamp(from[(i * 3u) % n], -100.0h, 100.0h) +
                                 1.0h));
}

// A grid of two dimensions: the row above, and what all columns share.
kernel void two_dimensions(device const float *a, device const float *,
                           device float *out, constant uint &n,
                           uint2 at [[thread_position_in_grid]],
                           uint2 size [[threads_per_grid]]) {
  float r = 0;
  for (uint k = 0; k < 8; k++)
    r += a[at.y * size.x + k] * a[k * size.x + at.x];
  if (at.x > 0 && at.y > 0)
    r -= a[(at.y - 1) * size.x + at.x - 1];
  out[at.y * size.x + at.x] = r;
}

// Metal numbers the threads that are there, also in edge groups.
kernel void numbering(device const float *a, device const float *,
                      device float *out, constant uint &n,
                      uint3 at [[thread_position_in_grid]],
                      uint3 grid [[threads_per_grid]],
                      uint3 local [[thread_position_in_threadgroup]],
                      uint index [[thread_index_in_threadgroup]],
                      uint group [[simdgroup_index_in_threadgroup]],
                      uint groups [[simdgroups_per_threadgroup]]) {
  threadgroup uint seen[1024];
  seen[index] = local.x + 16 * local.y + 256 * local.z;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint sum = simd_sum(index);
  out[(at.z * grid.y + at.y) * grid.x + at.x] =
      float(seen[index ^ (index & 1)] + group * 4096 + groups * 65536 +
            (sum & 63));
}
