//===- Peers.cpp - Hand-written native versions of the bench kernels ------===//
//
// What a C++ programmer writes for the machine at hand: explicit vectors of the
// machine's width, fast maths, blocks for registers and caches. C linkage,
// called through ctypes.
//
//===----------------------------------------------------------------------===//
#include "Pool.h"
#include "Vectors.h"

#include <algorithm>
#include <cmath>

using namespace peers;

namespace {

/// Elements that are handed to a thread at once.
constexpr size_t block = 4096;

inline Vector siluVector(Vector x, Vector gate) {
  return x / (1.0f + expVector(-x)) * gate;
}

template <typename F> float reduceRow(const float *x, size_t n, F &&f) {
  Vector sum[accumulators] = {};
  for (size_t i = 0; i < n; i += width * accumulators)
    for (int k = 0; k < accumulators; ++k)
      sum[k] += f(load<Vector>(x + i + k * width));
  for (int k = 1; k < accumulators; ++k)
    sum[0] += sum[k];
  return sumLanes(sum[0]);
}

void softmaxRow(const float *x, float *y, size_t columns) {
  Vector largest[accumulators];
  std::fill(largest, largest + accumulators, Vector(-INFINITY));
  for (size_t i = 0; i < columns; i += width * accumulators)
    for (int k = 0; k < accumulators; ++k)
      largest[k] = __builtin_elementwise_max(largest[k],
                                             load<Vector>(x + i + k * width));
  for (int k = 1; k < accumulators; ++k)
    largest[0] = __builtin_elementwise_max(largest[0], largest[k]);
  Vector top = __builtin_reduce_max(largest[0]), sum = 0;
  for (size_t i = 0; i < columns; i += width) {
    Vector e = expVector(load<Vector>(x + i) - top);
    store(y + i, e);
    sum += e;
  }
  Vector scale = 1 / sumLanes(sum);
  for (size_t i = 0; i < columns; i += width)
    store(y + i, load<Vector>(y + i) * scale);
}

} // namespace

extern "C" {

void vadd(const float *a, const float *b, float *out, size_t n) {
  parallel(n / block, [=](size_t first, size_t last) {
    for (size_t i = first * block; i < last * block; i += width)
      store(out + i, load<Vector>(a + i) + load<Vector>(b + i));
  });
}

void silu_f32(const float *a, const float *b, float *out, size_t n) {
  parallel(n / block, [=](size_t first, size_t last) {
    for (size_t i = first * block; i < last * block; i += width)
      store(out + i, siluVector(load<Vector>(a + i), load<Vector>(b + i)));
  });
}

void silu_f16(const _Float16 *a, const _Float16 *b, _Float16 *out, size_t n) {
  parallel(n / block, [=](size_t first, size_t last) {
    for (size_t i = first * block; i < last * block; i += width) {
      Vector x = __builtin_convertvector(load<Halves>(a + i), Vector);
      Vector gate = __builtin_convertvector(load<Halves>(b + i), Vector);
      store(out + i, __builtin_convertvector(siluVector(x, gate), Halves));
    }
  });
}

void softmax(const float *in, float *out, size_t rows, size_t columns) {
  parallel(rows, [=](size_t first, size_t last) {
    for (size_t r = first; r < last; ++r)
      softmaxRow(in + r * columns, out + r * columns, columns);
  });
}

void rmsnorm(const float *in, const float *weight, float *out, size_t rows,
             size_t columns) {
  parallel(rows, [=](size_t begin, size_t end) {
    for (size_t r = begin; r < end; ++r) {
      const float *x = in + r * columns;
      float squares = reduceRow(x, columns, [](Vector v) { return v * v; });
      Vector scale = 1 / std::sqrt(squares / columns + 1e-5f);
      for (size_t i = 0; i < columns; i += width)
        store(out + r * columns + i,
              load<Vector>(x + i) * scale * load<Vector>(weight + i));
    }
  });
}

void reduce(const float *in, float *out, size_t groups) {
  parallel(groups, [=](size_t first, size_t last) {
    for (size_t g = first; g < last; ++g)
      out[g] = reduceRow(in + g * 4096, 4096, [](Vector v) { return v; });
  });
}

/// Register blocks of 4 rows by 2 vectors, no packing.
void matmul(const float *a, const float *b, float *c, size_t n) {
  constexpr int rows = 4, columns = 2;
  parallel(n / rows, [=](size_t first, size_t last) {
    for (size_t i = first * rows; i < last * rows; i += rows)
      for (size_t j = 0; j < n; j += columns * width) {
        Vector sum[rows][columns] = {};
        for (size_t k = 0; k < n; ++k)
          for (int r = 0; r < rows; ++r)
            for (int v = 0; v < columns; ++v)
              sum[r][v] +=
                  a[(i + r) * n + k] * load<Vector>(b + k * n + j + v * width);
        for (int r = 0; r < rows; ++r)
          for (int v = 0; v < columns; ++v)
            store(c + (i + r) * n + j + v * width, sum[r][v]);
      }
  });
}

/// Two vectors in flight, until no lane is left.
void mandelbrot(float *out) {
  parallel(1024, [=](size_t first, size_t last) {
    for (size_t py = first; py < last; ++py)
      for (int px = 0; px < 1024; px += 2 * width) {
        Vector cx[2], x[2] = {}, y[2] = {};
        Integers n[2] = {}, live[2] = {Integers(-1), Integers(-1)};
        float cy = -1.5f + int(py) * (3.0f / 1024);
        for (int u = 0; u < 2; ++u)
          for (int l = 0; l < width; ++l)
            cx[u][l] = -2.0f + (px + u * width + l) * (3.0f / 1024);
        for (int it = 0; it < 256; ++it) {
          for (int u = 0; u < 2; ++u) {
            Vector xx = x[u] * x[u], yy = y[u] * y[u];
            live[u] &= xx + yy < 4.0f;
            n[u] -= live[u];
            y[u] = (x[u] + x[u]) * y[u] + cy;
            x[u] = xx - yy + cx[u];
          }
          if (!__builtin_reduce_or(live[0] | live[1]))
            break;
        }
        for (int u = 0; u < 2; ++u)
          store(out + py * 1024 + px + u * width,
                __builtin_convertvector(n[u], Vector));
      }
  });
}

} // extern "C"
