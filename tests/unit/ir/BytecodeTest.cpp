//===- BytecodeTest.cpp - Saved programs ----------------------------------===//
#include "TestPrograms.h"
#include "ir/BytecodeSeal.h"

#include "mlir/IR/DialectResourceBlobManager.h"

#include <cstring>
#include <numeric>

using namespace bessemer;
using namespace bessemer::test;

namespace {

TEST(Bytecode, RoundTrip) {
  auto program = parsed(kernelProgram);
  ASSERT_TRUE(program);
  auto bytes = program->bytecode();
  ASSERT_TRUE(bytes) << bytes.error().message;
  auto again = IRProgram::fromBytecode(*bytes);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ((*again)->print(), program->print());
}

TEST(Bytecode, IsDeterministic) {
  auto first = parsed(kernelProgram), second = parsed(kernelProgram);
  auto bytes = first->bytecode();
  ASSERT_TRUE(bytes);
  EXPECT_EQ(*bytes, *second->bytecode());
  auto again = IRProgram::fromBytecode(*bytes);
  ASSERT_TRUE(again);
  EXPECT_EQ(*bytes, *(*again)->bytecode());
  // Nor does the layout of the text leave a trace.
  std::string shifted = "\n\n  " + std::string(kernelProgram);
  EXPECT_EQ(*bytes, *parsed(shifted)->bytecode());
}

TEST(Bytecode, HasNoAbsolutePaths) {
  auto program = std::move(*IRProgram::create());
  auto block = program->addGraph("main", {"x"}, {"tensor<4xf32>"});
  ASSERT_TRUE(block);
  auto exp =
      program->createOp(*block, "coreai.exp", {program->input(*block, 0)}, {},
                        "", "/somewhere/private/model.py:12", 0);
  ASSERT_TRUE(exp);
  ASSERT_TRUE(program->setOutputs(*block, {program->result(*exp, 0)}, {"y"}));
  auto bytes = program->bytecode();
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->find("somewhere"), std::string::npos);
  EXPECT_NE(bytes->find("model.py"), std::string::npos);
}

/// A program with one large weight, as bytecode.
std::string savedWeights(const std::vector<float> &weights) {
  auto program = std::move(*IRProgram::create());
  auto block = program->addGraph("main", {}, {});
  auto value = program->constant(*block, DType::F32, {int64_t(weights.size())},
                                 weights.data(), weights.size() * 4);
  EXPECT_TRUE(value);
  EXPECT_TRUE(program->setOutputs(*block, {*value}, {"w"}));
  return *program->bytecode();
}

llvm::ArrayRef<char> firstWeights(IRProgram &program) {
  llvm::ArrayRef<char> data;
  program.module().walk([&](coreai::ConstantOp constant) {
    if (auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(
            constant.getValueAttr()))
      data = resource.getRawHandle().getBlob()->getData();
  });
  return data;
}

TEST(Bytecode, WeightsStayWhereTheyAre) {
  std::vector<float> weights(1000);
  std::iota(weights.begin(), weights.end(), 1.f);
  std::string bytes = savedWeights(weights);
  std::shared_ptr<char> owner(static_cast<char *>(std::aligned_alloc(
                                  4096, (bytes.size() + 4095) & ~4095)),
                              std::free);
  std::memcpy(owner.get(), bytes.data(), bytes.size());
  auto program = IRProgram::fromBytecode({owner.get(), bytes.size()}, owner);
  ASSERT_TRUE(program) << program.error().message;
  llvm::ArrayRef<char> data = firstWeights(**program);
  ASSERT_EQ(data.size(), 4000u);
  EXPECT_GE(data.data(), owner.get());
  EXPECT_LE(data.end(), owner.get() + bytes.size());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data.data()) % 64, 0u);
  EXPECT_EQ(std::memcmp(data.data(), weights.data(), 4000), 0);
}

TEST(Bytecode, UnalignedBytesAreCopied) {
  std::vector<float> weights(1000);
  std::iota(weights.begin(), weights.end(), 1.f);
  std::string bytes = " " + savedWeights(weights);
  auto program = IRProgram::fromBytecode(std::string_view(bytes).substr(1));
  ASSERT_TRUE(program) << program.error().message;
  bytes.assign(bytes.size(), 'x');
  EXPECT_EQ(std::memcmp(firstWeights(**program).data(), weights.data(), 4000),
            0);
}

/// Changes the one place of `bytes` that holds `from`, and seals them again.
void replaceAndSeal(std::string &bytes, std::string_view from,
                    std::string_view to) {
  size_t at = bytes.find(from);
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, from.size(), to);
  ASSERT_TRUE(sealBytecode(bytes));
}

/// The dialect section names each dialect with its version: the section of
/// kind 7, of one byte, that holds 1.
TEST(Bytecode, NewerVersionsAreRefused) {
  std::string bytes = *parsed(kernelProgram)->bytecode();
  replaceAndSeal(bytes, std::string_view("\x07\x03\x03", 3),
                 std::string_view("\x07\x03\x13", 3));
  auto program = IRProgram::fromBytecode(bytes);
  ASSERT_FALSE(program);
  EXPECT_NE(program.error().message.find("the program uses version 9 of"),
            std::string::npos)
      << program.error().message;
}

TEST(Bytecode, InvalidProgramsAreNotSaved) {
  auto program = std::move(*IRProgram::create());
  ASSERT_TRUE(program->addGraph("main", {}, {}));
  EXPECT_FALSE(program->bytecode());
}

} // namespace
