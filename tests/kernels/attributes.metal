// Every thread attribute, one word each.
#include <metal_stdlib>
using namespace metal;

static void put(device uint *out, thread uint &at, uint3 v) {
  out[at++] = v.x;
  out[at++] = v.y;
  out[at++] = v.z;
}

kernel void all_of_them(
    device uint *out, uint3 grid [[thread_position_in_grid]],
    uint3 grids [[threads_per_grid]],
    uint3 local [[thread_position_in_threadgroup]],
    uint3 locals [[threads_per_threadgroup]],
    uint3 requested [[dispatch_threads_per_threadgroup]],
    uint3 group [[threadgroup_position_in_grid]],
    uint3 groups [[threadgroups_per_grid]],
    uint index [[thread_index_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]],
    uint width [[threads_per_simdgroup]],
    uint simdgroup [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]],
    uint dispatched [[dispatch_simdgroups_per_threadgroup]],
    uint quadlane [[thread_index_in_quadgroup]],
    uint quadgroup [[quadgroup_index_in_threadgroup]],
    uint quadgroups [[quadgroups_per_threadgroup]]) {
  uint at = 30 * ((grid.z * grids.y + grid.y) * grids.x + grid.x);
  put(out, at, grid);
  put(out, at, grids);
  put(out, at, local);
  put(out, at, locals);
  put(out, at, requested);
  put(out, at, group);
  put(out, at, groups);
  out[at++] = index;
  out[at++] = lane;
  out[at++] = width;
  out[at++] = simdgroup;
  out[at++] = simdgroups;
  out[at++] = dispatched;
  out[at++] = quadlane;
  out[at++] = quadgroup;
  out[at++] = quadgroups;
}

kernel void narrow(device ushort *out, ushort i [[thread_position_in_grid]],
                   ushort2 local [[thread_position_in_threadgroup]],
                   ushort lane [[thread_index_in_simdgroup]]) {
  out[i] = local.x * 100 + lane;
}

uint3 position [[thread_position_in_grid]];
kernel void global(device uint *out) { out[position.x] = position.x * 3; }
