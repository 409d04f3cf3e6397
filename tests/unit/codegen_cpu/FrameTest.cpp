//===- FrameTest.cpp - The stack of enormous kernels ----------------------===//
#include "codegen/cpu/7_object/Target.h"
#include "codegen/cpu/Compile.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/LEB128.h"

#include <gtest/gtest.h>

using namespace bessemer;
using namespace llvm;

namespace {
/// More than the optimising code generator is used for.
constexpr unsigned values = 35000;
/// Where its frame must stay below; each value has 128 bytes.
constexpr uint64_t limit = 4 << 20;

/// A function that reads `values` vectors, each in a block of its own.
class Enormous {
public:
  Enormous() : module("enormous", context), builder(context) {
    auto *type =
        FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
    function =
        Function::Create(type, GlobalValue::ExternalLinkage, "run", module);
    target = std::move(*codegen::cpu::createTarget({}));
    target->Options.EmitStackSizeSection = true;
    module.setTargetTriple(target->getTargetTriple());
    module.setDataLayout(target->createDataLayout());
    begin();
  }

  Value *read() {
    auto *vector = FixedVectorType::get(builder.getInt32Ty(), 32);
    return builder.CreateLoad(vector, function->getArg(0), true);
  }
  void write(Value *value) {
    builder.CreateStore(value, function->getArg(0), true);
  }
  void begin() {
    auto *block = BasicBlock::Create(context, "", function);
    if (builder.GetInsertBlock())
      builder.CreateBr(block);
    builder.SetInsertPoint(block);
  }
  Result<std::string> emit() {
    builder.CreateRetVoid();
    return codegen::cpu::emitObject(module, *target);
  }

private:
  LLVMContext context;
  Module module;
  IRBuilder<> builder;
  Function *function;
  std::unique_ptr<TargetMachine> target;
};

/// What the object says of its only function.
uint64_t frameOf(const std::string &code) {
  auto object = cantFail(
      object::ObjectFile::createObjectFile(MemoryBufferRef(code, "object")));
  for (const object::SectionRef &section : object->sections()) {
    if (cantFail(section.getName()) != ".stack_sizes")
      continue;
    StringRef contents = cantFail(section.getContents());
    return decodeULEB128(contents.bytes_begin() + sizeof(uint64_t));
  }
  ADD_FAILURE() << "no stack sizes";
  return 0;
}
} // namespace

TEST(Frame, LargerThanTheStackOnlyWithoutOptimisation) {
  Enormous enormous;
  for (unsigned i = 0; i < values; ++i) {
    Value *value = enormous.read();
    enormous.begin();
    enormous.write(value);
  }
  Result<std::string> code = enormous.emit();
  ASSERT_TRUE(code) << code.error().message;
  EXPECT_LT(frameOf(*code), limit);
}

TEST(Frame, LargerThanTheStackIsAnError) {
  Enormous enormous;
  std::vector<Value *> all;
  for (unsigned i = 0; i < values; ++i)
    all.push_back(enormous.read());
  for (Value *value : all)
    enormous.write(value);
  Result<std::string> code = enormous.emit();
  ASSERT_FALSE(code);
  EXPECT_NE(code.error().message.find("of stack"), std::string::npos);
}
