//===- Lanes.cpp - Kernels of packed weights, votes and uneven rows -------===//
#include "Pool.h"
#include "Vectors.h"

using namespace peers;

namespace {

using Vector8 = float __attribute__((ext_vector_type(8)));
using Words8 = uint32_t __attribute__((ext_vector_type(8)));
using Integers8 = int32_t __attribute__((ext_vector_type(8)));

/// The eight 4-bit weights of a word.
inline Vector8 unpack(uint32_t word) {
  constexpr Words8 shifts = {0, 4, 8, 12, 16, 20, 24, 28};
  Words8 codes = (Words8(word) >> shifts) & 15u;
  return __builtin_convertvector(__builtin_bit_cast(Integers8, codes) - 8,
                                 Vector8);
}

float matvecRow(const uint32_t *words, const _Float16 *scales, const float *x) {
  constexpr int groups = 4; // in flight
  Vector8 sum[groups] = {};
  for (int g = 0; g < 128; g += groups)
    for (int k = 0; k < groups; ++k) {
      const uint32_t *word = words + (g + k) * 4;
      const float *xs = x + (g + k) * 32;
      Vector8 part = {};
      for (int j = 0; j < 4; ++j)
        part += unpack(word[j]) * load<Vector8>(xs + j * 8);
      sum[k] += part * static_cast<float>(scales[g + k]);
    }
  Vector8 all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  float total = 0;
  for (int l = 0; l < 8; ++l)
    total += all[l];
  return total;
}

/// Elements 0 to count - 1 of a row of 32.
inline float partOfRow(const float *row, int32_t count) {
  Vector sum = {};
  Integers lane;
  for (int l = 0; l < width; ++l)
    lane[l] = l;
  for (int first = 0; first < 32; first += width)
    sum += lane + first < count ? load<Vector>(row + first) : Vector(0);
  return sumLanes(sum);
}

/// The sum of a simdgroup in every lane, and how many are above its mean.
inline void butterfly(const float *in, float *out) {
  constexpr int parts = 32 / width;
  Vector x[parts], sum = {};
  for (int k = 0; k < parts; ++k)
    sum += x[k] = load<Vector>(in + k * width);
  float total = sumLanes(sum), mean = total * (1.0f / 32);
  Integers above = {};
  for (int k = 0; k < parts; ++k)
    above -= x[k] > mean;
  int votes = 0;
  for (int l = 0; l < width; ++l)
    votes += above[l];
  for (int k = 0; k < parts; ++k)
    store(out + k * width, x[k] + (static_cast<float>(votes) - total));
}

} // namespace

extern "C" {

void quantised_matvec(const uint32_t *weights, const _Float16 *scales,
                      const float *x, float *out, size_t rows) {
  parallel(rows, [=](size_t first, size_t last) {
    for (size_t r = first; r < last; ++r)
      out[r] = matvecRow(weights + r * 512, scales + r * 128, x);
  });
}

void dynamic_loop(const float *in, const uint32_t *counts, float *out,
                  size_t n) {
  parallel(n, [=](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i)
      out[i] = partOfRow(in + i * 32, counts[i] & 31);
  });
}

void xor_shuffle_ballot(const float *in, float *out, size_t n) {
  parallel(n / 32, [=](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i)
      butterfly(in + i * 32, out + i * 32);
  });
}

} // extern "C"
