//===- Emitter.cpp - One region as a body for W lanes ---------------------===//

#include "codegen/cpu/5_emit/Emitter.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

Emitter::Emitter(Function &region, EntryMask entryMask,
                 const RegionOptions &options, const ShapeAnalysis &shapes,
                 const AccessGroups &groups, const Walks &walks,
                 const Streams &streams, const RowWalks &rowWalks,
                 TargetMachine &target)
    : region(region), entryMask(entryMask), options(options), shapes(shapes),
      groups(groups), walks(walks), streams(streams), rowWalks(rowWalks),
      layout(region.getDataLayout()), lanes(options.partLanes),
      parts(options.parts()),
      b(region.getContext(), InstSimplifyFolder(region.getDataLayout())) {
  createBody(target);
}

static bool knowsFeature(const TargetMachine &target, StringRef name) {
  return any_of(
      target.getMCSubtargetInfo()->getAllProcessorFeatures(),
      [name](const SubtargetFeatureKV &known) { return known.Key == name; });
}

void Emitter::createBody(TargetMachine &target) {
  LLVMContext &context = region.getContext();
  auto *type =
      FunctionType::get(Type::getInt32Ty(context),
                        region.getFunctionType()->params(), /*isVarArg=*/false);
  StringRef suffix = options.streaming             ? ".streaming"
                     : entryMask == EntryMask::All ? ".all"
                                                   : ".masked";
  body = Function::Create(type, GlobalValue::InternalLinkage,
                          region.getName() + suffix, region.getParent());
  for (unsigned i = 0; i < region.arg_size(); ++i) {
    body->getArg(i)->setName(region.getArg(i)->getName());
    body->addParamAttrs(
        i, AttrBuilder(context, region.getAttributes().getParamAttrs(i)));
  }
  for (Attribute attribute : region.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute())
      body->addFnAttr(attribute);
  body->addFnAttr("target-cpu", target.getTargetCPU());
  std::string features = target.getTargetFeatureString().str();
  bool compact = options.size != CodeSize::Any;
  if (compact && knowsFeature(target, "fast-gather"))
    features += features.empty() ? "+fast-gather" : ",+fast-gather";
  // A caller has other features, and nothing is gained in it.
  if (compact)
    body->addFnAttr(Attribute::NoInline);
  body->addFnAttr("target-features", features);
  std::string width = std::to_string(std::max(128u, lanes * 32));
  body->addFnAttr("prefer-vector-width", width);
  body->addFnAttr("min-legal-vector-width", width);
  body->addFnAttr(Attribute::NoUnwind);

  TargetTransformInfo costs = target.getTargetTransformInfo(*body);
  Type *word = vectorOf(Type::getInt32Ty(context));
  Type *narrow = vectorOf(Type::getInt16Ty(context));
  abilities.maskedMemory = costs.isLegalMaskedLoad(word, Align(4), 0) &&
                           costs.isLegalMaskedStore(word, Align(4), 0);
  abilities.narrowMaskedMemory = costs.isLegalMaskedLoad(narrow, Align(2), 0) &&
                                 costs.isLegalMaskedStore(narrow, Align(2), 0);
  abilities.gather =
      costs.isLegalMaskedGather(word, Align(4)) &&
      !costs.forceScalarizeMaskedGather(cast<VectorType>(word), Align(4));
  abilities.scatter =
      costs.isLegalMaskedScatter(word, Align(4)) &&
      !costs.forceScalarizeMaskedScatter(cast<VectorType>(word), Align(4));
  floats.emplace(b, *target.getSubtargetImpl(*body));
  locations.emplace(region, *body, /*keep=*/!compact);
}

void Emitter::fail(const Instruction *instruction, const Twine &what) {
  if (error)
    return;
  error = makeError(ErrorKind::Unsupported,
                    ("CPU code generation does not support " + what +
                     (instruction ? sourceLocation(*instruction) : ""))
                        .str());
}

Emitter::Block *Emitter::newBlock(const Twine &name) {
  return BasicBlock::Create(region.getContext(), name, body);
}

/// Instructions of a body, about, beyond which there is to be less of it.
constexpr unsigned mostInstructions[] = {4000, 8000};

void Emitter::checkSize() {
  if (options.size == CodeSize::Least ||
      emitted + spread < mostInstructions[static_cast<unsigned>(options.size)])
    return;
  tooLarge = true;
  fail(nullptr, "a body of this size");
}

Result<Function *> Emitter::run() {
  emitEntry();
  if (!failed()) {
    BlockMap map;
    Block *start = newBlock("body");
    b.CreateBr(start);
    map[&region.getEntryBlock()] = start;
    emitBlocks(map, &region.getEntryBlock(), nullptr);
  }
  if (failed()) {
    body->eraseFromParent();
    return *error;
  }
  EliminateUnreachableBlocks(*body);
  SmallVector<AllocaInst *> variables;
  for (AllocaInst *variable : promotable)
    if (isAllocaPromotable(variable))
      variables.push_back(variable);
  DominatorTree dominators(*body);
  PromoteMemToReg(variables, dominators);
  return body;
}

void Emitter::emitEntry() {
  entry = newBlock("entry");
  Block *start = newBlock("start");
  BranchInst::Create(start, entry);
  b.SetInsertPoint(start);
  for (llvm::Argument &argument : region.args())
    values[&argument] = {body->getArg(argument.getArgNo())};
  if (entryMask == EntryMask::All)
    return;
  mask = entryLanes();
  // A body runs with at least one active lane.
  Block *some = newBlock("some.active"), *none = newBlock("none.active");
  b.CreateCondBr(anyOf(mask), some, none);
  b.SetInsertPoint(none);
  b.CreateRet(int32(BSM_RUN_DONE));
  b.SetInsertPoint(some);
}

/// How many parts take turns in each instruction of a segment. A group of
/// neighbouring accesses holds a vector for each of its elements, so that only
/// one part at a time stays in registers; what lanes exchange needs a
/// simdgroup.
unsigned Emitter::partsAtOnce(ArrayRef<Instruction *> segment) const {
  bool grouped = false;
  for (Instruction *instruction : segment) {
    if (instruction->isAtomic())
      return partsOfSimdgroup();
    Intrinsic id = intrinsicOf(instruction);
    if (id != Intrinsic::None &&
        (intrinsicInfo(id).properties & IntrinsicProperty::Convergent))
      return partsOfSimdgroup();
    grouped |= groups.of(instruction) != nullptr;
  }
  return grouped ? 1 : partsOfSimdgroup();
}

/// Instructions between two ordering points go simdgroup by simdgroup: fewer
/// values are alive at a time than in instruction order.
void Emitter::emitBlock(Block &block) {
  for (PHINode &phi : block.phis()) {
    PartValues loaded;
    for (Value *slot : slotsOf(phi))
      loaded.push_back(load(slot));
    values[&phi] = loaded;
  }
  loadedGroups.clear();
  broadcastSources.clear();
  broadcasts.clear();

  SmallVector<Instruction *> segment;
  bool writesVarying = false, writesUniform = false;
  auto flush = [&] {
    unsigned step = partsAtOnce(segment);
    for (unsigned part = 0; part < parts; part += step)
      for (Instruction *instruction : segment)
        emitInstruction(*instruction, part, part + step);
    segment.clear();
    writesVarying = writesUniform = false;
  };
  for (Instruction &instruction : block) {
    if (isa<PHINode>(instruction) || instruction.isTerminator())
      continue;
    bool access = isa<LoadInst, StoreInst>(instruction);
    bool ordering = isBarrier(intrinsicOf(&instruction)) ||
                    isa<FenceInst>(instruction) || instruction.isAtomic();
    if (ordering)
      flush();
    if (access && !ordering) {
      // Lanes are not in step with each other within a segment, so what is
      // done once for all of them must not move across what others write.
      bool once =
          shapes.of(getLoadStorePointerOperand(&instruction)).isUniform();
      if (once ? writesVarying : writesUniform)
        flush();
      if (isa<StoreInst>(instruction))
        (once ? writesUniform : writesVarying) = true;
    }
    segment.push_back(&instruction);
    if (ordering)
      flush();
  }
  flush();
  emitPrefetches(block);
}

/// Memory writes, barriers, checks: what has no result. False if `instruction`
/// has one.
bool Emitter::emitEffect(Instruction &instruction, unsigned from, unsigned to) {
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
    if (intrinsic->isAssumeLikeIntrinsic() || intrinsic->isLifetimeStartOrEnd())
      return true;
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    emitStores(*store, from, to);
    return true;
  }
  if (auto *fence = dyn_cast<FenceInst>(&instruction)) {
    if (from == 0)
      b.CreateFence(fence->getOrdering());
    return true;
  }
  Intrinsic id = intrinsicOf(&instruction);
  if (isBarrier(id)) // the order of emission is the order of memory
    return true;
  if (id == Intrinsic::CheckIndex) {
    emitCheck(cast<CallInst>(instruction), from, to);
    return true;
  }
  if (!instruction.getType()->isVoidTy())
    return false;
  auto *call = dyn_cast<CallInst>(&instruction);
  StringRef name = call && call->getCalledFunction()
                       ? call->getCalledFunction()->getName()
                       : instruction.getOpcodeName();
  fail(&instruction, "the instruction " + name);
  return true;
}

void Emitter::emitInstruction(Instruction &instruction, unsigned from,
                              unsigned to) {
  if (failed())
    return;
  b.SetCurrentDebugLocation(locations->map(instruction.getDebugLoc()));
  if (emitEffect(instruction, from, to))
    return;
  Type *type = instruction.getType();
  if (type->isVectorTy() || type->isArrayTy()) {
    fail(&instruction,
         Twine("an aggregate value of ") + instruction.getOpcodeName());
    return;
  }
  Shape shape = shapes.of(&instruction);
  if (from == 0)
    values[&instruction].assign(shape.isSingle() ? 1 : parts, nullptr);
  else if (shape.isSingle())
    return;
  PartValues result = values[&instruction];
  emitted += shape.isSingle() ? 1 : to - from;
  emitValue(instruction, result, from, to);
  values[&instruction] = std::move(result);
}

void Emitter::emitValue(Instruction &instruction, PartValues &result,
                        unsigned from, unsigned to) {
  Shape shape = shapes.of(&instruction);
  if (const PrivateBlock *block = shapes.privateBlock(&instruction)) {
    result[0] = privateMemory(instruction, *block);
    return;
  }
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
    if (emitReducedAtomic(*atomic, from, to))
      return;
  Intrinsic id = intrinsicOf(&instruction);
  if (id != Intrinsic::None) {
    auto &call = cast<CallInst>(instruction);
    if (emitAttribute(call, id, result, from, to) ||
        emitSimdgroup(call, id, result, from, to))
      return;
  }
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    if (shape.isUniform()) {
      result[0] = loadUniform(*load);
      return;
    }
    if (from == 0 && rowWalks.contains(load))
      readRowBlocks(*load);
    for (unsigned part = from; part < to; ++part)
      emitLoad(*load, part, result);
    return;
  }
  if (shape.isSingle()) {
    SmallVector<Value *, 4> operands;
    for (Value *operand : instruction.operands())
      operands.push_back(base(operand, 0));
    result[0] = shape.isUniform()
                    ? operate(instruction, operands, /*asVector=*/false,
                              /*keepFlags=*/true)
                    : operateOnBases(instruction, operands, shape);
    return;
  }
  for (unsigned part = from; part < to; ++part)
    emitPart(instruction, result, part);
}

/// Whether an operand stays a scalar in the vector form of an instruction.
static bool takesScalar(const Instruction &instruction, unsigned index) {
  if (isa<Function>(instruction.getOperand(index)))
    return true;
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && index < call->arg_size() &&
         isVectorIntrinsicWithScalarOpAtArg(call->getIntrinsicID(), index,
                                            /*TTI=*/nullptr);
}

/// Whether the vector form is a loop over the lanes.
static bool needsLaneLoop(const Instruction &instruction) {
  if (instruction.isAtomic())
    return true;
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && !isTriviallyVectorizable(call->getIntrinsicID()) &&
         call->doesNotAccessMemory();
}

void Emitter::emitPart(Instruction &instruction, PartValues &result,
                       unsigned part) {
  Shape shape = shapes.of(&instruction);
  currentPart = part;
  if (instruction.isAtomic()) {
    result[part] = repeatForLanes(instruction, part);
    return;
  }
  if (shape.isVarying() && isAllOff(part)) {
    result[part] = PoisonValue::get(vectorOf(instruction.getType()));
    return;
  }
  // A part without active lanes may hold nothing.
  for (unsigned other = 0; other < part; ++other)
    if (result[other] && !isAllOff(other) &&
        hasSameOperands(instruction, part, other)) {
      result[part] = result[other];
      return;
    }
  auto *address = dyn_cast<GetElementPtrInst>(&instruction);
  SmallVector<Value *, 4> operands;
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
    Value *operand = instruction.getOperand(i);
    bool splatUnneeded =
        (address || (isa<SelectInst>(instruction) && i == 0)) &&
        shapes.of(operand).isPartUniform();
    bool scalar = shape.kind == Shape::PartLinear || splatUnneeded ||
                  takesScalar(instruction, i);
    operands.push_back(scalar ? base(operand, part) : vector(operand, part));
  }
  if (shape.kind == Shape::PartLinear)
    result[part] = operateOnBases(instruction, operands, shape);
  else if (address && shapes.isInterleaved(address->getPointerOperand()))
    result[part] = interleavedAddress(*address, operands);
  else if (needsLaneLoop(instruction))
    result[part] = forEachLane(
        part, operands, instruction.getType(), [&](Scalars scalars) {
          return operate(instruction, scalars, /*asVector=*/false,
                         /*keepFlags=*/false);
        });
  else
    result[part] = operate(instruction, operands, /*asVector=*/true,
                           /*keepFlags=*/false);
}

Result<Function *> emitBody(Function &region, EntryMask mask,
                            const RegionOptions &options,
                            FunctionAnalysisManager &analyses,
                            TargetMachine &target) {
  ShapeAnalysis shapes(region, options, analyses);
  if (Status status = shapes.run(); !status)
    return status.error();
  AccessGroups groups(region, options, shapes);
  Walks walks(region, options, shapes, analyses);
  Streams streams(region, options, shapes);
  RowWalks rowWalks(region, options, shapes, groups, analyses);
  RegionOptions sized = options;
  for (CodeSize size : {CodeSize::Any, CodeSize::Compact, CodeSize::Least}) {
    if (size < options.size)
      continue;
    sized.size = size;
    Emitter emitter(region, mask, sized, shapes, groups, walks, streams,
                    rowWalks, target);
    Result<Function *> body = emitter.run();
    if (!emitter.isTooLarge())
      return body;
  }
  llvm_unreachable("the least code is never too large");
}

} // namespace bessemer::codegen::cpu
