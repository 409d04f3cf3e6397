//===- Serialize.h - Plans as bytes -----------------------------*- C++ -*-===//
//
// Flat, versioned, little-endian. `deserialize` accepts any bytes: it returns
// a verified plan or an Error of kind Corrupt, and allocates no more than the
// bytes justify.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_PLAN_SERIALIZE_H
#define BESSEMER_PLAN_SERIALIZE_H

#include "bessemer/result.h"
#include "plan/Plan.h"

#include <string>
#include <string_view>

namespace bessemer::plan {

/// Bumped by every change of Plan.h or of the encoding.
inline constexpr uint32_t formatVersion = 4;

std::string serialize(const Plan &plan);
Result<Plan> deserialize(std::string_view bytes);

} // namespace bessemer::plan

#endif // BESSEMER_PLAN_SERIALIZE_H
