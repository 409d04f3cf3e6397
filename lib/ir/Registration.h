//===- Registration.h - What an MLIR context needs to know ------*- C++ -*-===//
#ifndef BESSEMER_IR_REGISTRATION_H
#define BESSEMER_IR_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"

namespace bessemer {

/// The coreai, coreaix and torch dialects.
void registerDialects(mlir::DialectRegistry &registry);

/// Every pass of the project by name, for bsm-ir-opt. Defined by lib/convert.
void registerAllBessemerPasses();

} // namespace bessemer

#endif // BESSEMER_IR_REGISTRATION_H
