//===- FlashAttention.cpp - Attention with a running softmax --------------===//
//
// One query a lane, two vectors of queries at a time; keys in tiles of 32.
//
//===----------------------------------------------------------------------===//
#include "Pool.h"
#include "Vectors.h"

#include <algorithm>
#include <cmath>

using namespace peers;

namespace {

constexpr size_t depth = 64, tile = 32;
constexpr int vectors = 2, queries = vectors * width;
constexpr int block = 4; ///< Keys, or columns, whose sums are in registers.

struct State {
  Vector query[depth][vectors], sum[depth][vectors];
  Vector largest[vectors], total[vectors];
};

/// Scores of the tile's keys, and the largest so far.
void scoreTile(const State &s, const float *keys, Vector (*scores)[vectors],
               Vector *largest) {
  for (size_t j = 0; j < tile; j += block) {
    Vector u[block][vectors] = {};
    for (size_t d = 0; d < depth; ++d)
      for (int k = 0; k < block; ++k)
        for (int v = 0; v < vectors; ++v)
          u[k][v] += s.query[d][v] * keys[(j + k) * depth + d];
    for (int k = 0; k < block; ++k)
      for (int v = 0; v < vectors; ++v) {
        scores[j + k][v] = u[k][v];
        largest[v] = __builtin_elementwise_max(largest[v], u[k][v]);
      }
  }
}

void addTile(State &s, const float *keys, const float *values) {
  Vector p[tile][vectors], largest[vectors], rescale[vectors];
  std::copy(s.largest, s.largest + vectors, largest);
  scoreTile(s, keys, p, largest);
  for (int v = 0; v < vectors; ++v) {
    rescale[v] = expVector(s.largest[v] - largest[v]);
    s.largest[v] = largest[v];
    s.total[v] *= rescale[v];
  }
  for (size_t j = 0; j < tile; ++j)
    for (int v = 0; v < vectors; ++v)
      s.total[v] += p[j][v] = expVector(p[j][v] - largest[v]);
  for (size_t d = 0; d < depth; d += block) {
    Vector sum[block][vectors];
    for (int k = 0; k < block; ++k)
      for (int v = 0; v < vectors; ++v)
        sum[k][v] = s.sum[d + k][v] * rescale[v];
    for (size_t j = 0; j < tile; ++j)
      for (int k = 0; k < block; ++k)
        for (int v = 0; v < vectors; ++v)
          sum[k][v] += p[j][v] * values[j * depth + d + k];
    for (int k = 0; k < block; ++k)
      for (int v = 0; v < vectors; ++v)
        s.sum[d + k][v] = sum[k][v];
  }
}

void attend(const float *q, const float *keys, const float *values, float *out,
            size_t length) {
  State s = {};
  for (int l = 0; l < queries; ++l)
    for (size_t d = 0; d < depth; ++d)
      s.query[d][l / width][l % width] = q[l * depth + d] * 0.125f;
  std::fill(s.largest, s.largest + vectors, Vector(-1e30f));
  for (size_t t = 0; t < length; t += tile)
    addTile(s, keys + t * depth, values + t * depth);
  for (int v = 0; v < vectors; ++v) {
    Vector scale = 1 / s.total[v];
    for (size_t d = 0; d < depth; ++d)
      for (int l = 0; l < width; ++l)
        out[(v * width + l) * depth + d] = (s.sum[d][v] * scale)[l];
  }
}

} // namespace

extern "C" void flash_attention(const float *q, const float *k, const float *v,
                                float *out, size_t heads, size_t length) {
  size_t blocks = length / queries;
  parallel(heads * blocks, [=](size_t first, size_t last) {
    for (size_t b = first; b < last; ++b) {
      size_t head = b / blocks * length * depth;
      size_t at = head + b % blocks * queries * depth;
      attend(q + at, k + head, v + head, out + at, length);
    }
  });
}
