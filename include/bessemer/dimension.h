//===- dimension.h - Sizes of dynamic extents -------------------*- C++ -*-===//
#ifndef BESSEMER_DIMENSION_H
#define BESSEMER_DIMENSION_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bessemer {

/// A size that dynamic extents of a graph's inputs depend on.
struct GraphDimension {
  struct Use {
    uint32_t input = 0, axis = 0;
    int64_t factor = 1, offset = 0; ///< extent = factor * size + offset.
  };
  std::string name;
  int64_t min = 0;
  std::optional<int64_t> max;
  std::vector<Use> uses;
};

} // namespace bessemer

#endif // BESSEMER_DIMENSION_H
