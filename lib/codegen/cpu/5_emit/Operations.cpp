//===- Operations.cpp - Arithmetic on scalars and vectors -----------------===//

#include "codegen/common/math/Math.h"
#include "codegen/cpu/5_emit/Emitter.h"
#include "codegen/cpu/5_emit/MinMax.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

/// The same operation on other operands; with narrow floats in float.
Value *Emitter::operate(Instruction &instruction, Scalars operands,
                        bool asVector, bool keepFlags) {
  IRBuilderBase::FastMathFlagGuard guard(b);
  b.clearFastMathFlags();
  if (isa<FPMathOperator>(instruction))
    b.setFastMathFlags(instruction.getFastMathFlags());
  Type *type =
      asVector ? vectorOf(instruction.getType()) : held(instruction.getType());
  Type *source = instruction.getOperand(0)->getType();
  switch (instruction.getOpcode()) {
  case Instruction::Select:
    return b.CreateSelect(operands[0], operands[1], operands[2]);
  case Instruction::Freeze:
    return b.CreateFreeze(operands[0]);
  case Instruction::ICmp:
    return b.CreateCmp(cast<CmpInst>(instruction).getPredicate(), operands[0],
                       operands[1]);
  case Instruction::FCmp:
    return b.CreateCmp(cast<CmpInst>(instruction).getPredicate(),
                       floats->widen(operands[0], source),
                       floats->widen(operands[1], source));
  case Instruction::GetElementPtr: {
    auto &address = cast<GetElementPtrInst>(instruction);
    return b.CreateGEP(
        address.getSourceElementType(), operands[0], operands.drop_front(), "",
        keepFlags ? address.getNoWrapFlags() : GEPNoWrapFlags::none());
  }
  case Instruction::AddrSpaceCast:
    return operands[0];
  case Instruction::ExtractValue:
    return b.CreateExtractValue(
        operands[0], cast<ExtractValueInst>(instruction).getIndices());
  case Instruction::InsertValue:
    return b.CreateInsertValue(operands[0], operands[1],
                               cast<InsertValueInst>(instruction).getIndices());
  case Instruction::FNeg:
    return floats->negate(operands[0], source);
  case Instruction::FPExt:
    return floats->extend(operands[0], source, type);
  case Instruction::FPTrunc:
    return FloatOperations::isNarrow(instruction.getType())
               ? floats->narrow(operands[0], instruction.getType())
               : b.CreateFPTrunc(operands[0], type);
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return floats->fromInteger(operands[0], isa<SIToFPInst>(instruction),
                               instruction.getType());
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return b.CreateCast(cast<CastInst>(instruction).getOpcode(),
                        floats->widen(operands[0], source), type);
  case Instruction::Call:
    return operateCall(cast<CallInst>(instruction), operands.drop_back(),
                       asVector);
  default:
    break;
  }
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction))
    return operateBinary(*binary, operands[0], operands[1], asVector);
  if (auto *conversion = dyn_cast<CastInst>(&instruction))
    return b.CreateCast(conversion->getOpcode(), operands[0], type);
  fail(&instruction, Twine("the instruction ") + instruction.getOpcodeName());
  return PoisonValue::get(type);
}

Value *Emitter::operateBinary(BinaryOperator &instruction, Value *left,
                              Value *right, bool asVector) {
  auto opcode = instruction.getOpcode();
  Type *type = instruction.getType();
  if (type->isFloatingPointTy()) {
    left = floats->widen(left, type);
    right = floats->widen(right, type);
    Value *result =
        opcode == Instruction::FRem
            ? callMath("fmod", /*precise=*/true, {left, right}, instruction)
            : b.CreateBinOp(opcode, left, right);
    return FloatOperations::isNarrow(type) ? floats->narrow(result, type)
                                           : result;
  }
  if (instruction.isIntDivRem())
    return divide(instruction, left, right, asVector);
  return b.CreateBinOp(opcode, left, right);
}

/// Integer division. No vector unit has it; in a float type of more than twice
/// the width the truncated quotient is exact.
Value *Emitter::divide(BinaryOperator &instruction, Value *left, Value *right,
                       bool asVector) {
  auto opcode = instruction.getOpcode();
  unsigned width = left->getType()->getScalarSizeInBits();
  if (!asVector || isa<ConstantInt>(instruction.getOperand(1)))
    return b.CreateBinOp(opcode, left, right);
  if (width > 32) {
    // An inactive lane must not trap.
    if (!mask.empty())
      right = b.CreateSelect(mask[currentPart], right,
                             ConstantInt::get(right->getType(), 1));
    return b.CreateBinOp(opcode, left, right);
  }
  bool isSigned = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  Type *wide = vectorOf(width > 16 ? b.getDoubleTy() : b.getFloatTy());
  auto convert = [&](Value *value) {
    return isSigned ? b.CreateSIToFP(value, wide) : b.CreateUIToFP(value, wide);
  };
  Value *ratio = b.CreateFDiv(convert(left), convert(right));
  Value *quotient = isSigned ? b.CreateFPToSI(ratio, left->getType())
                             : b.CreateFPToUI(ratio, left->getType());
  if (opcode == Instruction::SDiv || opcode == Instruction::UDiv)
    return quotient;
  return b.CreateSub(left, b.CreateMul(quotient, right));
}

Value *Emitter::callMath(StringRef function, bool precise, Scalars arguments,
                         Instruction &instruction) {
  if (Value *result = emitMath(b, function, precise, arguments))
    return result;
  fail(&instruction, "the math function " + function);
  return PoisonValue::get(arguments[0]->getType());
}

/// Name in Intrinsics.def of an LLVM math function, which would become a call
/// to libm.
static StringRef mathFunction(llvm::Intrinsic::ID id) {
  switch (id) {
#define FUNCTION(name)                                                         \
  case llvm::Intrinsic::name:                                                  \
    return #name;
    FUNCTION(exp)
    FUNCTION(exp2)
    FUNCTION(exp10)
    FUNCTION(log)
    FUNCTION(log2)
    FUNCTION(log10)
    FUNCTION(sin)
    FUNCTION(cos)
    FUNCTION(tan)
    FUNCTION(asin)
    FUNCTION(acos)
    FUNCTION(atan)
    FUNCTION(atan2)
    FUNCTION(sinh)
    FUNCTION(cosh)
    FUNCTION(tanh)
    FUNCTION(pow)
#undef FUNCTION
  default:
    return "";
  }
}

Value *Emitter::operateCall(CallInst &call, Scalars arguments, bool asVector) {
  if (Intrinsic id = intrinsicOf(&call);
      id != Intrinsic::None &&
      intrinsicInfo(id).family == IntrinsicFamily::Math) {
    auto [function, rest] =
        intrinsicInfo(id).name.drop_front(strlen("bsm.")).split('.');
    return callMath(function, rest.starts_with("precise"), arguments, call);
  }
  Type *type = asVector ? vectorOf(call.getType()) : held(call.getType());
  auto id = call.getIntrinsicID();
  if (id == llvm::Intrinsic::not_intrinsic) {
    StringRef name = call.getCalledFunction()
                         ? call.getCalledFunction()->getName()
                         : "through a pointer";
    fail(&call, "the call " + name);
    return PoisonValue::get(type);
  }
  Type *source =
      call.arg_empty() ? call.getType() : call.getArgOperand(0)->getType();
  switch (id) {
  case llvm::Intrinsic::fma:
    return floats->fma(arguments[0], arguments[1], arguments[2], source);
  case llvm::Intrinsic::fabs:
    return floats->abs(arguments[0], source);
  case llvm::Intrinsic::copysign:
    return floats->copySign(arguments[0], arguments[1], source);
  default:
    break;
  }
  SmallVector<Value *, 4> operands;
  for (unsigned i = 0; i < arguments.size(); ++i)
    operands.push_back(
        floats->widen(arguments[i], call.getArgOperand(i)->getType()));
  bool narrow = FloatOperations::isNarrow(call.getType());
  if (narrow)
    type = type->getWithNewType(b.getFloatTy());
  StringRef function = mathFunction(id);
  Value *result;
  bool minMax = id == llvm::Intrinsic::maxnum || id == llvm::Intrinsic::minnum;
  if (minMax && !narrow && b.getFastMathFlags().noSignedZeros())
    result = b.CreateIntrinsic(type, id, {operands[1], operands[0]});
  else if (minMax)
    result =
        emitMinMax(b, id == llvm::Intrinsic::maxnum, operands[0], operands[1]);
  else if (function.empty())
    result = b.CreateIntrinsic(type, id, operands);
  else
    result = callMath(function, !call.hasApproxFunc(), operands, call);
  return narrow ? floats->narrow(result, call.getType()) : result;
}

} // namespace bessemer::codegen::cpu
