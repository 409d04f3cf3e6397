//===- PointerRemapper.h - Types with pointers of other spaces --*- C++ -*-===//
//
// Maps pointer types by a rule, and every type built of them, for a clone of
// code in which pointers change their address space.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_COMMON_POINTERREMAPPER_H
#define BESSEMER_CODEGEN_COMMON_POINTERREMAPPER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace bessemer::codegen {

class PointerRemapper : public llvm::ValueMapTypeRemapper {
public:
  llvm::Type *remapType(llvm::Type *type) override;

protected:
  /// The address space of what pointed into `space`.
  virtual unsigned remapSpace(unsigned space) = 0;

private:
  llvm::SmallVector<llvm::Type *> remapAll(llvm::ArrayRef<llvm::Type *> types);
};

} // namespace bessemer::codegen

#endif // BESSEMER_CODEGEN_COMMON_POINTERREMAPPER_H
