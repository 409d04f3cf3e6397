//===- Compare.cpp - A kernel's results against what is expected ----------===//
#include "Compare.h"

#include <cmath>
#include <cstring>

using namespace bessemer;
using namespace bessemer::testing;

template <typename T> static T at(const void *data, size_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + index * sizeof(T),
              sizeof(T));
  return value;
}

static double floatAt(const void *data, size_t index, DType type) {
  if (type == DType::F32)
    return at<float>(data, index);
  if (type == DType::F16)
    return static_cast<float>(at<_Float16>(data, index));
  uint32_t bits = uint32_t(at<uint16_t>(data, index)) << 16;
  return at<float>(&bits, 0);
}

static int64_t integerAt(const void *data, size_t index, size_t size) {
  int64_t value = 0;
  std::memcpy(&value, static_cast<const char *>(data) + index * size, size);
  return value;
}

Difference testing::compare(const void *results, const void *expected,
                            size_t bytes, DType type, double relative,
                            double absolute) {
  size_t size = std::max(1u, dtypeSize(type));
  bool isFloat =
      type == DType::F32 || type == DType::F16 || type == DType::BF16;
  Difference difference;
  difference.elements = bytes / size;
  for (size_t i = 0; i < difference.elements; ++i) {
    int64_t x = integerAt(results, i, size), y = integerAt(expected, i, size);
    if (x == y)
      continue;
    std::string text = std::to_string(x) + " expected " + std::to_string(y);
    if (isFloat) {
      double a = floatAt(results, i, type), b = floatAt(expected, i, type);
      if (std::isnan(a) && std::isnan(b))
        continue;
      double error = std::fabs(a - b);
      if (error > 0)
        difference.largest =
            std::max(difference.largest, error / std::max(std::fabs(b), 1e-30));
      if (error <= relative * std::fabs(b) + absolute)
        continue;
      text = std::to_string(a) + " expected " + std::to_string(b);
    }
    if (difference.count++ == 0)
      difference.first = "[" + std::to_string(i) + "] " + text;
  }
  return difference;
}
