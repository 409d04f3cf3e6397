//===- main.cpp - mlir-opt with the project's dialects and passes ---------===//
#include "ir/Registration.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

// Weak, so that the dialects' tests do not need the converter to build.
[[gnu::weak]] void bessemer::registerAllBessemerPasses();

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  bessemer::registerDialects(registry);
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  if (bessemer::registerAllBessemerPasses)
    bessemer::registerAllBessemerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Bessemer IR driver", registry));
}
