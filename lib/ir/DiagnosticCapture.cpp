//===- DiagnosticCapture.cpp - MLIR's diagnostics as one text -------------===//
#include "ir/DiagnosticCapture.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace bessemer;
using namespace mlir;

/// A damaged file can make MLIR report the same thing without end.
static constexpr size_t longestText = 1 << 14;

std::string bessemer::locationText(Location location) {
  std::string text;
  if (auto at = location->findInstanceOf<FileLineColLoc>()) {
    if (at.getFilename().getValue() != programText)
      text = at.getFilename().str() + ":";
    text += std::to_string(at.getLine());
    if (at.getColumn())
      text += ":" + std::to_string(at.getColumn());
  } else if (auto named = location->findInstanceOf<NameLoc>()) {
    text = named.getName().str();
  }
  return text;
}

DiagnosticCapture::DiagnosticCapture(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
            text.size() > longestText)
          return success();
        // MLIR's verifier says it again, less well.
        std::string message = diagnostic.str();
        if (!text.empty() &&
            StringRef(message).ends_with("op failed to infer returned types"))
          return success();
        if (!text.empty())
          text += '\n';
        if (std::string at = locationText(diagnostic.getLocation());
            !at.empty())
          text += at + ": ";
        text += message;
        return success();
      }) {}

Error DiagnosticCapture::error(ErrorKind kind, StringRef otherwise) const {
  return makeError(kind, text.empty() ? otherwise.str() : text);
}
