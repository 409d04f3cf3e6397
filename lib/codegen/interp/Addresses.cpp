//===- Addresses.cpp - getelementptr --------------------------------------===//
#include "codegen/interp/Evaluate.h"
#include "codegen/interp/Pointer.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"

using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

/// A leaf of a vector of pointers or indices; scalars stand for all lanes.
static const Bits &lane(const Leaves &value, unsigned index) {
  return value.size() == 1 ? value[0] : value[index];
}

static uint64_t elementPointer(const GEPOperator &pointer, Operands operands,
                               const DataLayout &layout, unsigned index) {
  int64_t offset = 0;
  unsigned operand = 1;
  for (auto type = gep_type_begin(pointer), end = gep_type_end(pointer);
       type != end; ++type, ++operand) {
    const Bits &subscript = lane(*operands[operand], index);
    if (StructType *record = type.getStructTypeOrNull()) {
      unsigned member = subscript.getZExtValue();
      offset += layout.getStructLayout(record)->getElementOffset(member);
      continue;
    }
    uint64_t stride = type.getSequentialElementStride(layout);
    // Unsigned: overflow of a wild subscript must wrap, not be undefined.
    offset = int64_t(uint64_t(offset) +
                     stride * subscript.sextOrTrunc(64).getZExtValue());
  }
  return movePointer(lane(*operands[0], index).getZExtValue(), offset);
}

Leaves interp::evaluateElementPointer(const GEPOperator &pointer,
                                      Operands operands,
                                      const DataLayout &layout) {
  Leaves result;
  for (unsigned i = 0; i < leafCount(pointer.getType()); ++i)
    result.push_back(Bits(64, elementPointer(pointer, operands, layout, i)));
  return result;
}
