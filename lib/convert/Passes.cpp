//===- Passes.cpp - The conversions as passes of bsm-ir-opt ---------------===//
#include "convert/Convert.h"
#include "ir/Registration.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace bessemer;
using namespace mlir;

namespace {
/// Runs one Status-returning conversion on the module.
template <typename Derived>
struct ConversionPass : PassWrapper<Derived, OperationPass<ModuleOp>> {
  void report(const Status &status) {
    if (status)
      return;
    emitError(UnknownLoc::get(&this->getContext()), status.error().message);
    this->signalPassFailure();
  }
};

struct LowerTorchPass : ConversionPass<LowerTorchPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerTorchPass)
  StringRef getArgument() const final { return "lower-torch"; }
  StringRef getDescription() const final {
    return "Lowers torch.call to coreai ops and canonicalises";
  }
  void runOnOperation() final { report(lowerTorch(getOperation())); }
};
} // namespace

void bessemer::registerAllBessemerPasses() {
  PassRegistration<LowerTorchPass>();
}
