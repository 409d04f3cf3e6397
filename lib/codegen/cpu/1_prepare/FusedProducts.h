//===- FusedProducts.h - llvm.fmuladd rounds once ---------------*- C++ -*-===//
//
// Kernel IR promises that llvm.fmuladd is fused (Interpreter.h). LLVM may split
// it, and does where both factors are constants, which differs between bodies.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_CPU_FUSEDPRODUCTS_H
#define BESSEMER_CODEGEN_CPU_FUSEDPRODUCTS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace bessemer::codegen::cpu {

/// Makes it llvm.fma for floats where the target has the instruction. Elsewhere
/// that would be a computation in double; there it stays two roundings.
void fuseProducts(llvm::Module &module, const llvm::TargetMachine &target);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_FUSEDPRODUCTS_H
