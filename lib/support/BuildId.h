//===- BuildId.h - Identity of the linked code ------------------*- C++ -*-===//
#ifndef BESSEMER_SUPPORT_BUILDID_H
#define BESSEMER_SUPPORT_BUILDID_H

#include <string>

namespace bessemer {

/// The GNU build id (lowercase hex) of the shared object or program that this
/// code is linked into: part of every cache key, so that no build reads what
/// another one wrote. Empty if it was linked without one.
const std::string &buildId();

} // namespace bessemer

#endif // BESSEMER_SUPPORT_BUILDID_H
