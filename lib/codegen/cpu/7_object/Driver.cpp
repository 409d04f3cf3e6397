//===- Driver.cpp - The loop over threadgroups ----------------------------===//

#include "codegen/cpu/7_object/Driver.h"

#include "codegen/common/LaunchLayout.h"
#include "codegen/cpu/2_regions/BarrierVote.h"
#include "codegen/cpu/4_shapes/Streams.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

/// Bytes of a buffer from which it does not stay in the caches, so that what
/// reads it next is no slower for its having gone past them.
constexpr uint64_t leastStreamed = 32 << 20;
/// Bytes a thread writes at the most, for the estimate of what a grid writes.
constexpr uint64_t mostPerThread = 64;

class Driver {
public:
  Driver(Module &module, const KernelInfo &kernel, const RegionOptions &options)
      : module(module), kernel(kernel), options(options),
        builder(module.getContext()), i32(builder.getInt32Ty()),
        i64(builder.getInt64Ty()), pointer(builder.getPtrTy()) {}

  Function *emit(const BodySet &complete, const BodySet &partial);

private:
  using Triple = std::array<Value *, 3>;

  void readLaunch();
  void groupLoop(function_ref<void()> group);
  Triple firstPosition();
  Triple nextPosition(const Triple &position);
  void measureGroup();
  void runGroup(const BodySet &set, Value *groupComplete);
  void runRegions(const BodySet &set, Value *groupComplete);
  void callAll(const BodySet &set, unsigned region, Value *chunk);
  void runChunks(const BodySet &set, unsigned region, Value *groupComplete);
  void callBody(Function *body, Value *chunk);
  void checkVote();
  Value *shouldStream(const BodySet &set);
  void finishStreams();

  BasicBlock *block(const Twine &name) {
    return BasicBlock::Create(module.getContext(), name, run);
  }
  Value *field(Value *base, unsigned offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base,
                                              offset);
  }
  Value *load(Type *type, Value *base, unsigned offset, const Twine &name) {
    LoadInst *value = builder.CreateLoad(type, field(base, offset), name);
    value->setMetadata(LLVMContext::MD_invariant_load,
                       MDNode::get(module.getContext(), {}));
    return value;
  }
  Triple load3(unsigned offset, const Twine &name) {
    Value *launch = run->getArg(0);
    return {load(i32, launch, offset, name + ".x"),
            load(i32, launch, offset + 4, name + ".y"),
            load(i32, launch, offset + 8, name + ".z")};
  }

  Module &module;
  const KernelInfo &kernel;
  const RegionOptions &options;
  IRBuilder<> builder;
  Type *i32, *i64, *pointer;

  Function *run = nullptr;
  BasicBlock *fault = nullptr;
  SmallVector<Value *> arguments; ///< Addresses of the kernel's arguments.
  Value *threadgroup = nullptr, *context = nullptr;
  Value *streams = nullptr; ///< Whether streaming bodies run; null: none.
  Triple threadsPerGrid, groupsPerGrid, shape;
  // Of the current group.
  Triple position, actual;
  Value *actualThreads = nullptr, *isComplete = nullptr;
};

void Driver::readLaunch() {
  Value *launch = run->getArg(0), *worker = run->getArg(1);
  for (const bessemer::Argument &argument : kernel.arguments) {
    // Threadgroup memory is found through the group's block.
    if (argument.kind == ArgumentKind::ThreadgroupMemory)
      arguments.push_back(ConstantPointerNull::get(builder.getPtrTy()));
    else
      arguments.push_back(load(pointer, launch,
                               layout::bufferAddress(argument.index),
                               argument.name));
  }
  threadgroup =
      load(pointer, worker, layout::workerThreadgroupMemory, "threadgroup");
  context = load(pointer, worker, layout::workerContext, "context");
  threadsPerGrid = load3(layout::threadsPerGrid, "grid");
  groupsPerGrid = load3(layout::threadgroupsPerGrid, "groups");
  if (options.anyShape())
    shape = load3(layout::threadsPerThreadgroup, "shape");
  else
    for (unsigned axis = 0; axis < 3; ++axis)
      shape[axis] = builder.getInt32(options.group[axis]);
}

Driver::Triple Driver::firstPosition() {
  Value *first = run->getArg(2);
  Value *x = builder.CreateZExt(groupsPerGrid[0], i64);
  Value *y = builder.CreateZExt(groupsPerGrid[1], i64);
  Value *row = builder.CreateUDiv(first, x);
  return {builder.CreateTrunc(builder.CreateURem(first, x), i32),
          builder.CreateTrunc(builder.CreateURem(row, y), i32),
          builder.CreateTrunc(builder.CreateUDiv(row, y), i32)};
}

// Counting instead of dividing for every group.
Driver::Triple Driver::nextPosition(const Triple &at) {
  Value *one = builder.getInt32(1), *zero = builder.getInt32(0);
  Value *x = builder.CreateAdd(at[0], one);
  Value *endOfRow = builder.CreateICmpEQ(x, groupsPerGrid[0]);
  Value *y =
      builder.CreateSelect(endOfRow, builder.CreateAdd(at[1], one), at[1]);
  Value *endOfPlane = builder.CreateICmpEQ(y, groupsPerGrid[1]);
  Value *z =
      builder.CreateSelect(endOfPlane, builder.CreateAdd(at[2], one), at[2]);
  return {builder.CreateSelect(endOfRow, zero, x),
          builder.CreateSelect(endOfPlane, zero, y), z};
}

void Driver::measureGroup() {
  isComplete = builder.getTrue();
  actualThreads = builder.getInt32(1);
  for (unsigned axis = 0; axis < 3; ++axis) {
    Value *begin = builder.CreateMul(position[axis], shape[axis]);
    Value *left = builder.CreateSub(threadsPerGrid[axis], begin);
    actual[axis] =
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, shape[axis]);
    isComplete =
        builder.CreateAnd(isComplete, builder.CreateICmpUGE(left, shape[axis]));
    actualThreads = builder.CreateMul(actualThreads, actual[axis]);
  }
}

void Driver::groupLoop(function_ref<void()> group) {
  Value *first = run->getArg(2), *last = run->getArg(3);
  BasicBlock *start = block("start"), *header = block("group"),
             *exit = block("exit");
  builder.CreateCondBr(builder.CreateICmpULT(first, last), start, exit);
  builder.SetInsertPoint(start);
  Triple begin = firstPosition();
  builder.CreateBr(header);

  builder.SetInsertPoint(header);
  PHINode *number = builder.CreatePHI(i64, 2, "number");
  number->addIncoming(first, start);
  std::array<PHINode *, 3> at;
  for (unsigned axis = 0; axis < 3; ++axis) {
    at[axis] = builder.CreatePHI(i32, 2, "position");
    at[axis]->addIncoming(begin[axis], start);
    position[axis] = at[axis];
  }
  measureGroup();
  group();

  Value *next = builder.CreateAdd(number, builder.getInt64(1));
  Triple nextAt = nextPosition(position);
  BasicBlock *latch = builder.GetInsertBlock();
  number->addIncoming(next, latch);
  for (unsigned axis = 0; axis < 3; ++axis)
    at[axis]->addIncoming(nextAt[axis], latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, last), header, exit);
  builder.SetInsertPoint(exit);
  if (streams)
    finishStreams();
  builder.CreateRet(builder.getInt32(BSM_RUN_DONE));
}

void Driver::callBody(Function *body, Value *chunk) {
  SmallVector<Value *> operands = arguments;
  append_range(operands, std::initializer_list<Value *>{
                             run->getArg(0), threadgroup, context, position[0],
                             position[1], position[2], chunk, actual[0],
                             actual[1], actual[2]});
  Value *status = builder.CreateCall(body, operands);
  BasicBlock *next = block("called");
  Value *done = builder.CreateICmpEQ(status, builder.getInt32(BSM_RUN_DONE));
  builder.CreateCondBr(done, next, fault);
  builder.SetInsertPoint(next);
}

/// Runs a chunk all of whose lanes stand for threads.
void Driver::callAll(const BodySet &set, unsigned region, Value *chunk) {
  if (!set.streaming)
    return callBody(set.all[region], chunk);
  BasicBlock *past = block("streaming"), *usual = block("usual"),
             *done = block("streamed");
  builder.CreateCondBr(streams, past, usual);
  builder.SetInsertPoint(past);
  callBody(set.streaming, chunk);
  builder.CreateBr(done);
  builder.SetInsertPoint(usual);
  callBody(set.all[region], chunk);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
}

/// Every chunk of the group through one region.
void Driver::runChunks(const BodySet &set, unsigned region,
                       Value *groupComplete) {
  unsigned lanes = set.options.lanesInFlight;
  // Lanes are numbered within the actual group unless positions are constants
  // of a shape that has more than one row.
  bool dense = set.options.layout == LaneLayout::Index ||
               (!set.options.anyShape() &&
                set.options.group[1] * set.options.group[2] == 1);
  Value *end = dense ? actualThreads : builder.getInt32(set.options.threads());
  BasicBlock *before = builder.GetInsertBlock(), *header = block("chunk"),
             *after = block("chunks.done");
  builder.CreateBr(header);
  builder.SetInsertPoint(header);
  PHINode *chunk = builder.CreatePHI(i32, 2, "first");
  chunk->addIncoming(builder.getInt32(0), before);
  Value *next = builder.CreateAdd(chunk, builder.getInt32(lanes));

  if (set.masked.empty()) {
    callAll(set, region, chunk);
  } else if (set.all.empty()) {
    callBody(set.masked[region], chunk);
  } else {
    Value *complete = builder.CreateICmpULE(next, end);
    if (!dense)
      complete = builder.CreateAnd(complete, groupComplete);
    BasicBlock *all = block("all"), *masked = block("masked"),
               *join = block("join");
    builder.CreateCondBr(complete, all, masked);
    builder.SetInsertPoint(all);
    callAll(set, region, chunk);
    builder.CreateBr(join);
    builder.SetInsertPoint(masked);
    callBody(set.masked[region], chunk);
    builder.CreateBr(join);
    builder.SetInsertPoint(join);
  }
  chunk->addIncoming(next, builder.GetInsertBlock());
  // Said outright for a single chunk: else LICM would take the body for a
  // loop's and move most of it to the front.
  Value *more = set.options.chunks() == 1 ? builder.getFalse()
                                          : builder.CreateICmpULT(next, end);
  builder.CreateCondBr(more, header, after);
  builder.SetInsertPoint(after);
}

/// Whether what is written is larger than a cache, aligned, read by nobody in
/// the kernel (under another name), and not only a small part of a buffer.
Value *Driver::shouldStream(const BodySet &set) {
  Value *all = builder.getTrue(), *threads = builder.getInt64(1);
  for (Value *extent : threadsPerGrid)
    threads = builder.CreateMul(threads, builder.CreateZExt(extent, i64));
  auto require = [&](Value *condition) {
    all = builder.CreateAnd(all, condition);
  };
  Value *reach = builder.CreateMul(threads, builder.getInt64(mostPerThread));
  for (unsigned number : set.streamed) {
    Value *bytes =
        load(i64, run->getArg(0),
             layout::bufferBytes(kernel.arguments[number].index), "bytes");
    require(builder.CreateICmpUGE(bytes, builder.getInt64(leastStreamed)));
    require(builder.CreateICmpUGE(reach, bytes));
    Value *address = builder.CreatePtrToInt(arguments[number], i64);
    require(builder.CreateIsNull(
        builder.CreateAnd(address, builder.getInt64(streamAlignment - 1))));
    for (unsigned other = 0; other < arguments.size(); ++other)
      if (other != number)
        require(builder.CreateICmpNE(arguments[other], arguments[number]));
  }
  return all;
}

/// Such stores may be seen late by other threads, also after the kernel.
void Driver::finishStreams() {
  BasicBlock *fence = block("fence"), *end = block("end");
  builder.CreateCondBr(streams, fence, end);
  builder.SetInsertPoint(fence);
  builder.CreateFence(AtomicOrdering::SequentiallyConsistent);
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
}

/// Leaves with a fault if lanes wait at different barriers.
void Driver::checkVote() {
  Value *conflict =
      builder.CreateLoad(i32, field(context, vote::conflict), "conflict");
  BasicBlock *agree = block("agree");
  builder.CreateCondBr(builder.CreateIsNotNull(conflict), fault, agree);
  builder.SetInsertPoint(agree);
}

/// The lanes vote on the region that follows. Nobody does once all have
/// returned.
void Driver::runRegions(const BodySet &set, Value *groupComplete) {
  size_t count = std::max(set.all.size(), set.masked.size());
  BasicBlock *before = builder.GetInsertBlock(), *header = block("regions"),
             *done = block("regions.done");
  builder.CreateBr(header);
  builder.SetInsertPoint(header);
  PHINode *region = builder.CreatePHI(i32, count + 1, "region");
  region->addIncoming(builder.getInt32(0), before);
  SwitchInst *select = builder.CreateSwitch(region, done, count);
  for (unsigned i = 0; i < count; ++i) {
    BasicBlock *entry = block("region." + Twine(i));
    select->addCase(builder.getInt32(i), entry);
    builder.SetInsertPoint(entry);
    builder.CreateStore(builder.getInt32(vote::nobody),
                        field(context, vote::region));
    builder.CreateStore(builder.getInt32(0), field(context, vote::conflict));
    runChunks(set, i, groupComplete);
    checkVote();
    region->addIncoming(
        builder.CreateLoad(i32, field(context, vote::region), "next"),
        builder.GetInsertBlock());
    builder.CreateBr(header);
  }
  builder.SetInsertPoint(done);
}

void Driver::runGroup(const BodySet &set, Value *groupComplete) {
  if (std::max(set.all.size(), set.masked.size()) == 1)
    runChunks(set, 0, groupComplete);
  else
    runRegions(set, groupComplete);
}

Function *Driver::emit(const BodySet &complete, const BodySet &partial) {
  run = Function::Create(
      FunctionType::get(i32, {pointer, pointer, i64, i64}, false),
      GlobalValue::InternalLinkage, kernel.symbol + ".run", module);
  run->addFnAttr(Attribute::NoUnwind);
  run->addParamAttr(0, Attribute::NoAlias);
  run->addParamAttr(1, Attribute::NoAlias);
  fault = block("fault");
  builder.SetInsertPoint(fault);
  builder.CreateRet(builder.getInt32(BSM_RUN_FAULT));
  BasicBlock *entry =
      BasicBlock::Create(module.getContext(), "entry", run, fault);
  builder.SetInsertPoint(entry);
  readLaunch();
  if (complete.streaming)
    streams = shouldStream(complete);
  groupLoop([&] {
    if (&complete == &partial)
      return runGroup(complete, isComplete);
    BasicBlock *whole = block("complete"), *edge = block("partial"),
               *join = block("group.done");
    builder.CreateCondBr(isComplete, whole, edge);
    builder.SetInsertPoint(whole);
    runGroup(complete, builder.getTrue());
    builder.CreateBr(join);
    builder.SetInsertPoint(edge);
    runGroup(partial, builder.getFalse());
    builder.CreateBr(join);
    builder.SetInsertPoint(join);
  });
  return run;
}

} // namespace

Function *emitDriver(Module &module, const KernelInfo &kernel,
                     const BodySet &complete, const BodySet &partial) {
  return Driver(module, kernel, complete.options).emit(complete, partial);
}

} // namespace bessemer::codegen::cpu
