//===- Convolution.cpp - Convolutions as matrix products ------------------===//
//
// For a range of output places the input elements under each tap of the filters
// become a row of a matrix; the filters times that matrix are the outputs.
// Ranges depend on the shapes alone and go to the pool's threads.
//
//===----------------------------------------------------------------------===//
#include "runtime/gemm/Convolution.h"

#include "runtime/FloatEnvironment.h"
#include "runtime/gemm/Convert.h"
#include "runtime/gemm/Sgemm.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <vector>

using namespace bessemer;
using namespace bessemer::runtime;

namespace {
/// Floats of a range's matrix that stay in the second-level cache.
constexpr int64_t cachedFloats = 1 << 17;
constexpr int64_t leastPlaces = 64;
/// Ranges that there should be at least, for the threads.
constexpr int64_t wantedRanges = 32;

class Runner {
public:
  explicit Runner(const Convolution &c);
  /// False if memory is missing or the library refuses.
  bool prepare();
  int64_t rangeCount() const { return c.batch * c.groups * ranges; }
  bool run(int64_t range);

private:
  const std::byte *inputOf(int64_t image, int64_t channel) const {
    return static_cast<const std::byte *>(c.input) +
           (image * c.groups * c.channels + channel) * inputPlaces * size;
  }
  void fillRow(const std::byte *channel, std::array<int64_t, 3> tap,
               int64_t first, int64_t count, float *row) const;
  void fillLine(const std::byte *line, int64_t tap, int64_t first,
                int64_t count, float *row) const;

  const Convolution &c;
  int64_t size, places, inputPlaces, taps, depth, step, ranges;
  bool isInPlace; ///< The input is the matrix.
  std::vector<float> widened;
  const float *weight = nullptr;
};
} // namespace

Runner::Runner(const Convolution &c) : c(c), size(dtypeSize(c.dtype)) {
  places = inputPlaces = taps = 1;
  bool isPointwise = true;
  for (const Convolution::Axis &axis : c.axes) {
    places *= axis.output;
    inputPlaces *= axis.input;
    taps *= axis.kernel;
    isPointwise &= axis.kernel == 1 && axis.stride == 1 && axis.padding == 0 &&
                   axis.output == axis.input;
  }
  isInPlace = isPointwise && c.dtype == DType::F32;
  depth = c.channels * taps;
  int64_t share = places * c.batch * c.groups / wantedRanges;
  int64_t cached = cachedFloats / std::max<int64_t>(depth, 1);
  step = std::max(leastPlaces, std::min(cached, share));
  ranges = (places + step - 1) / step;
}

bool Runner::prepare() try {
  weight = static_cast<const float *>(c.weight);
  if (c.dtype == DType::F32)
    return true;
  widened.resize(c.groups * c.filters * depth);
  widen(c.weight, c.dtype, 1, widened.data(), int64_t(widened.size()));
  weight = widened.data();
  return true;
} catch (const std::bad_alloc &) {
  return false;
}

/// `count` places of one output line from `first` on, under one tap.
void Runner::fillLine(const std::byte *line, int64_t tap, int64_t first,
                      int64_t count, float *row) const {
  const Convolution::Axis &axis = c.axes[2];
  int64_t offset = tap * axis.dilation - axis.padding;
  // Places whose element lies inside [0, input).
  auto placeOf = [&](int64_t element) { // First place at or behind it.
    int64_t distance = element - offset;
    return distance <= 0 ? 0 : (distance + axis.stride - 1) / axis.stride;
  };
  int64_t begin = std::clamp(placeOf(0), first, first + count);
  int64_t end = std::clamp(placeOf(axis.input), begin, first + count);
  std::fill(row, row + (begin - first), 0.0f);
  if (begin < end)
    widen(line + (begin * axis.stride + offset) * size, c.dtype, axis.stride,
          row + (begin - first), end - begin);
  std::fill(row + (end - first), row + count, 0.0f);
}

/// One row of the matrix: one tap of one channel.
void Runner::fillRow(const std::byte *channel, std::array<int64_t, 3> tap,
                     int64_t first, int64_t count, float *row) const {
  int64_t width = c.axes[2].output, height = c.axes[1].output;
  while (count > 0) {
    int64_t x = first % width, run = std::min(width - x, count);
    std::array<int64_t, 2> place{first / width / height,
                                 first / width % height};
    int64_t line = 0;
    bool isInside = true;
    for (unsigned i = 0; i < 2; ++i) {
      const Convolution::Axis &axis = c.axes[i];
      int64_t at =
          place[i] * axis.stride + tap[i] * axis.dilation - axis.padding;
      isInside &= at >= 0 && at < axis.input;
      line = line * axis.input + at;
    }
    if (isInside)
      fillLine(channel + line * c.axes[2].input * size, tap[2], x, run, row);
    else
      std::fill(row, row + run, 0.0f);
    first += run;
    count -= run;
    row += run;
  }
}

bool Runner::run(int64_t range) try {
  static thread_local std::vector<float> matrix, result;
  int64_t first = range % ranges * step;
  int64_t count = std::min(step, places - first);
  int64_t image = range / ranges / c.groups, group = range / ranges % c.groups;
  FloatMatrix columns{nullptr, count, 'N'};
  if (isInPlace) {
    columns.data =
        reinterpret_cast<const float *>(inputOf(image, group * c.channels)) +
        first;
    columns.leading = places;
  } else {
    matrix.resize(depth * count);
    for (int64_t row = 0; row < depth; ++row) {
      int64_t tap = row % taps;
      std::array<int64_t, 3> place{tap / c.axes[2].kernel / c.axes[1].kernel,
                                   tap / c.axes[2].kernel % c.axes[1].kernel,
                                   tap % c.axes[2].kernel};
      fillRow(inputOf(image, group * c.channels + row / taps), place, first,
              count, matrix.data() + row * count);
    }
    columns.data = matrix.data();
  }
  FloatMatrix filters{weight + group * c.filters * depth, depth, 'N'};
  std::byte *target =
      static_cast<std::byte *>(c.output) +
      ((image * c.groups + group) * c.filters * places + first) * size;
  if (c.dtype == DType::F32)
    return sgemm(filters, columns, reinterpret_cast<float *>(target), places,
                 c.filters, count, depth);
  result.resize(c.filters * count);
  if (!sgemm(filters, columns, result.data(), count, c.filters, count, depth))
    return false;
  for (int64_t i = 0; i < c.filters; ++i)
    narrow(result.data() + i * count, target + i * places * size, c.dtype,
           count);
  return true;
} catch (const std::bad_alloc &) {
  return false;
}

Status runtime::convolve(ThreadPool &pool, const Convolution &convolution) {
  Runner runner(convolution);
  std::atomic<bool> failed{!runner.prepare()};
  if (!failed)
    pool.parallelFor(runner.rangeCount(), 1,
                     [&](uint64_t first, uint64_t last) {
                       FloatEnvironment environment;
                       for (; first < last; ++first)
                         if (!runner.run(int64_t(first)))
                           failed.store(true);
                     });
  if (failed)
    return makeError(ErrorKind::Internal,
                     "a convolution failed: oneDNN refused it or memory is "
                     "exhausted");
  return {};
}
