//===- StridedCopy.cpp - Copies between any two layouts -------------------===//
#include "runtime/StridedCopy.h"

#include <cstring>

using namespace bessemer;
using namespace bessemer::runtime;

namespace {
/// One dimension of a copy; strides in bytes.
struct Dimension {
  int64_t extent, from, to;
};
} // namespace

static std::vector<int64_t> stridesOf(const Tensor &tensor) {
  if (!tensor.strides.empty())
    return tensor.strides;
  std::vector<int64_t> strides(tensor.shape.size());
  int64_t dense = 1;
  for (size_t i = strides.size(); i-- > 0; dense *= tensor.shape[i])
    strides[i] = dense;
  return strides;
}

/// Outermost first, neighbours merged where both sides run on.
static std::vector<Dimension> dimensions(const Tensor &from, const Tensor &to) {
  std::vector<int64_t> a = stridesOf(from), b = stridesOf(to);
  int64_t size = dtypeSize(from.dtype);
  std::vector<Dimension> merged;
  for (size_t i = 0; i < from.shape.size(); ++i) {
    Dimension next{from.shape[i], a[i] * size, b[i] * size};
    if (next.extent == 1)
      continue;
    Dimension *last = merged.empty() ? nullptr : &merged.back();
    if (last && last->from == next.from * next.extent &&
        last->to == next.to * next.extent)
      *last = {last->extent * next.extent, next.from, next.to};
    else
      merged.push_back(next);
  }
  if (merged.empty())
    merged.push_back({1, size, size});
  return merged;
}

template <typename T>
static void copyElements(const std::byte *from, std::byte *to,
                         const Dimension &d) {
  for (int64_t i = 0; i < d.extent; ++i)
    std::memcpy(to + i * d.to, from + i * d.from, sizeof(T));
}

/// The innermost dimension.
static void copyRow(const std::byte *from, std::byte *to, const Dimension &d,
                    unsigned size) {
  if (d.from == size && d.to == size)
    std::memcpy(to, from, d.extent * size);
  else if (size == 1)
    copyElements<uint8_t>(from, to, d);
  else if (size == 2)
    copyElements<uint16_t>(from, to, d);
  else if (size == 4)
    copyElements<uint32_t>(from, to, d);
  else
    copyElements<uint64_t>(from, to, d);
}

void runtime::copyStrided(ThreadPool &pool, const Tensor &from,
                          const Tensor &to) {
  if (from.elementCount() == 0)
    return;
  std::vector<Dimension> dims = dimensions(from, to);
  Dimension inner = dims.back();
  dims.pop_back();
  int64_t rows = 1;
  for (const Dimension &d : dims)
    rows *= d.extent;
  unsigned size = dtypeSize(from.dtype);
  // A thread should have 64 KiB or more to copy.
  uint64_t chunk = 65536 / (inner.extent * size) + 1;
  pool.parallelFor(rows, chunk, [&](uint64_t first, uint64_t last) {
    for (uint64_t row = first; row < last; ++row) {
      auto *source = static_cast<const std::byte *>(from.data);
      auto *target = static_cast<std::byte *>(to.data);
      uint64_t rest = row;
      for (size_t i = dims.size(); i-- > 0; rest /= dims[i].extent) {
        int64_t index = rest % dims[i].extent;
        source += index * dims[i].from;
        target += index * dims[i].to;
      }
      copyRow(source, target, inner, size);
    }
  });
}
