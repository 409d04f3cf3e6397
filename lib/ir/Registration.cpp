//===- Registration.cpp - What an MLIR context needs to know --------------===//
#include "ir/Registration.h"

#include "ir/dialect/CoreAIX.h"
#include "ir/dialect/Torch.h"

void bessemer::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<coreai::CoreAIDialect, coreaix::CoreAIXDialect,
                  torch::TorchDialect>();
}
