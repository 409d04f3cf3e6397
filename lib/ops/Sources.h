//===- Sources.h - The operator library's Metal sources ---------*- C++ -*-===//
//
// Each .metal file of this folder, by name. They are compiled by the project's
// own front end, as part of the plans that use them: the element type is the
// macro T, the type it is computed in A.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_OPS_SOURCES_H
#define BESSEMER_OPS_SOURCES_H

#include <string>
#include <string_view>

namespace bessemer::ops {

/// The text of NAME.metal; empty if there is none.
const std::string &source(std::string_view name);

} // namespace bessemer::ops

#endif // BESSEMER_OPS_SOURCES_H
