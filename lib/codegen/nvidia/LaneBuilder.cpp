//===- LaneBuilder.cpp - Operations over the lanes of a warp --------------===//
#include "codegen/nvidia/LaneBuilder.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace bessemer::codegen::nvidia {

LaneOperation LaneOperation::of(StringRef name, Type *type) {
  auto [front, suffix] = name.rsplit('.');
  Kind kind = StringSwitch<Kind>(front.rsplit('_').second)
                  .Case("sum", Sum)
                  .Case("product", Product)
                  .Case("min", Min)
                  .Case("max", Max)
                  .Case("and", And)
                  .Case("or", Or)
                  .Case("xor", Xor);
  return {kind, suffix.starts_with("i"), type};
}

Value *LaneOperation::apply(IRBuilderBase &b, Value *x, Value *y) const {
  bool isFloat = type->isFloatTy();
  switch (kind) {
  case Sum:
    return isFloat ? b.CreateFAdd(x, y) : b.CreateAdd(x, y);
  case Product:
    return isFloat ? b.CreateFMul(x, y) : b.CreateMul(x, y);
  case Min:
    return b.CreateBinaryIntrinsic(isFloat    ? llvm::Intrinsic::minnum
                                   : isSigned ? llvm::Intrinsic::smin
                                              : llvm::Intrinsic::umin,
                                   x, y);
  case Max:
    return b.CreateBinaryIntrinsic(isFloat    ? llvm::Intrinsic::maxnum
                                   : isSigned ? llvm::Intrinsic::smax
                                              : llvm::Intrinsic::umax,
                                   x, y);
  case And:
    return b.CreateAnd(x, y);
  case Or:
    return b.CreateOr(x, y);
  case Xor:
    return b.CreateXor(x, y);
  }
  llvm_unreachable("kind of operation");
}

// -0 and NaN leave every value of a sum and of a minimum that drops NaN.
Constant *LaneOperation::identity() const {
  if (type->isFloatTy())
    return kind == Sum       ? ConstantFP::getNegativeZero(type)
           : kind == Product ? ConstantFP::get(type, 1.0)
                             : ConstantFP::getNaN(type);
  unsigned width = type->getIntegerBitWidth();
  switch (kind) {
  case Product:
    return ConstantInt::get(type, 1);
  case Min:
    return ConstantInt::get(type, isSigned ? APInt::getSignedMaxValue(width)
                                           : APInt::getMaxValue(width));
  case Max:
    return ConstantInt::get(type, isSigned ? APInt::getSignedMinValue(width)
                                           : APInt::getMinValue(width));
  case And:
    return Constant::getAllOnesValue(type);
  default:
    return Constant::getNullValue(type);
  }
}

Constant *LaneOperation::start() const {
  return kind == Product ? identity() : Constant::getNullValue(type);
}

Value *LaneBuilder::exchange(llvm::Intrinsic::ID id, Value *value,
                             Value *operand, unsigned clamp) {
  Type *type = value->getType();
  auto word = [&](Value *bits) -> Value * {
    return b.CreateIntrinsic(id, {members, bits, operand, b.getInt32(clamp)});
  };
  if (type->isIntegerTy(64)) {
    Value *low = word(b.CreateTrunc(value, b.getInt32Ty()));
    Value *high = word(b.CreateTrunc(b.CreateLShr(value, 32), b.getInt32Ty()));
    return b.CreateOr(b.CreateZExt(low, type),
                      b.CreateShl(b.CreateZExt(high, type), 32));
  }
  return b.CreateBitCast(word(b.CreateBitCast(value, b.getInt32Ty())), type);
}

Value *LaneBuilder::shuffle(Value *value, Value *lane) {
  return exchange(llvm::Intrinsic::nvvm_shfl_sync_idx_i32, value, lane, 31);
}

Value *LaneBuilder::ballot(Value *predicate) {
  return b.CreateIntrinsic(llvm::Intrinsic::nvvm_vote_ballot_sync,
                           {members, predicate});
}

void LaneBuilder::barrier() {
  b.CreateIntrinsic(llvm::Intrinsic::nvvm_bar_warp_sync, {members});
}

Value *LaneBuilder::lane() {
  return b.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_laneid,
                           ArrayRef<Value *>());
}

Value *LaneBuilder::choose(Form full, Form partial) {
  if (auto *mask = dyn_cast<ConstantInt>(active); mask && mask->isMinusOne())
    return full();
  Instruction *position = &*b.GetInsertPoint();
  Value *all = b.CreateICmpEQ(active, b.getInt32(~0u));
  Instruction *fullEnd, *partialEnd;
  SplitBlockAndInsertIfThenElse(all, position, &fullEnd, &partialEnd);
  b.SetInsertPoint(fullEnd);
  Value *fullValue = full();
  BasicBlock *fullBlock = b.GetInsertBlock();
  b.SetInsertPoint(partialEnd);
  Value *partialValue = partial();
  BasicBlock *partialBlock = b.GetInsertBlock();
  b.SetInsertPoint(position);
  PHINode *result = b.CreatePHI(fullValue->getType(), 2);
  result->addIncoming(fullValue, fullBlock);
  result->addIncoming(partialValue, partialBlock);
  return result;
}

/// The reduction instruction of sm_80; null where it does not exist.
Value *LaneBuilder::redux(const LaneOperation &operation, Value *value) {
  if (!operation.type->isIntegerTy(32))
    return nullptr;
  bool isSigned = operation.isSigned;
  llvm::Intrinsic::ID id;
  switch (operation.kind) {
  case LaneOperation::Sum:
    id = llvm::Intrinsic::nvvm_redux_sync_add;
    break;
  case LaneOperation::Min:
    id = isSigned ? llvm::Intrinsic::nvvm_redux_sync_min
                  : llvm::Intrinsic::nvvm_redux_sync_umin;
    break;
  case LaneOperation::Max:
    id = isSigned ? llvm::Intrinsic::nvvm_redux_sync_max
                  : llvm::Intrinsic::nvvm_redux_sync_umax;
    break;
  case LaneOperation::And:
    id = llvm::Intrinsic::nvvm_redux_sync_and;
    break;
  case LaneOperation::Or:
    id = llvm::Intrinsic::nvvm_redux_sync_or;
    break;
  case LaneOperation::Xor:
    id = llvm::Intrinsic::nvvm_redux_sync_xor;
    break;
  case LaneOperation::Product:
    return nullptr;
  }
  return b.CreateIntrinsic(id, {value, members});
}

Value *LaneBuilder::reduceFull(const LaneOperation &operation, Value *value) {
  for (unsigned distance = 16; distance; distance /= 2) {
    Value *other = exchange(llvm::Intrinsic::nvvm_shfl_sync_bfly_i32, value,
                            b.getInt32(distance), 31);
    value = operation.apply(b, value, other);
  }
  return value;
}

// The tree of the full form, in which an inactive lane holds the identity and
// still passes on what it has gathered. After the steps down to distance d all
// lanes with the same number modulo d hold the same value, so any active one of
// them stands for the partner.
Value *LaneBuilder::reducePartial(const LaneOperation &operation,
                                  Value *value) {
  static constexpr uint32_t classes[] = {0x1, 0x10001, 0x1010101, 0x11111111,
                                         0x55555555};
  Value *self = lane();
  for (unsigned step = 0, distance = 16; distance; ++step, distance /= 2) {
    Value *partner = b.CreateAnd(b.CreateXor(self, distance), 2 * distance - 1);
    Value *group = b.CreateShl(b.getInt32(classes[step]), partner);
    Value *holders = b.CreateAnd(active, group);
    // The upper bit keeps the count within 0..31 where there is no holder.
    Value *source = b.CreateBinaryIntrinsic(
        llvm::Intrinsic::cttz, b.CreateOr(holders, 1u << 31), b.getTrue());
    Value *other = shuffle(value, source);
    other =
        b.CreateSelect(b.CreateIsNotNull(holders), other, operation.identity());
    value = operation.apply(b, value, other);
  }
  return value;
}

Value *LaneBuilder::reduce(const LaneOperation &operation, Value *value) {
  if (Value *result = redux(operation, value))
    return result;
  return choose([&] { return reduceFull(operation, value); },
                [&] { return reducePartial(operation, value); });
}

Value *LaneBuilder::scanFull(const LaneOperation &operation, Value *value,
                             bool inclusive) {
  Value *self = lane();
  auto from = [&](Value *value, unsigned distance) {
    return exchange(llvm::Intrinsic::nvvm_shfl_sync_up_i32, value,
                    b.getInt32(distance), 0);
  };
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    Value *sum = operation.apply(b, from(value, distance), value);
    value =
        b.CreateSelect(b.CreateICmpUGE(self, b.getInt32(distance)), sum, value);
  }
  if (inclusive)
    return value;
  return b.CreateSelect(b.CreateIsNull(self), operation.start(),
                        from(value, 1));
}

/// One active lane after the other.
Value *LaneBuilder::scanPartial(const LaneOperation &operation, Value *value,
                                bool inclusive) {
  Instruction *end = &*b.GetInsertPoint();
  Value *self = lane();
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *after = before->splitBasicBlock(end, "scanned");
  BasicBlock *body =
      BasicBlock::Create(b.getContext(), "scan", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, body);

  b.SetInsertPoint(body);
  PHINode *rest = b.CreatePHI(b.getInt32Ty(), 2);
  PHINode *sum = b.CreatePHI(operation.type, 2);
  Value *source =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest, b.getTrue());
  Value *other = shuffle(value, source);
  Value *counts =
      inclusive ? b.CreateICmpULE(source, self) : b.CreateICmpULT(source, self);
  Value *next = b.CreateSelect(counts, operation.apply(b, sum, other), sum);
  Value *left = b.CreateAnd(rest, b.CreateSub(rest, b.getInt32(1)));
  b.CreateCondBr(b.CreateIsNotNull(left), body, after);
  rest->addIncoming(active, before);
  rest->addIncoming(left, body);
  sum->addIncoming(operation.identity(), before);
  sum->addIncoming(next, body);

  b.SetInsertPoint(end);
  if (inclusive)
    return next;
  Value *lower = b.CreateSub(b.CreateShl(b.getInt32(1), self), b.getInt32(1));
  return b.CreateSelect(b.CreateIsNull(b.CreateAnd(active, lower)),
                        operation.start(), next);
}

Value *LaneBuilder::scan(const LaneOperation &operation, Value *value,
                         bool inclusive) {
  return choose([&] { return scanFull(operation, value, inclusive); },
                [&] { return scanPartial(operation, value, inclusive); });
}

} // namespace bessemer::codegen::nvidia
