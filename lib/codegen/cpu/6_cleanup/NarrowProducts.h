//===- NarrowProducts.h - Products of 16-bit integers -----------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_CPU_CLEANUP_NARROWPRODUCTS_H
#define BESSEMER_CODEGEN_CPU_CLEANUP_NARROWPRODUCTS_H

#include "llvm/IR/Function.h"

namespace bessemer::codegen::cpu {

/// A product of vectors that were extended from 16 to more than 32 bits is
/// formed in 32 bits, which hold it. LLVM 22 for x86 makes wrong code of the
/// wide form: it takes `product >> 16` for the extended high half whatever the
/// kind of shift, although the bits above 32 are copies of the sign.
void narrowProducts(llvm::Function &function);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_CLEANUP_NARROWPRODUCTS_H
