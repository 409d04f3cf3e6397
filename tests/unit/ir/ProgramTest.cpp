//===- ProgramTest.cpp - Building, printing and describing programs -------===//
#include "TestPrograms.h"

#include <cstring>
#include <numeric>

using namespace bessemer;
using namespace bessemer::test;

namespace {

struct ProgramTest : testing::Test {
  std::unique_ptr<IRProgram> program = std::move(*IRProgram::create());

  mlir::Block *graph(std::string_view type = "tensor<2x3xf32>") {
    auto block = program->addGraph("main", {"x"}, {type});
    EXPECT_TRUE(block);
    return *block;
  }

  /// The message of the error that creating the operation gives.
  std::string errorOf(mlir::Block *block, std::string_view name,
                      const std::vector<mlir::Value> &operands,
                      const std::vector<std::string_view> &types = {},
                      std::string_view attributes = "",
                      std::string_view location = "") {
    auto operation = program->createOp(block, name, operands, types, attributes,
                                       location, 0);
    EXPECT_FALSE(operation);
    return operation ? "" : operation.error().message;
  }
};

TEST_F(ProgramTest, BuildsAGraph) {
  mlir::Block *block = graph();
  mlir::Value x = program->input(block, 0);
  auto exp =
      program->createOp(block, "coreai.exp", {x}, {}, "", "model.py:7", 0);
  ASSERT_TRUE(exp) << exp.error().message;
  mlir::Value y = program->result(*exp, 0);
  EXPECT_EQ(program->typeOf(y), "tensor<2x3xf32>");
  ASSERT_TRUE(program->setOutputs(block, {y}, {"out"}));
  ASSERT_TRUE(program->verify());
  EXPECT_EQ(program->print(), R"(module {
  coreai.graph @main(%arg0: tensor<2x3xf32> {coreai.name = "x"}) -> (tensor<2x3xf32> {coreai.name = "out"}) {
    %0 = coreai.exp %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    coreai.output %0 : tensor<2x3xf32>
  }
}
)");
  EXPECT_EQ(
      program->functionsJson(),
      R"([{"name":"main","inputs":[{"name":"x","dtype":"float32","shape":[2,3],)"
      R"("extents":["2","3"]}],"outputs":[{"name":"out","dtype":"float32",)"
      R"("shape":[2,3],"extents":["2","3"]}],"states":[],"dimensions":[]}])");
}

TEST_F(ProgramTest, BuildsAKernelCall) {
  mlir::Block *block = graph("tensor<4xf32, #coreaix.hw_constraints<MTLBuffer, "
                             "alignments: [1x1], interleave: [1]>>");
  mlir::Value x = program->input(block, 0);
  std::string type = program->typeOf(x);
  uint32_t grid[] = {4, 1, 1}, shape[] = {4};
  auto threads = program->constant(block, DType::U32, {3}, grid, 12);
  auto extents = program->constant(block, DType::U32, {1}, shape, 4);
  ASSERT_TRUE(threads && extents);
  auto call = program->createOp(
      block, "coreai.metal4_kernel", {x, *threads, *threads, *extents}, {type},
      "{operandSegmentSizes = array<i32: 1, 1, 1, 1>, kernel_name = \"k\", "
      "kernel_source = \"kernel void k() {}\"}",
      "", 0);
  ASSERT_TRUE(call) << call.error().message;
  EXPECT_EQ(errorOf(block, "coreai.metal4_kernel",
                    {x, *threads, *threads, *extents}, {type},
                    "{operandSegmentSizes = array<i32: 1, 1, 1, 1>, "
                    "kernel_name = \"k\"}"),
            "'coreai.metal4_kernel' op requires attribute 'kernel_source'");
  EXPECT_NE(errorOf(block, "coreai.metal4_kernel", {x, *threads}, {type},
                    "{operandSegmentSizes = array<i32: 1, 1, 1, 1>, "
                    "kernel_name = \"k\", kernel_source = \"\"}"),
            "");
}

TEST_F(ProgramTest, AbsentThingsAreNull) {
  mlir::Block *block = graph();
  EXPECT_FALSE(program->input(block, 1));
  auto exp = program->createOp(block, "coreai.exp", {program->input(block, 0)},
                               {}, "", "", 0);
  ASSERT_TRUE(exp);
  EXPECT_FALSE(program->result(*exp, 1));
  EXPECT_EQ(program->region(*exp, 0), nullptr);
}

TEST_F(ProgramTest, ErrorsNameTheThing) {
  mlir::Block *block = graph();
  mlir::Value x = program->input(block, 0);
  EXPECT_EQ(errorOf(block, "coreai.expp", {x}),
            "there is no operation 'coreai.expp'");
  EXPECT_EQ(errorOf(block, "coreai.exp", {mlir::Value()}),
            "an operand of coreai.exp is not a value");
  EXPECT_EQ(errorOf(block, "coreai.exp", {x, x}, {"tensor<2x3xf32>"}, "",
                    "model.py:7"),
            "model.py:7: 'coreai.exp' op requires a single operand");
  EXPECT_NE(errorOf(block, "coreai.exp", {x}, {"tensor<2x"}).find("tensor<2x"),
            std::string::npos);
  EXPECT_NE(errorOf(block, "coreai.gelu", {x}, {}, "{approximate = 1 : i32}")
                .find("approximate"),
            std::string::npos);
  EXPECT_NE(errorOf(block, "coreai.exp", {x}, {}, "{").find("attributes '{'"),
            std::string::npos);
  EXPECT_EQ(errorOf(block, "coreai.exp", {x}, {"tensor<2x4xf32>"}),
            "'coreai.exp' op inferred type(s) 'tensor<2x3xf32>' are "
            "incompatible with return type(s) of operation 'tensor<2x4xf32>'");
  EXPECT_TRUE(block->empty()) << "what failed must not stay in the program";
}

TEST_F(ProgramTest, GraphErrors) {
  graph();
  EXPECT_EQ(program->addGraph("main", {}, {}).error().message,
            "the program already has a graph named 'main'");
  EXPECT_EQ(program->addGraph("", {}, {}).error().message,
            "a graph needs a name");
  EXPECT_FALSE(program->addGraph("b", {"x"}, {}));
  auto twice =
      program->addGraph("c", {"x", "x"}, {"tensor<f32>", "tensor<f32>"});
  ASSERT_TRUE(twice);
  ASSERT_TRUE(program->setOutputs(*twice, {}, {}));
  EXPECT_NE(program->verify().error().message.find("two inputs named 'x'"),
            std::string::npos);
  EXPECT_EQ(program->graph("nope").error().message,
            "no function named 'nope'; there is: main, c");
}

std::string constantText(IRProgram &program, DType dtype,
                         const std::vector<int64_t> &shape, const void *data,
                         size_t bytes) {
  auto block = program.addGraph("c", {}, {});
  auto value = program.constant(*block, dtype, shape, data, bytes);
  if (!value)
    return value.error().message;
  std::string text;
  llvm::raw_string_ostream stream(text);
  value->getDefiningOp()->print(stream,
                                mlir::OpPrintingFlags().assumeVerified());
  return text;
}

TEST_F(ProgramTest, SmallConstantsAreInline) {
  int64_t integers[] = {1, -2, 3};
  EXPECT_EQ(constantText(*program, DType::I64, {3}, integers, 24),
            "%0 = coreai.constant dense<[1, -2, 3]> : tensor<3xsi64>");
  program = std::move(*IRProgram::create());
  uint8_t bools[] = {1, 0, 2};
  EXPECT_EQ(constantText(*program, DType::Bool, {3}, bools, 3),
            "%0 = coreai.constant dense<[true, false, true]> : tensor<3xi1>");
  program = std::move(*IRProgram::create());
  float scalar = -0.0f;
  EXPECT_EQ(constantText(*program, DType::F32, {}, &scalar, 4),
            "%0 = coreai.constant dense<-0.000000e+00> : tensor<f32>");
  program = std::move(*IRProgram::create());
  EXPECT_EQ(constantText(*program, DType::F32, {0, 4}, nullptr, 0),
            "%0 = coreai.constant dense<> : tensor<0x4xf32>");
}

TEST_F(ProgramTest, LargeConstantsAreResourcesUnlessSplat) {
  std::vector<float> values(256, 1.5f);
  EXPECT_EQ(constantText(*program, DType::F32, {16, 16}, values.data(), 1024),
            "%0 = coreai.constant dense<1.500000e+00> : tensor<16x16xf32>");
  program = std::move(*IRProgram::create());
  std::iota(values.begin(), values.end(), 0.f);
  EXPECT_EQ(constantText(*program, DType::F32, {16, 16}, values.data(), 1024),
            "%0 = coreai.constant dense_resource<resource_0> : "
            "tensor<16x16xf32>");
}

TEST_F(ProgramTest, ConstantErrors) {
  float value = 1;
  EXPECT_EQ(constantText(*program, DType::F32, {2}, &value, 4),
            "a constant of this shape and dtype float32 has 8 bytes, got 4");
  program = std::move(*IRProgram::create());
  EXPECT_EQ(constantText(*program, DType::F32, {-1}, &value, 4),
            "a constant has the negative extent -1");
  program = std::move(*IRProgram::create());
  EXPECT_EQ(constantText(*program, DType::Invalid, {}, &value, 4),
            "a constant has no valid dtype");
}

TEST(ProgramText, PrintsWhatItParses) {
  auto program = parsed(kernelProgram);
  ASSERT_TRUE(program);
  std::string text = program->print();
  auto again = parsed(text);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->print(), text);
}

TEST(ProgramText, DescribesStates) {
  auto program = parsed(R"(
    coreai.graph @main(%h: !coreai.handle<tensor<3xf16>> {coreai.name = "acc"},
                       %x: tensor<?xsi64> {coreai.name = "x"})
        -> (!coreai.token {coreai.name = "acc"}, tensor<?xsi64>) {
      %t = coreai.create_token : !coreai.token
      coreai.output %t, %x : !coreai.token, tensor<?xsi64>
    })");
  ASSERT_TRUE(program);
  GraphDimension size{"n", 2, std::nullopt, {{0, 0, 1, 0}}};
  ASSERT_TRUE(program->setDimensions("main", {size}));
  EXPECT_EQ(program->functionsJson(),
            R"([{"name":"main","inputs":[{"name":"x","dtype":"int64",)"
            R"("shape":[-1],"extents":["n"]}],"outputs":[{"name":"",)"
            R"("dtype":"int64","shape":[-1],"extents":["?"]}],)"
            R"("states":[{"name":"acc","dtype":"float16","shape":[3],)"
            R"("extents":["3"]}],)"
            R"("dimensions":[{"name":"n","min":2,"max":null}]}])");
}

TEST(ProgramText, ErrorsHaveLineAndColumn) {
  auto program = IRProgram::parse("module {\n  coreai.exp %x\n}");
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().kind, ErrorKind::InvalidArgument);
  EXPECT_EQ(program.error().message.substr(0, 2), "2:");
}

TEST(ProgramText, ElidedWeightsAreRefused) {
  auto program = IRProgram::parse(R"(
    coreai.graph @main() -> tensor<4xf32> {
      %0 = coreai.constant dense_resource<__elided__> : tensor<4xf32>
      coreai.output %0 : tensor<4xf32>
    })");
  ASSERT_FALSE(program);
  EXPECT_NE(program.error().message.find("__elided__' are missing"),
            std::string::npos)
      << program.error().message;
}

} // namespace
