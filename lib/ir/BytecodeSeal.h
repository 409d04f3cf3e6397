//===- BytecodeSeal.h - A checksum inside MLIR bytecode ---------*- C++ -*-===//
//
// MLIR's bytecode reader trusts its input: damaged bytes make it write outside
// its tables, which no crash recovery can undo. The producer string of our
// files therefore holds a checksum of everything but the weights, and is
// checked before MLIR sees the file. (It is no signature: it tells damage, not
// malice.)
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_IR_BYTECODESEAL_H
#define BESSEMER_IR_BYTECODESEAL_H

#include "bessemer/result.h"

#include "llvm/ADT/StringRef.h"

namespace bessemer {

/// The producer string to write with; sealBytecode fills in its digits.
inline constexpr llvm::StringLiteral sealedProducer =
    "bessemer 0000000000000000";

/// Writes the checksum into the producer string of fresh bytecode.
Status sealBytecode(std::string &bytes);

/// Checks the checksum. Reads all sections but the weights'.
Status checkSeal(llvm::StringRef bytes);

} // namespace bessemer

#endif // BESSEMER_IR_BYTECODESEAL_H
