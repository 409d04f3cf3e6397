//===- MathTest.cpp - Accuracy of the emitted math functions --------------===//
//
// Every function of codegen/common/math, compiled for this machine, against
// libm in double. The limits are the Metal specification's (chapter 8), in
// units in the last place; the measured maximum is recorded as a property of
// each test.
//
//===----------------------------------------------------------------------===//
#include "codegen/common/math/Math.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace llvm;

namespace {

using Kernel = void (*)(const float *, const float *, float *, int64_t);
using Reference = double (*)(double, double);

struct Compiled {
  std::unique_ptr<orc::LLJIT> jit;
  Kernel vector, scalar;
};

constexpr unsigned lanes = 8;

/// out[i] = function(x[i], y[i]) for i in [0, n), `width` elements a step.
void emitLoop(Module &module, StringRef name, StringRef function, bool precise,
              bool binary, unsigned width) {
  LLVMContext &context = module.getContext();
  IRBuilder<> b(context);
  Type *pointer = b.getPtrTy(), *i64 = b.getInt64Ty();
  auto *type =
      FunctionType::get(b.getVoidTy(), {pointer, pointer, pointer, i64}, false);
  auto *f = Function::Create(type, Function::ExternalLinkage, name, module);
  auto *entry = BasicBlock::Create(context, "entry", f);
  auto *body = BasicBlock::Create(context, "body", f);
  auto *done = BasicBlock::Create(context, "done", f);
  b.SetInsertPoint(entry);
  b.CreateBr(body);
  b.SetInsertPoint(body);
  PHINode *i = b.CreatePHI(i64, 2);
  Type *element = b.getFloatTy();
  if (width > 1)
    element = FixedVectorType::get(element, width);
  auto at = [&](unsigned argument) {
    return b.CreateGEP(b.getFloatTy(), f->getArg(argument), i);
  };
  SmallVector<Value *> operands{b.CreateAlignedLoad(element, at(0), Align(4))};
  if (binary)
    operands.push_back(b.CreateAlignedLoad(element, at(1), Align(4)));
  Value *result = bessemer::codegen::emitMath(b, function, precise, operands);
  b.CreateAlignedStore(result, at(2), Align(4));
  Value *next = b.CreateAdd(i, b.getInt64(width));
  i->addIncoming(b.getInt64(0), entry);
  i->addIncoming(next, body);
  b.CreateCondBr(b.CreateICmpULT(next, f->getArg(3)), body, done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  f->addFnAttr("target-cpu", sys::getHostCPUName());
}

Compiled compile(StringRef function, bool precise, bool binary) {
  static bool initialised = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialised;
  auto context = std::make_unique<LLVMContext>();
  auto module = std::make_unique<Module>("math", *context);
  emitLoop(*module, "vector", function, precise, binary, lanes);
  emitLoop(*module, "scalar", function, precise, binary, 1);
  // Without a generator for the process's symbols: a library call left in the
  // code fails to link.
  Compiled result;
  result.jit = cantFail(orc::LLJITBuilder().create());
  cantFail(result.jit->addIRModule(
      orc::ThreadSafeModule(std::move(module), std::move(context))));
  result.vector = cantFail(result.jit->lookup("vector")).toPtr<Kernel>();
  result.scalar = cantFail(result.jit->lookup("scalar")).toPtr<Kernel>();
  return result;
}

/// Distance in units in the last place of the float nearest to `expected`.
double ulps(float got, double expected) {
  auto rounded = static_cast<float>(expected);
  if (std::isnan(expected))
    return std::isnan(got) ? 0 : INFINITY;
  if (got == rounded)
    return 0;
  if (std::isinf(rounded) || std::isinf(got))
    return std::abs(expected) >= 0x1.fffffep127 || std::isnan(got) ? INFINITY
           : std::abs(got) >= 0x1.fffff0p127                       ? 1
                                                                   : INFINITY;
  int exponent;
  std::frexp(expected, &exponent);
  double unit = std::ldexp(1.0, std::max(exponent - 24, -149));
  return std::abs(got - expected) / unit;
}

struct Case {
  const char *function;
  Reference reference;
  double low, high; ///< Inputs drawn uniformly; every magnitude as well.
  double limit;     ///< Precise class, ulp.
  bool binary = false;
  double fastLimit = 0; ///< Fast class on [low, high]; 0 = `limit`.
};

std::ostream &operator<<(std::ostream &stream, const Case &c) {
  return stream << c.function;
}

#define R1(expression) [](double x, double) -> double { return expression; }
#define R2(expression) [](double x, double y) -> double { return expression; }

/// sin(pi x) with its zeros exact.
double sinPi(double x) {
  double r = std::fmod(x, 2.0);
  return r == std::trunc(r) ? std::copysign(0.0, x) : std::sin(r * M_PI);
}
double cosPi(double x) {
  double r = std::abs(std::fmod(x, 2.0));
  return r == 0.5 || r == 1.5 ? 0.0 : std::sin((0.5 - r) * M_PI);
}

const Case cases[] = {
    {"exp", R1(std::exp(x)), -90, 90, 4, false, 6},
    {"exp2", R1(std::exp2(x)), -130, 130, 4},
    {"exp10", R1(std::pow(10.0, x)), -40, 40, 4},
    {"log", R1(std::log(x)), 0, 10, 4},
    {"log2", R1(std::log2(x)), 0, 10, 4},
    {"log10", R1(std::log10(x)), 0, 10, 4},
    {"sin", R1(std::sin(x)), -10, 10, 4, false, 1e9},
    {"cos", R1(std::cos(x)), -10, 10, 4, false, 1e9},
    {"tan", R1(std::tan(x)), -10, 10, 6, false, 1e9},
    {"sinpi", R1(sinPi(x)), -4, 4, 4},
    {"cospi", R1(cosPi(x)), -4, 4, 4},
    {"asin", R1(std::asin(x)), -1, 1, 4},
    {"acos", R1(std::acos(x)), -1, 1, 4},
    {"atan", R1(std::atan(x)), -10, 10, 5},
    {"sinh", R1(std::sinh(x)), -90, 90, 4},
    {"cosh", R1(std::cosh(x)), -90, 90, 4},
    {"tanh", R1(std::tanh(x)), -10, 10, 5},
    {"asinh", R1(std::asinh(x)), -10, 10, 4},
    {"acosh", R1(std::acosh(x)), 1, 10, 4},
    {"atanh", R1(std::atanh(x)), -1, 1, 5},
    {"rsqrt", R1(1 / std::sqrt(x)), 0, 10, 0.5001, false, 2},
    {"atan2", R2(std::atan2(x, y)), -10, 10, 6, true},
    {"pow", R2(std::pow(x, y)), -10, 10, 16, true},
    {"fmod", R2(std::fmod(x, y)), -10, 10, 0.5, true, 1e9},
};

/// Uniform values, every magnitude, and the special ones.
std::vector<float> inputs(const Case &c, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(c.low, c.high);
  std::vector<float> values{
      0.0f,       -0.0f,     INFINITY,        -INFINITY,
      NAN,        1.0f,      -1.0f,           0x1p-149f,
      -0x1p-149f, 0x1p-126f, 0x1.fffffep127f, -0x1.fffffep127f,
      0.5f,       2.0f,      16777216.0f,     3.0f};
  for (unsigned i = 0; i < 200000; ++i)
    values.push_back(uniform(generator));
  for (unsigned i = 0; i < 200000; ++i) {
    uint32_t bits = generator();
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    values.push_back(value);
  }
  std::shuffle(values.begin() + 8, values.end(), generator);
  values.resize(values.size() / lanes * lanes);
  return values;
}

class Math : public testing::TestWithParam<Case> {};

/// The largest error of one class, in ulp; fails on scalar-vector differences.
double worst(const Case &c, bool precise, bool inDomainOnly) {
  Compiled code = compile(c.function, precise, c.binary);
  std::vector<float> x = inputs(c, 1), y = inputs(c, 2);
  if (c.binary) // every pair of special values
    for (unsigned i = 0; i < 16; ++i)
      for (unsigned j = 0; j < 16; ++j)
        x[512 + i * 16 + j] = inputs(c, 1)[i], y[512 + i * 16 + j] = y[j];
  std::vector<float> vector(x.size()), scalar(x.size());
  code.vector(x.data(), y.data(), vector.data(), x.size());
  code.scalar(x.data(), y.data(), scalar.data(), x.size());
  double largest = 0;
  size_t at = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    bool bothNan = std::isnan(vector[i]) && std::isnan(scalar[i]);
    EXPECT_TRUE(bothNan ||
                std::memcmp(&vector[i], &scalar[i], sizeof(float)) == 0)
        << c.function << "(" << x[i] << ", " << y[i] << "): scalar and vector"
        << " differ: " << scalar[i] << " " << vector[i];
    bool inDomain = x[i] >= c.low && x[i] <= c.high &&
                    (!c.binary || (std::abs(y[i]) > 1e-3 && y[i] <= c.high));
    if (inDomainOnly && !inDomain)
      continue;
    double expected = c.reference(x[i], y[i]);
    // The fast class may flush denormal results.
    if (!precise && vector[i] == 0 && std::abs(expected) < 0x1p-126)
      continue;
    double error = ulps(vector[i], expected);
    if (error > largest)
      largest = error, at = i;
  }
  std::printf("%s.%s: %.3f ulp at (%a, %a) = %a, expected %a\n", c.function,
              precise ? "precise" : "fast", largest, x[at], y[at], vector[at],
              c.reference(x[at], y[at]));
  return largest;
}

TEST_P(Math, PreciseIsWithinTheLimit) {
  double error = worst(GetParam(), true, false);
  RecordProperty("ulp", std::to_string(error));
  EXPECT_LE(error, GetParam().limit);
}

TEST_P(Math, FastIsWithinTheLimit) {
  const Case &c = GetParam();
  double error = worst(c, false, true);
  RecordProperty("ulp", std::to_string(error));
  EXPECT_LE(error, c.fastLimit ? c.fastLimit : c.limit);
}

INSTANTIATE_TEST_SUITE_P(Functions, Math, testing::ValuesIn(cases),
                         [](const auto &info) {
                           return std::string(info.param.function);
                         });

} // namespace
