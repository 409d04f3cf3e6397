//===- Math.cpp - Reference values of bsm.* math --------------------------===//
#include "codegen/interp/Math.h"

#include "llvm/ADT/StringMap.h"

#include <cmath>
#include <numbers>

using namespace bessemer::codegen;

/// sin(pi * x) through an exact reduction: x = n/2 + r, abs(r) <= 1/4.
static double sinPi(double x) {
  if (!std::isfinite(x))
    return std::nan("");
  double half = std::nearbyint(2 * x);
  double angle = std::numbers::pi * (x - half / 2);
  double value = 0;
  switch (int(std::fmod(half, 4)) & 3) {
  case 0:
    value = std::sin(angle);
    break;
  case 1:
    value = std::cos(angle);
    break;
  case 2:
    value = -std::sin(angle);
    break;
  case 3:
    value = -std::cos(angle);
    break;
  }
  return value == 0 ? std::copysign(0.0, x) : value;
}

static double cosPi(double x) {
  // Exact: abs(x) below 2^53 has a spacing that divides 1/2, larger values of
  // a float are even integers.
  return std::isfinite(x) && std::fabs(x) >= 0x1p25 ? 1.0
         : std::isfinite(x)                         ? sinPi(std::fabs(x) + 0.5)
                                                    : std::nan("");
}

static double tanPi(double x) { return sinPi(x) / cosPi(x); }
static double powerOfTen(double x) { return std::pow(10.0, x); }
static double reciprocalRoot(double x) { return 1.0 / std::sqrt(x); }

namespace {
struct Entry {
  double (*unary)(double) = nullptr;
  double (*binary)(double, double) = nullptr;
};
} // namespace

static const llvm::StringMap<Entry> &table() {
  static const llvm::StringMap<Entry> entries{
      {"exp", {std::exp}},
      {"exp2", {std::exp2}},
      {"exp10", {powerOfTen}},
      {"log", {std::log}},
      {"log2", {std::log2}},
      {"log10", {std::log10}},
      {"sin", {std::sin}},
      {"cos", {std::cos}},
      {"tan", {std::tan}},
      {"sinpi", {sinPi}},
      {"cospi", {cosPi}},
      {"tanpi", {tanPi}},
      {"asin", {std::asin}},
      {"acos", {std::acos}},
      {"atan", {std::atan}},
      {"sinh", {std::sinh}},
      {"cosh", {std::cosh}},
      {"tanh", {std::tanh}},
      {"asinh", {std::asinh}},
      {"acosh", {std::acosh}},
      {"atanh", {std::atanh}},
      {"rsqrt", {reciprocalRoot}},
      {"atan2", {nullptr, std::atan2}},
      {"pow", {nullptr, std::pow}},
      {"fmod", {nullptr, std::fmod}},
  };
  return entries;
}

std::optional<float> interp::evaluateMath(llvm::StringRef name,
                                          llvm::ArrayRef<double> operands) {
  Entry entry = table().lookup(name);
  if (entry.unary && operands.size() == 1)
    return float(entry.unary(operands[0]));
  if (entry.binary && operands.size() == 2)
    return float(entry.binary(operands[0], operands[1]));
  return std::nullopt;
}

double interp::squareRoot(double value) { return std::sqrt(value); }
