//===- DiagnosticCapture.h - MLIR's diagnostics as one text -----*- C++ -*-===//
#ifndef BESSEMER_IR_DIAGNOSTICCAPTURE_H
#define BESSEMER_IR_DIAGNOSTICCAPTURE_H

#include "bessemer/result.h"

#include "mlir/IR/Diagnostics.h"

namespace bessemer {

/// The name under which program text is parsed: its locations print as
/// "line:column" and are not saved.
inline constexpr llvm::StringLiteral programText = "-";

/// Collects the errors that MLIR emits on this thread while it lives.
class DiagnosticCapture {
public:
  explicit DiagnosticCapture(mlir::MLIRContext *context);

  /// An Error with what was collected, or `otherwise` if that is nothing.
  Error error(ErrorKind kind, llvm::StringRef otherwise) const;

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

/// "3:14", "model.py:12", or empty.
std::string locationText(mlir::Location location);

} // namespace bessemer

#endif // BESSEMER_IR_DIAGNOSTICCAPTURE_H
