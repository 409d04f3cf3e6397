//===- Convert.h - Programs in, plans out -----------------------*- C++ -*-===//
#ifndef BESSEMER_CONVERT_CONVERT_H
#define BESSEMER_CONVERT_CONVERT_H

#include "bessemer/compiler.h"
#include "ir/Program.h"
#include "plan/Plan.h"

#include <string_view>
#include <vector>

namespace bessemer {

/// Lowers every torch.call to coreai ops (torch/TorchToCoreAI.h has the
/// contract), canonicalises, gathers the constants at the top of each graph and
/// marks the graphs as pure. An Error names the ATen op and its location.
Status lowerTorch(IRProgram &program);
Status lowerTorch(mlir::ModuleOp module);

/// The plan of one graph. The program is not changed.
Result<plan::Plan> buildPlan(IRProgram &program, std::string_view function);

/// Compiles every kernel of the program and compares what it takes with what
/// the program passes; one failure for each kernel that is not right.
std::vector<CompileFailure> checkKernels(IRProgram &program);

} // namespace bessemer

#endif // BESSEMER_CONVERT_CONVERT_H
