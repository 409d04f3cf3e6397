// Stable order of the middle axis of [outer, extent, inner], as places: blocks
// of BLOCK elements first, then runs of twice the length, merged pair by pair.
// T is the element type, DESCENDING is 0 or 1. NaN counts as larger than every
// number. Orders are [outer * inner, extent].
#include <metal_stdlib>
using namespace metal;

static bool isLess(T a, T b) { return a < b || (a == a && b != b); }

// Whether `a` comes before `b` wherever they stand.
static bool comesFirst(T a, T b) {
  return DESCENDING ? isLess(b, a) : isLess(a, b);
}

// The place in `in` of element 0 of a row; elements are `inner` apart.
static ulong firstOf(uint row, uint extent, uint inner) {
  return ulong(row / inner) * extent * inner + row % inner;
}

// Each element counts those of its block that come before it.
[[kernel]] void sort_blocks(device const T *in [[buffer(0)]],
                            device uint *order [[buffer(1)]],
                            constant int *shape [[buffer(2)]],
                            uint id [[thread_position_in_grid]]) {
  uint extent = uint(shape[0]), inner = uint(shape[1]);
  uint row = id / extent, place = id % extent;
  uint begin = place / BLOCK * BLOCK, end = min(begin + BLOCK, extent);
  ulong base = firstOf(row, extent, inner);
  T own = in[base + ulong(place) * inner];
  uint before = 0;
  for (uint i = begin; i < end; ++i) {
    T other = in[base + ulong(i) * inner];
    bool isBefore = comesFirst(other, own);
    before += isBefore || (i < place && !comesFirst(own, other)) ? 1 : 0;
  }
  order[ulong(row) * extent + begin + before] = place;
}

// Each element looks for its place among those of the other run: behind equal
// ones if that run is the left one.
[[kernel]] void sort_merge(device const T *in [[buffer(0)]],
                           device const uint *from [[buffer(1)]],
                           device uint *to [[buffer(2)]],
                           constant int *shape [[buffer(3)]],
                           uint id [[thread_position_in_grid]]) {
  uint extent = uint(shape[0]), inner = uint(shape[1]), run = uint(shape[2]);
  uint row = id / extent, at = id % extent;
  ulong base = firstOf(row, extent, inner);
  device const uint *places = from + ulong(row) * extent;
  uint place = places[at];
  T own = in[base + ulong(place) * inner];
  uint number = at / run;
  bool isLeft = number % 2 == 0;
  uint other = min((number ^ 1) * run, extent);
  uint low = other, high = min(other + min(run, extent - other), extent);
  while (low < high) {
    uint middle = (low + high) / 2;
    T there = in[base + ulong(places[middle]) * inner];
    bool isBefore =
        isLeft ? comesFirst(there, own) : !comesFirst(own, there);
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  uint begin = number / 2 * 2 * run;
  to[ulong(row) * extent + begin + at % run + (low - other)] = place;
}

// R is the result's type; INDICES: the places instead of the elements.
[[kernel]] void sort_pick(device const T *in [[buffer(0)]],
                          device const uint *order [[buffer(1)]],
                          device R *out [[buffer(2)]],
                          constant int *shape [[buffer(3)]],
                          uint id [[thread_position_in_grid]]) {
  uint extent = uint(shape[0]), inner = uint(shape[1]);
  uint at = id / inner % extent;
  ulong base = ulong(id / inner / extent) * extent * inner + id % inner;
  uint row = id / inner / extent * inner + id % inner;
  uint place = order[ulong(row) * extent + at];
  out[base + ulong(at) * inner] =
      INDICES ? R(place) : R(in[base + ulong(place) * inner]);
}
