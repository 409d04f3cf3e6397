//===- ExecutorTest.cpp - Running plans -----------------------------------===//
#include "runtime/executor/PlanExecutor.h"

#include "FakeCode.h"
#include "plan/Verify.h"
#include "runtime/StridedCopy.h"

#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace bessemer;
using namespace bessemer::runtime;
using namespace bessemer::plan;
using namespace bessemer::test;

namespace {
/// Builds plans a step at a time.
struct Builder {
  Plan plan;
  Builder() { plan.function = "main"; }
  Reg constant(int64_t value) {
    plan.steps.push_back(
        ScalarStep{ScalarOp::Constant, plan.registerCount, 0, 0, value});
    return plan.registerCount++;
  }
  Reg op(ScalarOp op, uint32_t a, uint32_t b, int64_t immediate = 0) {
    plan.steps.push_back(ScalarStep{op, plan.registerCount, a, b, immediate});
    return plan.registerCount++;
  }
  TensorId tensor(Storage storage, std::vector<Reg> shape, uint32_t index = 0,
                  DType type = DType::F32) {
    plan.tensors.push_back({type, std::move(shape), {}, storage, index});
    return plan.tensors.size() - 1;
  }
  /// An input; its dynamic dimensions become registers.
  TensorId input(std::string name, std::vector<int64_t> shape,
                 DType type = DType::F32) {
    uint32_t number = plan.inputs.size();
    plan.inputs.push_back({std::move(name), 0, shape});
    std::vector<Reg> regs;
    for (size_t i = 0; i < shape.size(); ++i)
      regs.push_back(op(ScalarOp::Dim, number, 0, i));
    return plan.inputs.back().tensor =
               tensor(Storage::Input, regs, number, type);
  }
  TensorId output(std::string name, std::vector<Reg> shape,
                  std::vector<int64_t> declared, DType type = DType::F32) {
    uint32_t number = plan.outputs.size();
    TensorId id = tensor(Storage::Output, std::move(shape), number, type);
    plan.outputs.push_back({std::move(name), id, std::move(declared)});
    return id;
  }
  std::vector<Reg> shapeOf(TensorId id) { return plan.tensors[id].shape; }
};

struct Executor : testing::Test {
  FakeCode code;
  CpuKernel saxpy{saxpyInfo(), code};
  std::shared_ptr<CpuDevice> device = CpuDevice::shared(3);

  std::unique_ptr<PlanExecutor> make(const Plan &plan) {
    Status status = verify(plan);
    EXPECT_TRUE(status) << status.error().message;
    auto executor =
        PlanExecutor::create(plan, device, [&](uint32_t, std::string_view) {
          return Result<CpuKernel *>(&saxpy);
        });
    EXPECT_TRUE(executor);
    return std::move(*executor);
  }
  std::vector<float> values(const Tensor &tensor) {
    auto *data = static_cast<float *>(tensor.data);
    return std::vector<float>(data, data + tensor.elementCount());
  }
};

/// y = 2 x + x through a copy and the kernel, for any length.
Plan saxpyPlan() {
  Builder b;
  TensorId x = b.input("x", {-1});
  Reg one = b.constant(1), group = b.constant(64), n = b.shapeOf(x)[0];
  TensorId middle = b.tensor(Storage::Arena, {n});
  TensorId y = b.output("y", {n}, {-1});
  b.plan.sources.emplace_back();
  b.plan.steps.push_back(CopyStep{x, middle});
  float two = 2;
  std::vector<uint8_t> bytes(4);
  std::memcpy(bytes.data(), &two, 4);
  b.plan.steps.push_back(
      DispatchStep{0,
                   "saxpy",
                   {BufferArg{x}, BufferArg{middle}, BytesArg{bytes}},
                   {n, one, one},
                   {group, one, one}});
  b.plan.steps.push_back(CopyStep{middle, y});
  return b.plan;
}
} // namespace

TEST_F(Executor, RunsKernelsForEveryLength) {
  auto executor = make(saxpyPlan());
  EXPECT_EQ(code.calls, 1u); // the constant shape, before the first run
  for (int64_t n : {0, 1, 63, 1000, 5}) {
    std::vector<float> x(n);
    std::iota(x.begin(), x.end(), 0.0f);
    auto results = executor->run({tensorOf(x)});
    ASSERT_TRUE(results) << results.error().message;
    ASSERT_EQ((*results)[0].shape, std::vector<int64_t>{n});
    ASSERT_TRUE((*results)[0].owner);
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(values((*results)[0])[i], 3.0f * i);
  }
}

TEST_F(Executor, RunsOnManyThreads) {
  auto executor = make(saxpyPlan());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int64_t n = 1; n < 200; ++n) {
        std::vector<float> x(n, float(t + 1));
        auto results = executor->run({tensorOf(x)});
        ASSERT_TRUE(results);
        EXPECT_EQ(values((*results)[0]), std::vector<float>(n, 3.0f * (t + 1)));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(Executor, InputErrorsNameBothSides) {
  Builder b;
  TensorId x = b.input("x", {2, -1});
  TensorId y = b.output("y", b.shapeOf(x), {2, -1});
  b.plan.steps.push_back(CopyStep{x, y});
  auto executor = make(b.plan);
  std::vector<float> data(12);
  auto message = [&](std::vector<Tensor> inputs) {
    auto results = executor->run(inputs);
    EXPECT_FALSE(results);
    return results ? std::string() : results.error().message;
  };
  Tensor tensor{DType::F32, {3, 4}, {}, data.data(), false, nullptr};
  EXPECT_EQ(message({tensor}),
            "function 'main': input 'x' has an invalid shape: got "
            "float32[3, 4], expected float32[2, ?]");
  tensor.dtype = DType::F16;
  EXPECT_EQ(message({tensor}),
            "function 'main': input 'x' has an invalid scalar type: got "
            "float16[3, 4], expected float32[2, ?]");
  EXPECT_EQ(message({}), "function 'main': takes 1 inputs (x), got 0");
  tensor = {DType::F32, {2, 3}, {}, nullptr, false, nullptr};
  EXPECT_EQ(message({tensor}), "function 'main': input 'x' is a null pointer");
  // Any strides will do: here a transposed view.
  std::iota(data.begin(), data.end(), 0.0f);
  tensor = {DType::F32, {2, 3}, {1, 2}, data.data(), false, nullptr};
  auto results = executor->run({tensor});
  ASSERT_TRUE(results) << results.error().message;
  EXPECT_EQ(values((*results)[0]), (std::vector<float>{0, 2, 4, 1, 3, 5}));
}

TEST_F(Executor, BatchedProductBroadcastsAndAddsBias) {
  Builder b;
  TensorId x = b.input("x", {2, 1, 2, 3}); // batch (2, 1)
  TensorId w = b.input("w", {3, 4, 3});    // batch (3), transposed
  TensorId bias = b.input("bias", {4});
  std::vector<Reg> shape{b.constant(2), b.constant(3), b.constant(2),
                         b.constant(4)};
  TensorId y = b.output("y", shape, {2, 3, 2, 4});
  b.plan.steps.push_back(GemmStep{x, w, y, false, true, true, bias});
  auto executor = make(b.plan);
  std::vector<float> xs(12), ws(36), biases{10, 20, 30, 40};
  std::iota(xs.begin(), xs.end(), 1.0f);
  std::iota(ws.begin(), ws.end(), -5.0f);
  auto results = executor->run(
      {Tensor{DType::F32, {2, 1, 2, 3}, {}, xs.data(), false, nullptr},
       Tensor{DType::F32, {3, 4, 3}, {}, ws.data(), false, nullptr},
       tensorOf(biases)});
  ASSERT_TRUE(results) << results.error().message;
  std::vector<float> got = values((*results)[0]);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int m = 0; m < 2; ++m)
        for (int n = 0; n < 4; ++n) {
          float sum = biases[n];
          for (int k = 0; k < 3; ++k)
            sum += xs[(i * 2 + m) * 3 + k] * ws[(j * 4 + n) * 3 + k];
          EXPECT_EQ(got[((i * 3 + j) * 2 + m) * 4 + n], sum);
        }
}

TEST_F(Executor, ShapesThatDoNotFitAreErrors) {
  Builder b;
  TensorId x = b.input("x", {-1, -1}), w = b.input("w", {-1, -1});
  TensorId y = b.output("y", {b.shapeOf(x)[0], b.shapeOf(w)[1]}, {-1, -1});
  b.plan.steps.push_back(GemmStep{x, w, y});
  auto executor = make(b.plan);
  std::vector<float> data(12, 1);
  Tensor left{DType::F32, {2, 3}, {}, data.data(), false, nullptr};
  Tensor right{DType::F32, {4, 2}, {}, data.data(), false, nullptr};
  auto results = executor->run({left, right});
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message,
            "function 'main': a matrix product of float32[2, 3] and "
            "float32[4, 2] does not make float32[2, 2]");
  // Nothing to add up: zeros.
  left.shape = {2, 0};
  right.shape = {0, 2};
  results = executor->run({left, right});
  ASSERT_TRUE(results);
  EXPECT_EQ(values((*results)[0]), std::vector<float>(4, 0));
}

TEST_F(Executor, ViewsMustStayInside) {
  Builder b;
  TensorId x = b.input("x", {-1});
  Reg two = b.constant(2), stride = b.constant(3), offset = b.constant(1);
  TensorId view = b.tensor(Storage::Alias, {two}, x);
  b.plan.tensors[view].strides = {stride};
  b.plan.tensors[view].offsetReg = offset;
  TensorId y = b.output("y", {two}, {2});
  b.plan.steps.push_back(CopyStep{view, y});
  // A view as a result is copied for the caller.
  b.plan.outputs.push_back({"z", view, {2}});
  auto executor = make(b.plan);
  std::vector<float> data{0, 1, 2, 3, 4, 5};
  auto results = executor->run({tensorOf(data)});
  ASSERT_TRUE(results) << results.error().message;
  EXPECT_EQ(values((*results)[0]), (std::vector<float>{1, 4}));
  EXPECT_EQ(values((*results)[1]), (std::vector<float>{1, 4}));
  data.resize(4);
  results = executor->run({tensorOf(data)});
  ASSERT_FALSE(results);
  EXPECT_NE(results.error().message.find("view of 16 bytes at byte 4 of a "
                                         "tensor of 16 bytes"),
            std::string::npos)
      << results.error().message;
}

TEST_F(Executor, ShapeArithmetic) {
  Builder b;
  TensorId x = b.input("x", {-1}), v = b.input("v", {1}, DType::I32);
  Reg n = b.shapeOf(x)[0], value = b.op(ScalarOp::Read, v, 0, 0);
  std::vector<Reg> regs;
  for (ScalarOp op :
       {ScalarOp::Add, ScalarOp::Sub, ScalarOp::Mul, ScalarOp::FloorDiv,
        ScalarOp::CeilDiv, ScalarOp::Mod, ScalarOp::Min, ScalarOp::Max})
    regs.push_back(b.op(op, value, n));
  int64_t expected[] = {-4, -10, -21, -3, -2, 2, -7, 3};
  for (size_t i = 0; i < regs.size(); ++i)
    b.plan.steps.push_back(RequireStep{RequireStep::Relation::Equal, regs[i],
                                       b.constant(expected[i]),
                                       "{a} is not {b}"});
  TensorId y = b.output("y", {n}, {-1});
  b.plan.steps.push_back(CopyStep{x, y});
  auto executor = make(b.plan);
  std::vector<float> data(3);
  std::vector<int32_t> seven{-7};
  auto results = executor->run({tensorOf(data), tensorOf(seven, DType::I32)});
  ASSERT_TRUE(results) << results.error().message;
  data.resize(2);
  results = executor->run({tensorOf(data), tensorOf(seven, DType::I32)});
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().message, "function 'main': -5 is not -4");
  results = executor->run({tensorOf(data), tensorOf(seven, DType::I32)});
  data.clear();
  data.shrink_to_fit();
  results = executor->run({tensorOf(data), tensorOf(seven, DType::I32)});
  ASSERT_FALSE(results);
  EXPECT_NE(results.error().message.find("division by zero"),
            std::string::npos);
}

/// saxpy writes its argument y, here an input of the program.
TEST_F(Executor, InputsThatKernelsWriteAreCopied) {
  Builder b;
  TensorId x = b.input("x", {4}), y = b.input("y", {4});
  Reg one = b.constant(1), group = b.constant(64), n = b.shapeOf(x)[0];
  b.plan.sources.emplace_back();
  float two = 2;
  std::vector<uint8_t> bytes(4);
  std::memcpy(bytes.data(), &two, 4);
  DispatchStep dispatch{0,
                        "saxpy",
                        {BufferArg{x}, BufferArg{y}, BytesArg{bytes}},
                        {n, one, one},
                        {group, one, one}};
  dispatch.inputs = 2;
  b.plan.steps.push_back(dispatch);
  TensorId z = b.output("z", {n}, {4});
  b.plan.steps.push_back(CopyStep{y, z});
  auto executor = make(b.plan);
  std::vector<float> xs{1, 2, 3, 4}, ys{5, 6, 7, 8};
  auto results = executor->run({tensorOf(xs), tensorOf(ys)});
  ASSERT_TRUE(results) << results.error().message;
  EXPECT_EQ(values((*results)[0]), (std::vector<float>{5, 6, 7, 8}));
  EXPECT_EQ(ys, (std::vector<float>{5, 6, 7, 8}));
}

TEST_F(Executor, StatesAreWrittenInPlace) {
  Builder b;
  TensorId x = b.input("x", {2});
  b.plan.states.push_back({"s", 0, {2}});
  TensorId s = b.tensor(Storage::State, b.shapeOf(x));
  b.plan.states[0].tensor = s;
  TensorId y = b.output("y", b.shapeOf(x), {2});
  b.plan.steps.push_back(CopyStep{s, y});
  b.plan.steps.push_back(CopyStep{x, s});
  auto executor = make(b.plan);
  std::vector<float> xs{1, 2}, state{5, 6}, strided{5, 0, 6, 0};
  auto results = executor->run({tensorOf(xs)}, {tensorOf(state)});
  ASSERT_TRUE(results) << results.error().message;
  EXPECT_EQ(values((*results)[0]), (std::vector<float>{5, 6}));
  EXPECT_EQ(state, xs);
  Tensor view{DType::F32, {2}, {2}, strided.data(), false, nullptr};
  results = executor->run({tensorOf(xs)}, {view});
  ASSERT_TRUE(results) << results.error().message;
  EXPECT_EQ(strided, (std::vector<float>{1, 0, 2, 0}));
  EXPECT_EQ(executor->run({tensorOf(xs)}).error().message,
            "function 'main': takes 1 states (s), got 0");
  view.readOnly = true;
  EXPECT_NE(executor->run({tensorOf(xs)}, {view})
                .error()
                .message.find("state 's' is read-only"),
            std::string::npos);
}

TEST_F(Executor, BranchesRunOneOfTwoBlocks) {
  Builder b;
  TensorId test = b.input("test", {1}, DType::Bool), x = b.input("x", {2}),
           z = b.input("z", {2});
  TensorId y = b.output("y", b.shapeOf(x), {2});
  b.plan.blocks = {{CopyStep{x, y}}, {CopyStep{z, y}}};
  b.plan.steps.push_back(IfStep{test, 0, 1});
  auto executor = make(b.plan);
  std::vector<float> xs{1, 2}, zs{3, 4};
  for (uint8_t which : {0, 1}) {
    std::vector<uint8_t> condition{which};
    auto results = executor->run(
        {tensorOf(condition, DType::Bool), tensorOf(xs), tensorOf(zs)});
    ASSERT_TRUE(results) << results.error().message;
    EXPECT_EQ(values((*results)[0]), which ? xs : zs);
  }
  // What one branch alone makes may not exist behind both.
  b.plan.blocks[1].clear();
  EXPECT_FALSE(verify(b.plan));
}

TEST_F(Executor, LoopsRunUntilTheirConditionFails) {
  Builder b;
  TensorId first = b.input("first", {1}, DType::Bool),
           second = b.input("second", {1}, DType::Bool);
  TensorId now = b.tensor(Storage::Arena, b.shapeOf(first), 0, DType::Bool),
           next = b.tensor(Storage::Arena, b.shapeOf(first), 0, DType::Bool);
  TensorId y = b.output("y", b.shapeOf(first), {1}, DType::Bool);
  b.plan.steps.push_back(CopyStep{first, now});
  b.plan.blocks = {{CopyStep{now, next}}, {CopyStep{second, now}}};
  b.plan.steps.push_back(WhileStep{next, 0, 1});
  b.plan.steps.push_back(CopyStep{now, y});
  auto executor = make(b.plan);
  std::vector<uint8_t> yes{1}, no{0};
  auto results =
      executor->run({tensorOf(yes, DType::Bool), tensorOf(no, DType::Bool)});
  ASSERT_TRUE(results) << results.error().message;
  EXPECT_EQ(*static_cast<uint8_t *>((*results)[0].data), 0);
  // A block that two steps name is damage.
  b.plan.steps.push_back(IfStep{first, 0, 1});
  EXPECT_FALSE(verify(b.plan));
}

TEST(StridedCopy, AgreesWithElementByElement) {
  ThreadPool pool(3);
  std::vector<int32_t> from(5000), to(5000, -1);
  std::iota(from.begin(), from.end(), 0);
  // A permuted view of 4 x 5 x 7 with a broadcast dimension of 3.
  Tensor source{DType::I32, {7, 3, 4, 5}, {1, 0, 35, 7}, from.data()};
  Tensor target{DType::I32, {7, 3, 4, 5}, {}, to.data()};
  copyStrided(pool, source, target);
  for (int i = 0, at = 0; i < 7; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 5; ++l)
          ASSERT_EQ(to[at++], i + 35 * k + 7 * l);
  EXPECT_EQ(to[420], -1);
}
