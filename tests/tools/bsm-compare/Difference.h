//===- Difference.h - Where two results differ ------------------*- C++ -*-===//
#ifndef BESSEMER_TESTS_TOOLS_DIFFERENCE_H
#define BESSEMER_TESTS_TOOLS_DIFFERENCE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace bessemer::testing {

/// Floats of a type ("f16", "bf16", "f32") that may differ a little.
struct Tolerance {
  std::string type;
  unsigned ulps;
};
using Tolerances = std::map<unsigned, Tolerance>;
using Buffers = std::map<unsigned, std::vector<uint8_t>>;

/// The first difference in words, empty if there is none.
std::string findDifference(const Buffers &wanted, const Buffers &got,
                           const Tolerances &tolerances);

} // namespace bessemer::testing

#endif // BESSEMER_TESTS_TOOLS_DIFFERENCE_H
