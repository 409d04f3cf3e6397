//===- DialectVersion.h - Version of the dialects in bytecode ---*- C++ -*-===//
#ifndef BESSEMER_IR_DIALECT_DIALECTVERSION_H
#define BESSEMER_IR_DIALECT_DIALECTVERSION_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace bessemer {

/// Raised with every change of the dialects that older readers would
/// misunderstand; all three dialects share it.
inline constexpr uint64_t currentDialectVersion = 1;

struct NumberedVersion : mlir::DialectVersion {
  uint64_t number = currentDialectVersion;
};

/// Writes the version with the dialect; refuses files of a newer one.
class VersionedBytecode : public mlir::BytecodeDialectInterface {
public:
  explicit VersionedBytecode(mlir::Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(mlir::DialectBytecodeWriter &writer) const override;
  std::unique_ptr<mlir::DialectVersion>
  readVersion(mlir::DialectBytecodeReader &reader) const override;
};

} // namespace bessemer

#endif // BESSEMER_IR_DIALECT_DIALECTVERSION_H
