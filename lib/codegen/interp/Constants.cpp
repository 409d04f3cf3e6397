//===- Constants.cpp - Values of constants and addresses of globals -------===//
#include "codegen/interp/Evaluate.h"
#include "codegen/interp/Machine.h"
#include "codegen/interp/Pointer.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

using namespace bessemer;
using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

OperandRef Machine::intern(const Constant *constant) {
  auto found = constantIndex.find(constant);
  if (found != constantIndex.end())
    return found->second;
  Leaves value = evaluateConstant(constant);
  OperandRef operand = ~OperandRef(constants.size());
  constants.push_back(std::move(value));
  return constantIndex[constant] = operand;
}

Leaves Machine::evaluateConstant(const Constant *constant) {
  if (auto *integer = dyn_cast<ConstantInt>(constant);
      integer && !integer->getType()->isVectorTy())
    return {integer->getValue()};
  if (auto *number = dyn_cast<ConstantFP>(constant);
      number && !number->getType()->isVectorTy())
    return {toBits(number->getValueAPF())};
  if (isa<UndefValue>(constant) || constant->isNullValue())
    return zeroValue(constant->getType());
  if (auto *global = dyn_cast<GlobalVariable>(constant))
    return {Bits(64, pointerTo(*global))};
  if (auto *function = dyn_cast<llvm::Function>(constant))
    return {Bits(64, pointerTo(*function))};
  if (auto *expression = dyn_cast<ConstantExpr>(constant)) {
    SmallVector<const Leaves *, 4> operands;
    for (const Use &use : expression->operands())
      operands.push_back(&this->constant(intern(cast<Constant>(use.get()))));
    if (auto value = evaluate(cast<Operator>(*expression), operands, layout))
      return std::move(*value);
  } else if (constant->getType()->isAggregateType() ||
             constant->getType()->isVectorTy()) {
    Leaves value;
    for (unsigned i = 0;
         const Constant *member = constant->getAggregateElement(i); ++i)
      value.append(this->constant(intern(member)));
    return value;
  }
  std::string text;
  raw_string_ostream(text) << *constant;
  fail(ErrorKind::Unsupported,
       "the constant '" + text + "' is none that kernel IR may hold");
  return zeroValue(constant->getType());
}

uint64_t Machine::pointerTo(const GlobalVariable &global) {
  if (uint64_t known = globals.lookup(&global))
    return known;
  bool isThreadgroup =
      global.getAddressSpace() == unsigned(AddressSpace::Threadgroup);
  if (!isThreadgroup && !global.hasInitializer())
    fail(ErrorKind::InvalidArgument,
         "the constant '" + global.getName().str() +
             "' has no value; give every function constant one");
  if (!isThreadgroup && !global.isConstant())
    fail(ErrorKind::Unsupported,
         "the variable '" + global.getName().str() +
             "' belongs to no thread; program scope has constants alone");
  uint64_t bytes = layout.getTypeAllocSize(global.getValueType());
  uint8_t *base = allocate(bytes);
  std::string name = (isThreadgroup ? "threadgroup variable '" : "constant '") +
                     global.getName().str() + "'";
  unsigned tag = memory.add({name, base, bytes, isThreadgroup});
  uint64_t pointer = makePointer(tag, reinterpret_cast<uintptr_t>(base));
  // Known before its initializer is evaluated: that may refer to it.
  globals[&global] = pointer;
  if (isThreadgroup) {
    threadgroupBlocks.push_back({base, bytes});
    std::memset(base, uninitialisedByte, bytes);
  } else if (global.hasInitializer()) {
    storeValue(global.getValueType(), constant(intern(global.getInitializer())),
               base, layout);
  }
  return pointer;
}

uint64_t Machine::pointerTo(const llvm::Function &function) {
  uint64_t &pointer = functionPointers[&function];
  if (!pointer) {
    // A byte of its own makes a function's address differ from all others.
    unsigned tag = memory.add(
        {"function '" + function.getName().str() + "'", allocate(1), 0, false});
    pointer =
        makePointer(tag, reinterpret_cast<uintptr_t>(memory.shared(tag).base));
    functions[addressOf(pointer)] = &function;
  }
  return pointer;
}
