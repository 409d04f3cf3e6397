//===- Threads.cpp - Thread attributes of the lanes -----------------------===//

#include "codegen/cpu/5_emit/Emitter.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

/// Index in the group of the chunk's first thread.
Value *Emitter::firstThread() {
  if (options.chunks() == 1)
    return int32(0);
  return body->getArg(body->arg_size() - RegionParameters::Count +
                      RegionParameters::First);
}

namespace {
/// Coordinate = thread / inner % extent; extent 0: no remainder to take.
struct Dimension {
  unsigned inner = 1, extent = 0;
};
} // namespace

static Dimension dimensionOf(const RegionOptions &options, unsigned number) {
  Dimension result;
  for (unsigned i = 0; i < number; ++i)
    result.inner *= options.group[i];
  for (unsigned i = number + 1; i < 3; ++i)
    if (options.group[i] != 1)
      result.extent = options.group[number];
  return result;
}

static Value *coordinate(IRBuilderBase &b, Value *thread, Dimension dimension) {
  auto constant = [&](unsigned value) {
    return ConstantInt::get(thread->getType(), value);
  };
  if (dimension.inner != 1)
    thread = b.CreateUDiv(thread, constant(dimension.inner));
  if (dimension.extent)
    thread = b.CreateURem(thread, constant(dimension.extent));
  return thread;
}

/// The coordinate of a part's first lane.
Value *Emitter::positionBase(unsigned dimension, unsigned part) {
  Dimension d = dimensionOf(options, dimension);
  uint64_t period = uint64_t(d.inner) * d.extent;
  unsigned offset = part * lanes;
  // If a chunk begins at a multiple of the period, parts are at constants.
  if (period && options.lanesInFlight % period == 0)
    return int32(offset / d.inner % d.extent);
  if (!period && options.lanesInFlight % d.inner == 0)
    return b.CreateAdd(coordinate(b, firstThread(), d), int32(offset / d.inner),
                       "", /*HasNUW=*/true,
                       /*HasNSW=*/true);
  return coordinate(b, b.CreateAdd(firstThread(), int32(offset)), d);
}

Value *Emitter::positionVector(unsigned dimension, unsigned part) {
  Value *thread = b.CreateAdd(
      splat(b.CreateAdd(firstThread(), int32(part * lanes))), laneNumbers());
  return coordinate(b, thread, dimensionOf(options, dimension));
}

/// Fills `result` for the parts [from, to); false if `id` is no attribute of a
/// lane.
bool Emitter::emitAttribute(CallInst &call, Intrinsic id, PartValues &result,
                            unsigned from, unsigned to) {
  Shape shape = shapes.of(&call);
  switch (id) {
  case Intrinsic::ThreadIndexInThreadgroup:
    result[0] = firstThread();
    return true;
  case Intrinsic::ThreadIndexInSimdgroup:
    for (unsigned part = from; part < to; ++part)
      result[part] = int32(part * lanes % 32);
    return true;
  case Intrinsic::SimdgroupIndexInThreadgroup:
    for (unsigned part = from; part < (shape.isUniform() ? 1 : to); ++part)
      result[part] = b.CreateAdd(b.CreateUDiv(firstThread(), int32(32)),
                                 int32(part * lanes / 32), "", true, true);
    return true;
  case Intrinsic::ThreadPositionInThreadgroupX:
  case Intrinsic::ThreadPositionInThreadgroupY:
  case Intrinsic::ThreadPositionInThreadgroupZ: {
    if (options.anyShape()) {
      fail(&call, "a thread position in code for any threadgroup shape");
      return true;
    }
    unsigned dimension = attributeComponent(id);
    for (unsigned part = from; part < to; ++part)
      result[part] = shape.isVarying() ? positionVector(dimension, part)
                                       : positionBase(dimension, part);
    return true;
  }
  default:
    return false;
  }
}

} // namespace bessemer::codegen::cpu
