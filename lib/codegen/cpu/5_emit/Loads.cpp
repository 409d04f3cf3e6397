//===- Loads.cpp - Reading memory for all lanes of a part -----------------===//

#include "codegen/cpu/5_emit/Emitter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// A run of elements that a table of lane offsets falls into.
struct Window {
  int64_t first = 0;
  unsigned length = 0;
};

/// A vector in which lanes find their elements; -1: not in this one.
struct Source {
  Value *vector = nullptr;
  SmallVector<int, 16> element;
};

} // namespace

void Emitter::emitLoad(LoadInst &load, unsigned part, PartValues &result) {
  if (!load.isSimple()) {
    result[part] = repeatForLanes(load, part);
    return;
  }
  Value *pointer = load.getPointerOperand();
  const AccessGroup *group = groups.of(&load);
  for (unsigned other = 0; other < part; ++other)
    if (result[other] && !group && isSame(pointer, part, other) &&
        (mask.empty() || mask[part] == mask[other])) {
      result[part] = result[other];
      return;
    }
  if (isAllOff(part)) {
    Type *type = load.getType();
    result[part] = PoisonValue::get(
        shapes.of(&load).isVarying() ? vectorOf(type) : held(type));
    return;
  }
  if (shapes.of(&load).kind == Shape::PartLinear) {
    result[part] = loadPartUniform(load, part);
    return;
  }
  if (group && mayAccessGroup(*group, part)) {
    result[part] = loadFromGroup(*group, load, part);
    return;
  }
  if (rowWalks.contains(&load)) {
    result[part] = loadFromRow(load, part);
    return;
  }
  Shape address = shapes.of(pointer);
  if (address.isLinear()) {
    int64_t size = layout.getTypeStoreSize(load.getType());
    int64_t first = address.offset(0);
    bool consecutive = true;
    for (unsigned lane = 0; lane < lanes; ++lane)
      consecutive &= address.offset(lane) == first + size * lane;
    if (consecutive && !load.getType()->isIntegerTy(1)) {
      result[part] = loadConsecutive(load, first, part);
      return;
    }
    if (isAllOn(part))
      if (Value *loaded = loadWindows(load, address, part)) {
        result[part] = loaded;
        return;
      }
  }
  result[part] = gather(load, part);
}

/// Memory that is read where no lane asks for it.
Value *Emitter::dummy() {
  if (!dummySlot)
    dummySlot = scratch(b.getInt64Ty(), Align(16), "dummy");
  return dummySlot;
}

Value *Emitter::loadUniform(LoadInst &load) {
  LoadInst *copy = b.CreateAlignedLoad(held(load.getType()),
                                       uniform(load.getPointerOperand()),
                                       load.getAlign(), load.isVolatile());
  copy->setAtomic(load.getOrdering(), load.getSyncScopeID());
  if (MDNode *invariant = load.getMetadata(LLVMContext::MD_invariant_load))
    copy->setMetadata(LLVMContext::MD_invariant_load, invariant);
  return copy;
}

Value *Emitter::loadPartUniform(LoadInst &load, unsigned part) {
  Value *address = base(load.getPointerOperand(), part);
  if (!isAllOn(part))
    address = b.CreateSelect(anyOf(mask[part]), address, dummy());
  return b.CreateAlignedLoad(held(load.getType()), address, load.getAlign());
}

Value *Emitter::loadConsecutive(LoadInst &load, int64_t first, unsigned part) {
  Type *type = vectorOf(load.getType());
  Value *address = offsetBy(base(load.getPointerOperand(), part), first);
  if (isAllOn(part))
    return b.CreateAlignedLoad(type, address, load.getAlign());
  unsigned size = layout.getTypeStoreSize(load.getType());
  if (size >= 4 || abilities.narrowMaskedMemory)
    return b.CreateMaskedLoad(type, address, load.getAlign(), mask[part]);
  // No masked form: whole where every lane is on, else one lane at a time.
  Block *whole = newBlock("load.whole"), *some = newBlock("load.some"),
        *done = newBlock("load.done");
  Value *loaded = slot(type);
  b.CreateCondBr(allOf(mask[part]), whole, some);
  b.SetInsertPoint(whole);
  b.CreateStore(b.CreateAlignedLoad(type, address, load.getAlign()), loaded);
  b.CreateBr(done);
  b.SetInsertPoint(some);
  b.CreateStore(gather(load, part), loaded);
  b.CreateBr(done);
  b.SetInsertPoint(done);
  return this->load(loaded);
}

/// The windows of at most `lanes` elements that hold every lane's element;
/// empty if some offset is not at a multiple of the size.
static SmallVector<Window, 8> findWindows(const Shape &address, unsigned lanes,
                                          int64_t size) {
  SmallVector<int64_t, 16> offsets;
  for (unsigned lane = 0; lane < lanes; ++lane)
    offsets.push_back(address.offset(lane));
  sort(offsets);
  SmallVector<Window, 8> windows;
  for (int64_t offset : offsets) {
    if ((offset - offsets[0]) % size)
      return {};
    if (!windows.empty() && (offset - windows.back().first) / size < lanes)
      windows.back().length = (offset - windows.back().first) / size + 1;
    else
      windows.push_back({offset, 1});
  }
  return windows;
}

/// Joins neighbours pairwise until one vector holds every lane's element.
static Value *joinSources(IRBuilderBase &b, SmallVector<Source, 8> sources,
                          unsigned lanes) {
  auto shuffle = [&](const Source &a, const Source *c) {
    int width = cast<FixedVectorType>(a.vector->getType())->getNumElements();
    SmallVector<int, 16> order;
    Source joined;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      int from = a.element[lane];
      if (from < 0 && c && c->element[lane] >= 0)
        from = width + c->element[lane];
      order.push_back(from);
      joined.element.push_back(from < 0 ? -1 : static_cast<int>(lane));
    }
    joined.vector = c ? b.CreateShuffleVector(a.vector, c->vector, order)
                      : b.CreateShuffleVector(a.vector, order);
    return joined;
  };
  if (sources.size() == 1)
    return shuffle(sources[0], nullptr).vector;
  while (sources.size() > 1) {
    SmallVector<Source, 8> next;
    for (unsigned i = 0; i < sources.size(); i += 2)
      next.push_back(shuffle(
          sources[i], i + 1 < sources.size() ? &sources[i + 1] : nullptr));
    sources = std::move(next);
  }
  return sources[0].vector;
}

/// One wide load for each window of the lane table, then shuffles. Lengths are
/// powers of two, as LLVM's handling of others is fragile; a load that would
/// read beyond the window's end is masked.
Value *Emitter::loadWindows(LoadInst &load, const Shape &address,
                            unsigned part) {
  Type *type = held(load.getType());
  int64_t size = layout.getTypeStoreSize(type);
  if (type->isIntegerTy(1))
    return nullptr;
  SmallVector<Window, 8> windows = findWindows(address, lanes, size);
  if (windows.empty() || windows.size() > std::max(1u, lanes / 4))
    return nullptr;
  unsigned width = 1;
  for (const Window &window : windows)
    width = std::max<unsigned>(width, PowerOf2Ceil(window.length));
  bool masked = any_of(windows, [width](const Window &window) {
    return window.length != width;
  });
  bool mayMask =
      size >= 4 ? abilities.maskedMemory : abilities.narrowMaskedMemory;
  if (masked && !mayMask)
    return nullptr;
  SmallVector<Source, 8> sources;
  for (const Window &window : windows) {
    auto *wide = FixedVectorType::get(type, width);
    Value *start = offsetBy(base(load.getPointerOperand(), part), window.first);
    SmallVector<Constant *, 16> on;
    for (unsigned i = 0; i < width; ++i)
      on.push_back(b.getInt1(i < window.length));
    Source source;
    source.vector = window.length == width
                        ? static_cast<Value *>(
                              b.CreateAlignedLoad(wide, start, load.getAlign()))
                        : b.CreateMaskedLoad(wide, start, load.getAlign(),
                                             ConstantVector::get(on));
    for (unsigned lane = 0; lane < lanes; ++lane) {
      int64_t element = (address.offset(lane) - window.first) / size;
      bool inside =
          address.offset(lane) >= window.first && element < window.length;
      source.element.push_back(inside ? static_cast<int>(element) : -1);
    }
    sources.push_back(source);
  }
  return joinSources(b, sources, lanes);
}

Value *Emitter::gather(LoadInst &load, unsigned part) {
  unsigned size = layout.getTypeStoreSize(load.getType());
  if (!abilities.gather)
    return gatherLaneByLane(load, part);
  if (size < 4)
    return gatherNarrow(load, part);
  return b.CreateMaskedGather(vectorOf(load.getType()),
                              vector(load.getPointerOperand(), part),
                              load.getAlign(), maskOf(part));
}

/// Gathers the aligned words around the elements, which are on the same page,
/// and shifts.
Value *Emitter::gatherNarrow(LoadInst &load, unsigned part) {
  Type *type = load.getType();
  unsigned size = layout.getTypeStoreSize(type);
  Value *pointers = vector(load.getPointerOperand(), part);
  Type *address = vectorOf(b.getInt64Ty()), *word = vectorOf(b.getInt32Ty());
  Value *numbers = b.CreatePtrToInt(pointers, address);
  Value *aligned = b.CreateIntrinsic(
      llvm::Intrinsic::ptrmask, {pointers->getType(), address},
      {pointers, ConstantInt::getSigned(address, -4)});
  Value *words = b.CreateMaskedGather(word, aligned, Align(4), maskOf(part));
  Value *byte = b.CreateAnd(b.CreateTrunc(numbers, word),
                            ConstantInt::get(word, 4 - size));
  Value *shifted = b.CreateLShr(words, b.CreateShl(byte, 3));
  Value *bits = b.CreateTrunc(shifted, vectorOf(b.getIntNTy(size * 8)));
  return type->isIntegerTy() ? b.CreateTrunc(bits, vectorOf(type))
                             : b.CreateBitCast(bits, vectorOf(type));
}

/// Scalar loads without branches: inactive lanes read the dummy.
Value *Emitter::gatherLaneByLane(LoadInst &load, unsigned part) {
  PartValues pointers = lanePointers(load.getPointerOperand(), part);
  spread += 3 * lanes;
  Value *result = PoisonValue::get(vectorOf(load.getType()));
  for (uint64_t lane = 0; lane < lanes; ++lane)
    result = b.CreateInsertElement(result,
                                   b.CreateAlignedLoad(held(load.getType()),
                                                       pointers[lane],
                                                       load.getAlign()),
                                   lane);
  return result;
}

/// The address of one lane that is on, by scalar arithmetic as far as possible:
/// what stays the same in a loop is then taken out of the vectors before it.
Value *Emitter::lanePointer(const Value *pointer, unsigned part,
                            uint64_t lane) {
  Shape shape = shapes.of(pointer);
  if (!shape.isVarying())
    return offsetBy(base(pointer, part),
                    shape.isUniform() ? 0 : shape.offset(lane));
  auto *address = dyn_cast<GetElementPtrInst>(pointer);
  if (!address || shapes.isInterleaved(address->getPointerOperand()))
    return b.CreateExtractElement(vector(pointer, part), lane);
  SmallVector<Value *, 4> indices;
  for (const Value *index : address->indices())
    indices.push_back(shapes.of(index).isUniform()
                          ? uniform(index)
                          : b.CreateExtractElement(vector(index, part), lane));
  return b.CreateGEP(address->getSourceElementType(),
                     lanePointer(address->getPointerOperand(), part, lane),
                     indices);
}

/// The address of each lane: at constants from the base if that is known.
PartValues Emitter::lanePointers(const Value *pointer, unsigned part) {
  PartValues result;
  Shape shape = shapes.of(pointer);
  if (shape.isLinear() && isAllOn(part)) {
    for (unsigned lane = 0; lane < lanes; ++lane)
      result.push_back(offsetBy(base(pointer, part), shape.offset(lane)));
    return result;
  }
  Value *pointers = vector(pointer, part);
  if (!isAllOn(part))
    pointers = b.CreateSelect(mask[part], pointers, splat(dummy()));
  for (uint64_t lane = 0; lane < lanes; ++lane)
    result.push_back(b.CreateExtractElement(pointers, lane));
  return result;
}

} // namespace bessemer::codegen::cpu
