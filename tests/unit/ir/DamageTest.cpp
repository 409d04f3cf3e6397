//===- DamageTest.cpp - Damaged and hostile input gives errors ------------===//
#include "TestPrograms.h"

#include <random>

using namespace bessemer;
using namespace bessemer::test;

namespace {

/// Seed of every random choice below.
constexpr unsigned seed = 20240607;

std::string savedProgram() { return *parsed(kernelProgram)->bytecode(); }

TEST(Damage, ForeignBytes) {
  for (std::string_view bytes : {"", "M", "module {}", "PK\3\4 zip"}) {
    auto program = IRProgram::fromBytecode(bytes);
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().kind, ErrorKind::Corrupt);
  }
}

TEST(Damage, EveryTruncationIsAnError) {
  std::string bytes = savedProgram();
  for (size_t size = 0; size < bytes.size(); ++size) {
    auto program = IRProgram::fromBytecode(bytes.substr(0, size));
    EXPECT_FALSE(program) << "at " << size << " of " << bytes.size();
    if (!program)
      EXPECT_EQ(program.error().kind, ErrorKind::Corrupt);
  }
}

/// Only the weights are outside the program's own checksum (the asset's covers
/// them): what is read has to be usable.
TEST(Damage, BitFlips) {
  std::string bytes = savedProgram();
  std::mt19937 random(seed);
  unsigned refused = 0;
  constexpr unsigned trials = 2000;
  for (unsigned i = 0; i < trials; ++i) {
    std::string damaged = bytes;
    for (unsigned flips = 1 + random() % 3; flips; --flips)
      damaged[random() % damaged.size()] ^= char(1u << random() % 8);
    auto program = IRProgram::fromBytecode(damaged);
    refused += !program;
    if (program)
      EXPECT_TRUE((*program)->bytecode());
  }
  EXPECT_GT(refused, trials * 9 / 10);
}

TEST(Damage, GarbageText) {
  std::mt19937 random(seed);
  static constexpr std::string_view tokens[] = {"%0",
                                                "=",
                                                "coreai.graph",
                                                "@main",
                                                "(",
                                                ")",
                                                "{",
                                                "}",
                                                "tensor<",
                                                "?x",
                                                "4x",
                                                "f32>",
                                                ":",
                                                "->",
                                                "coreai.constant",
                                                "dense<",
                                                "[1,",
                                                "]>",
                                                "#",
                                                "!coreai.handle<",
                                                "loc(",
                                                "\"",
                                                "\n",
                                                "coreai.metal4_kernel",
                                                "{-#",
                                                "dense_resource<w>",
                                                "\xff",
                                                "affine_map<",
                                                "0x",
                                                "-1",
                                                "coreai.slice",
                                                "%arg0",
                                                ",",
                                                "coreai.output",
                                                "module",
                                                "^bb0"};
  for (unsigned i = 0; i < 2000; ++i) {
    std::string text;
    for (unsigned n = random() % 40; n; --n)
      text += std::string(tokens[random() % std::size(tokens)]) + " ";
    (void)IRProgram::parse(text);
  }
}

/// Replaces one token of a valid program by another token of it.
TEST(Damage, ShuffledText) {
  std::mt19937 random(seed);
  std::vector<std::string> tokens;
  std::string word;
  for (char c : kernelProgram) {
    bool isWord = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    if (!isWord ||
        (!word.empty() && !std::isalnum(word.back()) && word.back() != '_')) {
      tokens.push_back(word);
      word.clear();
    }
    word += c;
  }
  tokens.push_back(word);
  unsigned refused = 0;
  for (unsigned i = 0; i < 2000; ++i) {
    std::vector<std::string> copy = tokens;
    copy[random() % copy.size()] = tokens[random() % tokens.size()];
    std::string text;
    for (const std::string &token : copy)
      text += token;
    auto program = IRProgram::parse(text);
    refused += !program;
    if (program)
      (void)(*program)->bytecode();
  }
  EXPECT_GT(refused, 500u);
}

TEST(Damage, DeepNesting) {
  for (std::string_view open : {"[", "(", "{", "<", "tensor<", "loc(fused["}) {
    std::string text = "module attributes {a = ";
    for (unsigned i = 0; i < 100000; ++i)
      text += open;
    auto program = IRProgram::parse(text);
    ASSERT_FALSE(program);
    EXPECT_NE(program.error().message.find("nested"), std::string::npos);
  }
}

TEST(Damage, AffineExpressions) {
  std::string text = "module attributes {a = affine_map<(d0) -> (";
  for (unsigned i = 0; i < 100000; ++i)
    text += "-";
  EXPECT_FALSE(IRProgram::parse(text + "d0)>} {}"));
}

} // namespace
