//===- ThreadValues.cpp - Values of thread attributes in IR ---------------===//
#include "msl/ThreadValues.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Module.h"

using namespace bessemer;
using namespace bessemer::msl;

static llvm::Value *intrinsic(llvm::IRBuilder<> &builder,
                              const llvm::Twine &name) {
  llvm::SmallString<64> buffer;
  llvm::Module *module = builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module->getOrInsertFunction(
      name.toStringRef(buffer),
      llvm::FunctionType::get(builder.getInt32Ty(), false));
  return builder.CreateCall(callee);
}

/// Number of quadgroups in a threadgroup of the given size.
static llvm::Value *quadgroups(llvm::IRBuilder<> &builder,
                               llvm::StringRef sizes) {
  llvm::Value *threads =
      builder.CreateMul(builder.CreateMul(intrinsic(builder, sizes + ".x"),
                                          intrinsic(builder, sizes + ".y")),
                        intrinsic(builder, sizes + ".z"));
  return builder.CreateLShr(builder.CreateAdd(threads, builder.getInt32(3)), 2);
}

static llvm::Value *component(llvm::IRBuilder<> &builder,
                              const ThreadAttribute &attribute, unsigned i) {
  static constexpr const char *suffixes[] = {".x", ".y", ".z"};
  llvm::StringRef source = attribute.source;
  if (!source.consume_front("@"))
    return intrinsic(builder, attribute.components == 3 ? source + suffixes[i]
                                                        : llvm::Twine(source));
  auto index = [&] {
    return intrinsic(builder, "bsm.thread_index_in_threadgroup");
  };
  if (source == "SimdgroupWidth")
    return builder.getInt32(32);
  if (source == "LaneInQuadgroup")
    return builder.CreateAnd(index(), 3);
  if (source == "QuadgroupIndex")
    return builder.CreateLShr(index(), 2);
  if (source == "Quadgroups")
    return quadgroups(builder, "bsm.threads_per_threadgroup");
  if (source == "DispatchQuadgroups")
    return quadgroups(builder, "bsm.dispatch_threads_per_threadgroup");
  assert(source == "Zero");
  return builder.getInt32(0);
}

llvm::Value *msl::emitThreadValue(llvm::IRBuilder<> &builder,
                                  const KernelParameter &parameter) {
  llvm::IntegerType *type = builder.getIntNTy(parameter.bits);
  if (!parameter.isVector)
    return builder.CreateZExtOrTrunc(
        component(builder, *parameter.attribute, 0), type);
  // The vector class: its components lie one after the other.
  unsigned slots = parameter.components == 3 ? 4 : parameter.components;
  llvm::AllocaInst *copy =
      builder.CreateAlloca(llvm::ArrayType::get(type, slots));
  copy->setAlignment(llvm::Align(slots * parameter.bits / 8));
  for (unsigned i = 0; i < parameter.components; ++i)
    builder.CreateStore(builder.CreateZExtOrTrunc(
                            component(builder, *parameter.attribute, i), type),
                        builder.CreateConstInBoundsGEP1_32(type, copy, i));
  return copy;
}
