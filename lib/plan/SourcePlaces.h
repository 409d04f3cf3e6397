//===- SourcePlaces.h - Messages in the user's terms ------------*- C++ -*-===//
#ifndef BESSEMER_PLAN_SOURCEPLACES_H
#define BESSEMER_PLAN_SOURCEPLACES_H

#include "plan/Plan.h"

#include <string_view>

namespace bessemer::plan {

/// A message about a kernel of `source`, which speaks of "NAME.metal:8" and of
/// kernel 'NAME', with the line of the user's file that stands there and the
/// name that the user gave the kernel. A column goes: the user's line begins
/// elsewhere.
std::string inUserTerms(const KernelSource &source, std::string_view message);

} // namespace bessemer::plan

#endif // BESSEMER_PLAN_SOURCEPLACES_H
