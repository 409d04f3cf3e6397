//===- DialectVersion.cpp - Version of the dialects in bytecode -----------===//
#include "ir/dialect/DialectVersion.h"

#include "mlir/IR/Dialect.h"

using namespace bessemer;
using namespace mlir;

void VersionedBytecode::writeVersion(DialectBytecodeWriter &writer) const {
  writer.writeVarInt(currentDialectVersion);
}

std::unique_ptr<DialectVersion>
VersionedBytecode::readVersion(DialectBytecodeReader &reader) const {
  auto version = std::make_unique<NumberedVersion>();
  if (failed(reader.readVarInt(version->number)))
    return nullptr;
  if (version->number <= currentDialectVersion)
    return version;
  reader.emitError("the program uses version ")
      << version->number << " of dialect '" << getDialect()->getNamespace()
      << "'; this build reads up to " << currentDialectVersion
      << ": update Bessemer or save the program again";
  return nullptr;
}
