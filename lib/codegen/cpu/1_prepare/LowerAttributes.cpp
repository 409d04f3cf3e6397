//===- LowerAttributes.cpp - Thread attributes in the chosen layout -------===//
//
// Uniform attributes become loads from the launch and region parameters; what
// differs between lanes becomes arithmetic over the few calls that Region.h
// lists. The shape being a constant here is what lets the scalar optimiser see
// through index arithmetic.
//
//===----------------------------------------------------------------------===//

#include "codegen/common/Intrinsics.h"
#include "codegen/common/LaunchLayout.h"
#include "codegen/cpu/1_prepare/Prepare.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

constexpr unsigned maximumThreads = 1024;

class Lowering {
public:
  Lowering(Function &region, const RegionOptions &options)
      : region(region), options(options), builder(region.getContext()) {}

  void run() {
    for (Instruction &instruction :
         make_early_inc_range(instructions(region))) {
      Intrinsic id = intrinsicOf(&instruction);
      if (intrinsicInfo(id).family != IntrinsicFamily::Attribute)
        continue;
      builder.SetInsertPoint(&instruction);
      instruction.replaceAllUsesWith(lower(id, attributeComponent(id)));
      instruction.eraseFromParent();
    }
  }

private:
  Value *lower(Intrinsic id, unsigned axis);

  Value *threadPositionInGrid(unsigned axis);
  Value *threadPosition(unsigned axis);
  Value *threadPositionByDivision(unsigned axis);
  Value *threadsPerThreadgroup(unsigned axis);
  Value *dispatchThreads(unsigned axis);
  Value *simdgroups(function_ref<Value *(unsigned)> threads);

  bool complete() const {
    return !options.anyShape() && options.layout == LaneLayout::Position;
  }
  /// The whole group lies along x, so the position is the index.
  bool oneRow() const {
    return !options.anyShape() && options.group[1] * options.group[2] == 1;
  }
  unsigned mostThreads() const {
    return options.anyShape() ? maximumThreads : options.threads();
  }
  Value *parameter(RegionParameters::Number number, unsigned axis = 0) {
    return RegionParameters::get(
        region, static_cast<RegionParameters::Number>(number + axis));
  }
  /// The call that remains in the region, with its range.
  Value *perLane(Intrinsic id, unsigned end);
  Value *launchWord(unsigned offset, unsigned axis, unsigned most);

  Function &region;
  const RegionOptions &options;
  IRBuilder<> builder;
};

Value *Lowering::perLane(Intrinsic id, unsigned end) {
  CallInst *call =
      builder.CreateCall(declareIntrinsic(*region.getParent(), id, 0));
  if (end == 1)
    return builder.getInt32(0);
  call->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, end)));
  return call;
}

Value *Lowering::launchWord(unsigned offset, unsigned axis, unsigned most) {
  Value *address = builder.CreateConstInBoundsGEP1_64(
      builder.getInt8Ty(), parameter(RegionParameters::Launch),
      offset + 4 * axis);
  LoadInst *load = builder.CreateLoad(builder.getInt32Ty(), address);
  load->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(region.getContext(), {}));
  load->setMetadata(LLVMContext::MD_noundef,
                    MDNode::get(region.getContext(), {}));
  if (most)
    load->setMetadata(LLVMContext::MD_range,
                      MDBuilder(region.getContext())
                          .createRange(APInt(32, 1), APInt(32, most) + 1));
  return load;
}

Value *Lowering::dispatchThreads(unsigned axis) {
  if (!options.anyShape())
    return builder.getInt32(options.group[axis]);
  return launchWord(layout::threadsPerThreadgroup, axis, maximumThreads);
}

Value *Lowering::threadsPerThreadgroup(unsigned axis) {
  if (!options.anyShape() && options.group[axis] == 1)
    return builder.getInt32(1);
  return parameter(RegionParameters::ActualX, axis);
}

Value *Lowering::threadPositionByDivision(unsigned axis) {
  Value *index = perLane(Intrinsic::ThreadIndexInThreadgroup, mostThreads());
  if (axis == 0)
    return builder.CreateURem(index, threadsPerThreadgroup(0));
  index = builder.CreateUDiv(index, threadsPerThreadgroup(0));
  return axis == 1 ? builder.CreateURem(index, threadsPerThreadgroup(1))
                   : builder.CreateUDiv(index, threadsPerThreadgroup(1));
}

Value *Lowering::threadPosition(unsigned axis) {
  if (!options.anyShape() && options.group[axis] == 1)
    return builder.getInt32(0);
  if (oneRow())
    return perLane(Intrinsic::ThreadIndexInThreadgroup, mostThreads());
  if (options.layout == LaneLayout::Index)
    return threadPositionByDivision(axis);
  return perLane(component(Intrinsic::ThreadPositionInThreadgroupX, axis),
                 options.group[axis]);
}

// Neither operation wraps: grids have at most 2^32 - 1 threads an axis.
Value *Lowering::threadPositionInGrid(unsigned axis) {
  Value *origin = builder.CreateNUWMul(
      parameter(RegionParameters::GroupX, axis), dispatchThreads(axis));
  return builder.CreateNUWAdd(origin, threadPosition(axis));
}

Value *Lowering::simdgroups(function_ref<Value *(unsigned)> threads) {
  Value *count =
      builder.CreateMul(builder.CreateMul(threads(0), threads(1)), threads(2));
  return builder.CreateLShr(builder.CreateAdd(count, builder.getInt32(31)), 5);
}

Value *Lowering::lower(Intrinsic id, unsigned axis) {
  auto actual = [&](unsigned axis) { return threadsPerThreadgroup(axis); };
  auto dispatched = [&](unsigned axis) { return dispatchThreads(axis); };
  switch (id) {
  case Intrinsic::ThreadPositionInGridX:
  case Intrinsic::ThreadPositionInGridY:
  case Intrinsic::ThreadPositionInGridZ:
    return threadPositionInGrid(axis);
  case Intrinsic::ThreadsPerGridX:
  case Intrinsic::ThreadsPerGridY:
  case Intrinsic::ThreadsPerGridZ:
    return launchWord(layout::threadsPerGrid, axis, 0);
  case Intrinsic::ThreadPositionInThreadgroupX:
  case Intrinsic::ThreadPositionInThreadgroupY:
  case Intrinsic::ThreadPositionInThreadgroupZ:
    return threadPosition(axis);
  case Intrinsic::ThreadgroupPositionInGridX:
  case Intrinsic::ThreadgroupPositionInGridY:
  case Intrinsic::ThreadgroupPositionInGridZ:
    return parameter(RegionParameters::GroupX, axis);
  case Intrinsic::ThreadgroupsPerGridX:
  case Intrinsic::ThreadgroupsPerGridY:
  case Intrinsic::ThreadgroupsPerGridZ:
    return launchWord(layout::threadgroupsPerGrid, axis, 0);
  case Intrinsic::ThreadsPerThreadgroupX:
  case Intrinsic::ThreadsPerThreadgroupY:
  case Intrinsic::ThreadsPerThreadgroupZ:
    return threadsPerThreadgroup(axis);
  case Intrinsic::DispatchThreadsPerThreadgroupX:
  case Intrinsic::DispatchThreadsPerThreadgroupY:
  case Intrinsic::DispatchThreadsPerThreadgroupZ:
    return dispatchThreads(axis);
  case Intrinsic::ThreadIndexInThreadgroup:
    return perLane(id, mostThreads());
  case Intrinsic::ThreadIndexInSimdgroup:
    if (mostThreads() <= 32)
      return perLane(Intrinsic::ThreadIndexInThreadgroup, mostThreads());
    return perLane(id, 32);
  case Intrinsic::SimdgroupIndexInThreadgroup:
    return perLane(id, (mostThreads() + 31) / 32);
  case Intrinsic::SimdgroupsPerThreadgroup:
    return simdgroups(actual);
  case Intrinsic::DispatchSimdgroupsPerThreadgroup:
    return simdgroups(dispatched);
  default:
    llvm_unreachable("attribute without a lowering");
  }
}

} // namespace

void lowerAttributes(Function &region, const RegionOptions &options) {
  Lowering(region, options).run();
}

void foldThreadIndex(Function &region, const RegionOptions &options) {
  using namespace PatternMatch;
  Function *index = declareIntrinsic(*region.getParent(),
                                     Intrinsic::ThreadIndexInThreadgroup, 0);
  unsigned end = options.anyShape() ? maximumThreads : options.threads();
  for (Instruction &instruction : make_early_inc_range(instructions(region))) {
    Value *lane, *simdgroup;
    auto start = m_CombineOr(m_Shl(m_Value(simdgroup), m_SpecificInt(5)),
                             m_Mul(m_Value(simdgroup), m_SpecificInt(32)));
    if (!match(&instruction, m_c_Add(start, m_Value(lane))) &&
        !match(&instruction, m_c_Or(start, m_Value(lane))))
      continue;
    if (intrinsicOf(simdgroup) != Intrinsic::SimdgroupIndexInThreadgroup ||
        intrinsicOf(lane) != Intrinsic::ThreadIndexInSimdgroup)
      continue;
    auto *call = CallInst::Create(index, {}, "", instruction.getIterator());
    call->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, end)));
    instruction.replaceAllUsesWith(call);
    instruction.eraseFromParent();
  }
}

} // namespace bessemer::codegen::cpu
