//===- Torch.cpp - One generic op for every ATen call ---------------------===//
#include "ir/dialect/Torch.h"
#include "ir/dialect/DialectVersion.h"

#include "mlir/IR/Builders.h"

using namespace bessemer;
using namespace bessemer::torch;
using namespace mlir;

#include "ir/dialect/TorchDialect.cpp.inc"
#define GET_OP_CLASSES
#include "ir/dialect/Torch.cpp.inc"

void TorchDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ir/dialect/Torch.cpp.inc"
      >();
  addInterfaces<VersionedBytecode>();
}
