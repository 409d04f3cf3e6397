//===- TextLimits.h - Text that the parser must not see ---------*- C++ -*-===//
#ifndef BESSEMER_IR_TEXTLIMITS_H
#define BESSEMER_IR_TEXTLIMITS_H

#include "bessemer/result.h"

#include <string_view>

namespace bessemer {

/// MLIR's parser recurses for each nested bracket and each term of an affine
/// expression; what would overflow its stack is an Error with line:column.
Status checkTextLimits(std::string_view text);

} // namespace bessemer

#endif // BESSEMER_IR_TEXTLIMITS_H
