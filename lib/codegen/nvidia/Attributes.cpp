//===- Attributes.cpp - Thread attributes in an entry ---------------------===//
//
// CUDA numbers the threads of a block as Metal numbers those of a threadgroup,
// x fastest, so lanes and simdgroups are the hardware's. An edge group is the
// exception: Metal numbers only the threads that are there. Its threads take
// the positions of their hardware number in the smaller shape.
//
//===----------------------------------------------------------------------===//
#include "codegen/nvidia/Attributes.h"

#include "bessemer/abi/cuda.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>

using namespace llvm;

namespace bessemer::codegen::nvidia {

Attributes::Attributes(IRBuilderBase &builder, Value *launch,
                       const Options &options)
    : b(builder), launch(launch), options(options) {
  readHardware();
  if (options.completeGroups) {
    actual = size;
    threads = product(size);
  } else if (!options.anyShape() && options.group[1] * options.group[2] == 1) {
    cutOneRow();
  } else {
    renumber();
  }
  lane = special(llvm::Intrinsic::nvvm_read_ptx_sreg_laneid, 0);
  simdgroup = b.CreateLShr(index, 5);
  actualSimdgroups = simdgroups(threads);
  dispatchSimdgroups = simdgroups(product(size));
}

/// `least`: 1 for what is never zero.
Value *Attributes::launchWord(unsigned offset, unsigned axis, uint64_t least) {
  Value *address =
      b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), launch, offset + 4 * axis);
  LoadInst *load = b.CreateAlignedLoad(b.getInt32Ty(), address, Align(4));
  load->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(b.getContext(), {}));
  if (least)
    load->setMetadata(
        LLVMContext::MD_range,
        MDBuilder(b.getContext()).createRange(APInt(32, least), APInt(32, 0)));
  return load;
}

Value *Attributes::special(llvm::Intrinsic::ID first, unsigned axis) {
  return b.CreateIntrinsic(first + axis, ArrayRef<Value *>());
}

Value *Attributes::product(const Axes &values) {
  return b.CreateMul(b.CreateMul(values[0], values[1]), values[2]);
}

Value *Attributes::linear(const Axes &position, const Axes &extent) {
  Value *rows = b.CreateAdd(b.CreateMul(position[2], extent[1]), position[1]);
  return b.CreateAdd(b.CreateMul(rows, extent[0]), position[0]);
}

Value *Attributes::simdgroups(Value *threads) {
  return b.CreateLShr(b.CreateAdd(threads, b.getInt32(31)), 5);
}

void Attributes::readHardware() {
  using namespace llvm::Intrinsic;
  for (unsigned axis = 0; axis < 3; ++axis) {
    group[axis] = b.CreateNUWAdd(
        special(nvvm_read_ptx_sreg_ctaid_x, axis),
        launchWord(offsetof(bsm_cuda_launch, first_group), axis, 0));
    size[axis] = options.anyShape() ? special(nvvm_read_ptx_sreg_ntid_x, axis)
                                    : b.getInt32(options.group[axis]);
    position[axis] = !options.anyShape() && options.group[axis] == 1
                         ? b.getInt32(0)
                         : special(nvvm_read_ptx_sreg_tid_x, axis);
    if (auto *call = dyn_cast<CallInst>(position[axis]);
        call && !options.anyShape())
      call->addRangeRetAttr(
          ConstantRange(APInt(32, 0), APInt(32, options.group[axis])));
    grid[axis] =
        launchWord(offsetof(bsm_cuda_launch, threads_per_grid), axis, 1);
    groups[axis] =
        launchWord(offsetof(bsm_cuda_launch, threadgroups_per_grid), axis, 1);
    Value *rest =
        b.CreateNUWSub(grid[axis], b.CreateNUWMul(group[axis], size[axis]));
    actual[axis] = b.CreateBinaryIntrinsic(umin, size[axis], rest);
  }
  index = linear(position, size);
}

void Attributes::cutOneRow() {
  actual[1] = actual[2] = b.getInt32(1);
  threads = actual[0];
  isThread = b.CreateICmpULT(position[0], threads);
}

void Attributes::renumber() {
  threads = product(actual);
  isThread = b.CreateICmpULT(index, threads);
  Value *isCut = b.getFalse();
  for (unsigned axis = 0; axis < 3; ++axis)
    isCut = b.CreateOr(isCut, b.CreateICmpNE(actual[axis], size[axis]));
  // Divisions are dear, and few groups need them: a branch, not a select.
  BasicBlock *before = b.GetInsertBlock();
  Instruction *then = SplitBlockAndInsertIfThen(isCut, b.GetInsertPoint(),
                                                /*Unreachable=*/false);
  BasicBlock *after = then->getSuccessor(0);
  b.SetInsertPoint(then);
  Axes cut{b.CreateURem(index, actual[0]), b.CreateUDiv(index, actual[0]),
           nullptr};
  cut[2] = b.CreateUDiv(cut[1], actual[1]);
  cut[1] = b.CreateURem(cut[1], actual[1]);
  b.SetInsertPoint(after, after->getFirstInsertionPt());
  for (unsigned axis = 0; axis < 3; ++axis) {
    PHINode *either = b.CreatePHI(b.getInt32Ty(), 2);
    either->addIncoming(position[axis], before);
    either->addIncoming(cut[axis], then->getParent());
    position[axis] = either;
  }
}

Value *Attributes::entryMask() {
  Value *first = b.CreateAnd(index, ~31u);
  Value *rest = b.CreateNUWSub(threads, first);
  Value *some = b.CreateSub(b.CreateShl(b.getInt32(1), rest), b.getInt32(1));
  return b.CreateSelect(b.CreateICmpUGE(rest, b.getInt32(32)), b.getInt32(~0u),
                        some);
}

Value *Attributes::get(Intrinsic id) const {
  unsigned axis = attributeComponent(id);
  switch (id) {
  case Intrinsic::ThreadPositionInGridX:
  case Intrinsic::ThreadPositionInGridY:
  case Intrinsic::ThreadPositionInGridZ:
    // Neither wraps: grids have at most 2^32 - 1 threads an axis.
    return b.CreateNUWAdd(b.CreateNUWMul(group[axis], size[axis]),
                          position[axis]);
  case Intrinsic::ThreadsPerGridX:
  case Intrinsic::ThreadsPerGridY:
  case Intrinsic::ThreadsPerGridZ:
    return grid[axis];
  case Intrinsic::ThreadPositionInThreadgroupX:
  case Intrinsic::ThreadPositionInThreadgroupY:
  case Intrinsic::ThreadPositionInThreadgroupZ:
    return position[axis];
  case Intrinsic::ThreadgroupPositionInGridX:
  case Intrinsic::ThreadgroupPositionInGridY:
  case Intrinsic::ThreadgroupPositionInGridZ:
    return group[axis];
  case Intrinsic::ThreadgroupsPerGridX:
  case Intrinsic::ThreadgroupsPerGridY:
  case Intrinsic::ThreadgroupsPerGridZ:
    return groups[axis];
  case Intrinsic::ThreadsPerThreadgroupX:
  case Intrinsic::ThreadsPerThreadgroupY:
  case Intrinsic::ThreadsPerThreadgroupZ:
    return actual[axis];
  case Intrinsic::DispatchThreadsPerThreadgroupX:
  case Intrinsic::DispatchThreadsPerThreadgroupY:
  case Intrinsic::DispatchThreadsPerThreadgroupZ:
    return size[axis];
  case Intrinsic::ThreadIndexInThreadgroup:
    return index;
  case Intrinsic::ThreadIndexInSimdgroup:
    return lane;
  case Intrinsic::SimdgroupIndexInThreadgroup:
    return simdgroup;
  case Intrinsic::SimdgroupsPerThreadgroup:
    return actualSimdgroups;
  case Intrinsic::DispatchSimdgroupsPerThreadgroup:
    return dispatchSimdgroups;
  default:
    llvm_unreachable("attribute without a lowering");
  }
}

} // namespace bessemer::codegen::nvidia
