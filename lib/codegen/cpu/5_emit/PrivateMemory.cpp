//===- PrivateMemory.cpp - Arrays that every lane has one of --------------===//

#include "codegen/cpu/5_emit/Emitter.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

/// Address of the chunk's block: on the stack, or in the context where it
/// survives barriers.
Value *Emitter::privateMemory(Instruction &instruction,
                              const PrivateBlock &block) {
  if (isa<AllocaInst>(instruction))
    return scratch(
        ArrayType::get(b.getInt8Ty(), block.bytes * options.lanesInFlight),
        Align(64), "private");
  auto &call = cast<CallInst>(instruction);
  Value *context = body->getArg(body->arg_size() - RegionParameters::Count +
                                RegionParameters::Context);
  Value *start =
      b.CreateGEP(b.getInt8Ty(), context,
                  b.CreateZExt(uniform(call.getArgOperand(0)), b.getInt64Ty()));
  if (cast<ConstantInt>(call.getArgOperand(3))->isZero())
    return start;
  Value *chunk = b.CreateMul(b.CreateZExt(firstThread(), b.getInt64Ty()),
                             b.getInt64(block.bytes));
  return b.CreateGEP(b.getInt8Ty(), start, chunk);
}

/// In an interleaved block every byte offset counts W times.
Value *Emitter::interleavedAddress(GetElementPtrInst &address,
                                   Scalars operands) {
  int64_t width = options.lanesInFlight, constant = 0;
  Value *pointer = operands[0], *offset = nullptr;
  unsigned number = 1;
  bool varying = any_of(operands, [](Value *operand) {
    return operand->getType()->isVectorTy();
  });
  auto widened = [&](Value *value) {
    return varying && !value->getType()->isVectorTy() ? splat(value) : value;
  };
  for (auto index = gep_type_begin(address), end = gep_type_end(address);
       index != end; ++index, ++number) {
    if (auto *type = index.getStructTypeOrNull()) {
      unsigned field = cast<ConstantInt>(index.getOperand())->getZExtValue();
      constant += layout.getStructLayout(type)->getElementOffset(field);
      continue;
    }
    Value *position = widened(operands[number]);
    Type *type = position->getType()->getWithNewType(b.getInt64Ty());
    uint64_t step = index.getSequentialElementStride(layout).getFixedValue();
    position = b.CreateMul(b.CreateSExtOrTrunc(position, type),
                           ConstantInt::get(type, step * width));
    offset = offset ? b.CreateAdd(offset, position) : position;
  }
  if (constant)
    pointer = b.CreateGEP(b.getInt8Ty(), pointer, b.getInt64(constant * width));
  return offset ? b.CreateGEP(b.getInt8Ty(), pointer, offset) : pointer;
}

} // namespace bessemer::codegen::cpu
