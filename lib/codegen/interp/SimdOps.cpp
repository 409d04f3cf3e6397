//===- SimdOps.cpp - Cross-lane operations --------------------------------===//
#include "codegen/interp/SimdOps.h"
#include "codegen/interp/Evaluate.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"

using namespace bessemer;
using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

static constexpr unsigned simdWidth = 32;

namespace {
/// An associative operation of a reduction or a scan on one type.
class Operation {
public:
  Operation(const Builtin &builtin, Type *type)
      : name(builtin.operation.rsplit(' ').second.empty()
                 ? builtin.operation
                 : builtin.operation.rsplit(' ').second),
        type(type), isSigned(builtin.type().starts_with("i")) {}

  /// Floats: -0 and NaN are what leaves every value of a sum and of a minimum
  /// that drops NaN unchanged.
  Bits identity() const {
    unsigned width = leafWidth(type);
    if (type->isFloatTy())
      return StringSwitch<Bits>(name)
          .Case("sum", toBits(APFloat(-0.0f)))
          .Case("product", toBits(APFloat(1.0f)))
          .Default(toBits(APFloat::getQNaN(APFloat::IEEEsingle())));
    return StringSwitch<Bits>(name)
        .Case("product", Bits(width, 1))
        .Case("min", isSigned ? Bits::getSignedMaxValue(width)
                              : Bits::getMaxValue(width))
        .Case("max", isSigned ? Bits::getSignedMinValue(width)
                              : Bits::getMinValue(width))
        .Case("and", Bits::getAllOnes(width))
        .Default(Bits(width, 0));
  }

  /// What an exclusive scan gives the first active lane.
  Bits start() const {
    if (name == "product")
      return identity();
    return Bits(leafWidth(type), 0);
  }

  Bits apply(const Bits &a, const Bits &b) const {
    bool isFloat = type->isFloatTy();
    if (name == "sum")
      return binary(isFloat ? Instruction::FAdd : Instruction::Add, a, b);
    if (name == "product")
      return binary(isFloat ? Instruction::FMul : Instruction::Mul, a, b);
    if (name == "min" || name == "max")
      return extreme(name == "max", a, b);
    return binary(name == "and"  ? Instruction::And
                  : name == "or" ? Instruction::Or
                                 : Instruction::Xor,
                  a, b);
  }

private:
  Bits binary(unsigned opcode, const Bits &a, const Bits &b) const {
    return *evaluateBinary(opcode, type, a, b);
  }
  Bits extreme(bool isMaximum, const Bits &a, const Bits &b) const {
    if (type->isFloatTy()) {
      APFloat x = toFloat(a, type), y = toFloat(b, type);
      return toBits(isMaximum ? maximumnum(x, y) : minimumnum(x, y));
    }
    bool isLess = isSigned ? a.slt(b) : a.ult(b);
    return isLess != isMaximum ? a : b;
  }

  StringRef name;
  Type *type;
  bool isSigned;
};
} // namespace

static bool reduce(ArrayRef<Thread *> lanes, const Operation &operation) {
  SmallVector<Bits, simdWidth> values(simdWidth, operation.identity());
  for (Thread *lane : lanes)
    values[lane->lane()] = lane->operandOfWait(0)[0];
  for (unsigned distance = simdWidth / 2; distance > 0; distance /= 2) {
    SmallVector<Bits, simdWidth> next;
    for (unsigned i = 0; i < simdWidth; ++i) {
      unsigned low = i & ~distance, high = i | distance;
      next.push_back(operation.apply(values[low], values[high]));
    }
    values = std::move(next);
  }
  for (Thread *lane : lanes)
    lane->resume({values[lane->lane()]});
  return true;
}

static bool scan(ArrayRef<Thread *> lanes, const Operation &operation,
                 bool isInclusive) {
  std::optional<Bits> before;
  for (Thread *lane : lanes) {
    Bits own = lane->operandOfWait(0)[0];
    Bits through = before ? operation.apply(*before, own) : own;
    lane->resume({isInclusive ? through
                  : before    ? *before
                              : operation.start()});
    before = through;
  }
  return true;
}

static bool shuffle(ArrayRef<Thread *> lanes) {
  SmallVector<Bits, simdWidth> values(simdWidth, Bits(32, 0));
  for (Thread *lane : lanes)
    values[lane->lane()] = lane->operandOfWait(0)[0];
  for (Thread *lane : lanes)
    lane->resume(
        {values[lane->operandOfWait(1)[0].getZExtValue() % simdWidth]});
  return true;
}

static bool ballot(ArrayRef<Thread *> lanes) {
  Bits votes(simdWidth, 0);
  for (Thread *lane : lanes)
    if (!lane->operandOfWait(0)[0].isZero())
      votes.setBit(lane->lane());
  for (Thread *lane : lanes)
    lane->resume({votes});
  return true;
}

bool interp::executeCrossLane(ArrayRef<Thread *> lanes) {
  const Step &step = lanes.front()->waitingStep();
  const Builtin &builtin = *step.builtin;
  Operation operation(builtin, step.instruction->getType());
  if (builtin.kind == Builtin::Reduction)
    return reduce(lanes, operation);
  if (builtin.kind == Builtin::Scan)
    return scan(lanes, operation, builtin.operation.starts_with("inclusive"));
  switch (builtin.id) {
  case Builtin::Shuffle:
    return shuffle(lanes);
  case Builtin::Ballot:
    return ballot(lanes);
  case Builtin::SimdgroupBarrier:
    for (Thread *lane : lanes)
      lane->resume({});
    return true;
  default:
    return lanes.front()->fail("'" + builtin.name.str() +
                                   "' has no reference semantics",
                               ErrorKind::Internal);
  }
}
