//===- main.cpp - mlir-opt with the project's dialects and passes ---------===//
#include "ir/Registration.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  bessemer::registerDialects(registry);
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  bessemer::registerAllBessemerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Bessemer IR driver", registry));
}
