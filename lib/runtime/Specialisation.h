//===- Specialisation.h - What a kernel's code is made for ------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_SPECIALISATION_H
#define BESSEMER_RUNTIME_SPECIALISATION_H

#include "bessemer/abi/launch.h"

#include <array>
#include <compare>
#include <cstdint>

namespace bessemer::runtime {

using GroupShape = std::array<uint32_t, 3>;

struct Specialisation {
  GroupShape group{};
  bool completeGroups = false; ///< No group of the grid is cut.
  auto operator<=>(const Specialisation &) const = default;
};

/// What a dispatch needs at least.
inline Specialisation specialisationFor(const bsm_launch &launch) {
  Specialisation form{{}, true};
  for (unsigned axis = 0; axis < 3; ++axis) {
    form.group[axis] = launch.threads_per_threadgroup[axis];
    form.completeGroups &=
        launch.threads_per_grid[axis] % form.group[axis] == 0;
  }
  return form;
}

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_SPECIALISATION_H
