//===- Compare.h - A kernel's results against what is expected --*- C++ -*-===//
#ifndef BESSEMER_TESTS_TOOLS_COMPARE_H
#define BESSEMER_TESTS_TOOLS_COMPARE_H

#include "bessemer/reflection.h"

namespace bessemer::testing {

struct Difference {
  size_t count = 0, elements = 0; ///< Elements that differ, and all.
  double largest = 0;             ///< Of the relative errors.
  std::string first;              ///< "[3] 1.5 expected 2"
};

/// Compares element by element: equal bits, both NaN, or floats within
/// relative * |expected| + absolute.
Difference compare(const void *results, const void *expected, size_t bytes,
                   DType type, double relative, double absolute);

} // namespace bessemer::testing

#endif // BESSEMER_TESTS_TOOLS_COMPARE_H
