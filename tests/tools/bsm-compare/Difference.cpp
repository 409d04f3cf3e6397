//===- Difference.cpp - Where two results differ --------------------------===//
#include "Difference.h"
#include "Setup.h"

#include <cstdlib>

using namespace bessemer;
using namespace bessemer::testing;

namespace {
struct Format {
  unsigned bytes, mantissa; ///< Mantissa bits that are stored.
};
} // namespace

static Format formatOf(const std::string &type) {
  if (type == "f32")
    return {4, 23};
  return {2, type == "bf16" ? 7u : 10u};
}

static uint64_t word(const std::vector<uint8_t> &bytes, size_t at,
                     unsigned size) {
  uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i)
    value |= uint64_t(bytes[at + i]) << 8 * i;
  return value;
}

static bool isNaN(uint64_t bits, const Format &format) {
  uint64_t magnitude = bits & ((uint64_t(1) << (format.bytes * 8 - 1)) - 1);
  uint64_t infinity = ((uint64_t(1) << (format.bytes * 8 - 1)) - 1) >>
                      format.mantissa << format.mantissa;
  return magnitude > infinity;
}

/// Encodings as integers in the order of the numbers, so that neighbours differ
/// by one.
static int64_t ordered(uint64_t bits, const Format &format) {
  uint64_t sign = uint64_t(1) << (format.bytes * 8 - 1);
  return bits & sign ? -int64_t(bits & (sign - 1)) : int64_t(bits);
}

static bool isClose(uint64_t a, uint64_t b, const Format &format,
                    unsigned ulps) {
  if (isNaN(a, format) || isNaN(b, format))
    return isNaN(a, format) && isNaN(b, format);
  return a == b ||
         (ulps > 0 && uint64_t(std::llabs(ordered(a, format) -
                                          ordered(b, format))) <= ulps);
}

std::string testing::findDifference(const Buffers &wanted, const Buffers &got,
                                    const Tolerances &tolerances) {
  for (const auto &[index, bytes] : wanted) {
    const std::vector<uint8_t> &other = got.at(index);
    auto tolerance = tolerances.find(index);
    bool isFloat = tolerance != tolerances.end();
    Format format = isFloat ? formatOf(tolerance->second.type) : Format{1, 0};
    for (size_t at = 0; at + format.bytes <= bytes.size(); at += format.bytes) {
      uint64_t a = word(bytes, at, format.bytes);
      uint64_t b = word(other, at, format.bytes);
      if (a == b || (isFloat && isClose(a, b, format, tolerance->second.ulps)))
        continue;
      return "buffer " + std::to_string(index) + " differs at byte " +
             std::to_string(at) + ": " + std::to_string(b) + " instead of " +
             std::to_string(a);
    }
  }
  return {};
}
