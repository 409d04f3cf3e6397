//===- PlanTest.cpp - Encoding and verification of plans ------------------===//
#include "plan/Serialize.h"
#include "plan/Verify.h"

#include <gtest/gtest.h>
#include <random>

using namespace bessemer;
using namespace bessemer::plan;

/// y = x * w + bias (a constant), with a kernel and every kind of step.
static Plan examplePlan() {
  Plan plan;
  plan.function = "main";
  plan.registerCount = 6;
  plan.constants.resize(128, 7);
  TensorInfo x{DType::F32, {0, 1}, {}, Storage::Input, 0};
  TensorInfo w{DType::F32, {1, 1}, {}, Storage::Constant};
  w.bytes = 64;
  TensorInfo product{DType::F32, {0, 1}, {}, Storage::Arena};
  TensorInfo view{DType::F32, {1}, {3}, Storage::Alias, 2, 4};
  TensorInfo y{DType::F32, {0, 1}, {}, Storage::Output, 0};
  plan.tensors = {x, w, product, view, y};
  plan.inputs = {{"x", 0, {-1, 4}}};
  plan.outputs = {{"y", 4, {-1, 4}}};
  plan.sources = {
      {"kernel void k() {}", "k.metal", 2, "kernel", {{1, "model.py", 9}}}};
  plan.steps = {
      ScalarStep{ScalarOp::Dim, 0, 0, 0, 0},
      ScalarStep{ScalarOp::Constant, 1, 0, 0, 4},
      ScalarStep{ScalarOp::Mul, 2, 0, 1, 0},
      ScalarStep{ScalarOp::Constant, 3, 0, 0, 1},
      ScalarStep{ScalarOp::Sub, 4, 3, 3, 0},
      RequireStep{RequireStep::Relation::LessEqual, 1, 2, "{a} > {b}"},
      GemmStep{0, 1, 2, false, true, true, 3},
      DispatchStep{
          0,
          "k",
          {BufferArg{2}, TensorArg{4}, ScalarArg{{0, 2}}, BytesArg{{1, 2, 3}}},
          {0, 1, 3},
          {3, 3, 3}},
      CopyStep{2, 4},
  };
  return plan;
}

TEST(Plan, BytesSurviveARoundTrip) {
  Plan plan = examplePlan();
  // The bias of a product must be written before: let a copy come first.
  plan.steps.insert(plan.steps.begin() + 6, CopyStep{0, 2});
  Status status = verify(plan);
  ASSERT_TRUE(status) << status.error().message;
  std::string bytes = serialize(plan);
  Result<Plan> read = deserialize(bytes);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(serialize(*read), bytes);
  EXPECT_EQ(read->outputs[0].name, "y");
  EXPECT_EQ(read->sources[0].math, 2);
  EXPECT_EQ(read->sources[0].places[0].file, "model.py");
  EXPECT_EQ(std::get<DispatchStep>(read->steps[8]).kernel, "k");
}

TEST(Plan, UseBeforeDefinitionIsFound) {
  Status status = verify(examplePlan());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::Corrupt);
  EXPECT_NE(status.error().message.find("tensor 3 is used before"),
            std::string::npos)
      << status.error().message;
}

TEST(Plan, VerifierNamesWhatIsWrong) {
  auto broken = [](auto change) {
    Plan plan = examplePlan();
    plan.steps.insert(plan.steps.begin() + 6, CopyStep{0, 2});
    change(plan);
    Status status = verify(plan);
    EXPECT_FALSE(status);
    return status ? std::string() : status.error().message;
  };
  auto has = [](const std::string &text, const char *part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(broken([](Plan &p) { p.tensors[3].index = 3; }), "alias"));
  EXPECT_TRUE(has(broken([](Plan &p) { p.tensors[1].offset = 1 << 20; }),
                  "outside the constants"));
  EXPECT_TRUE(
      has(broken([](Plan &p) { p.tensors[0].shape[0] = 99; }), "register"));
  EXPECT_TRUE(has(broken([](Plan &p) { p.steps.erase(p.steps.begin()); }),
                  "register 0 is used before"));
  EXPECT_TRUE(has(
      broken([](Plan &p) { std::get<DispatchStep>(p.steps[8]).source = 1; }),
      "source 1"));
  EXPECT_TRUE(has(broken([](Plan &p) { p.steps.push_back(CopyStep{2, 1}); }),
                  "must not be written"));
  EXPECT_TRUE(
      has(broken([](Plan &p) { p.outputs[0].shape = {1}; }), "another rank"));
}

TEST(Plan, EveryDamagedByteIsAnErrorOrAValidPlan) {
  Plan plan = examplePlan();
  plan.steps.insert(plan.steps.begin() + 6, CopyStep{0, 2});
  const std::string bytes = serialize(plan);
  unsigned refused = 0;
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int bit : {0x01, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[at] ^= bit;
      Result<Plan> read = deserialize(damaged);
      if (read)
        EXPECT_TRUE(verify(*read));
      refused += !read;
    }
  EXPECT_GT(refused, bytes.size());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(deserialize(bytes.substr(0, size))) << size;
  EXPECT_FALSE(deserialize(bytes + "x"));
}

TEST(Plan, RandomBytesAreErrors) {
  const unsigned seed = 20261;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const std::string head = serialize(Plan()).substr(0, 11);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = head;
    for (size_t size = random() % 200; size; --size)
      bytes += static_cast<char>(random() % 4 ? 0 : random());
    (void)deserialize(bytes);
  }
}

TEST(Plan, OtherVersionsAreNamed) {
  std::string bytes = serialize(Plan());
  bytes[7] = 99;
  Result<Plan> read = deserialize(bytes);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("version 99"), std::string::npos);
}
