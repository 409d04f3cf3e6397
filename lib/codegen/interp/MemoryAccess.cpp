//===- MemoryAccess.cpp - Loads, stores and atomics of a thread -----------===//
#include "codegen/interp/Evaluate.h"
#include "codegen/interp/Pointer.h"
#include "codegen/interp/Thread.h"

#include "llvm/IR/Instructions.h"

#include <cstring>

using namespace bessemer;
using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

uint8_t *Thread::access(const Leaves &pointer, uint64_t bytes, bool forWriting,
                        const char *what, const Object **object) {
  Memory::Access found = machine.memory.find(pointer[0].getZExtValue(), bytes,
                                             forWriting, variables);
  if (!found.object) {
    fail(std::string(what) + " of " + found.problem);
    return nullptr;
  }
  if (object)
    *object = found.object;
  return found.address;
}

bool Thread::executeLoad(const Step &step) {
  Type *type = step.instruction->getType();
  const Object *object;
  uint8_t *from =
      access(operand(step, 0), machine.layout.getTypeStoreSize(type), false,
             "load", &object);
  if (!from)
    return false;
  Leaves value = loadValue(type, from, machine.layout);
  // The first word of a tensor's descriptor is the address of its data.
  if (object->descriptorOf && type->isPointerTy() && from == object->base)
    value[0] =
        Bits(64, makePointer(object->descriptorOf, value[0].getZExtValue()));
  define(step, std::move(value));
  return true;
}

/// Tags mean nothing to whoever reads a buffer after the dispatch.
static void removeTags(Type *type, Leaves &value) {
  if (type->getScalarType()->isPointerTy())
    for (Bits &bits : value)
      bits = Bits(64, addressOf(bits.getZExtValue()));
}

bool Thread::executeStore(const Step &step) {
  auto &store = cast<StoreInst>(*step.instruction);
  Type *type = store.getValueOperand()->getType();
  const Object *object;
  uint8_t *to = access(operand(step, 1), machine.layout.getTypeStoreSize(type),
                       true, "store", &object);
  if (!to)
    return false;
  Leaves value = operand(step, 0);
  if (object->isBuffer)
    removeTags(type, value);
  storeValue(type, value, to, machine.layout);
  define(step, {});
  return true;
}

static std::optional<Bits> updateFloat(AtomicRMWInst::BinOp operation,
                                       Type *type, const Bits &old,
                                       const Bits &operand) {
  APFloat left = toFloat(old, type), right = toFloat(operand, type);
  switch (operation) {
  case AtomicRMWInst::FAdd:
    return evaluateBinary(Instruction::FAdd, type, old, operand);
  case AtomicRMWInst::FSub:
    return evaluateBinary(Instruction::FSub, type, old, operand);
  case AtomicRMWInst::FMax:
    return toBits(maxnum(left, right));
  case AtomicRMWInst::FMin:
    return toBits(minnum(left, right));
  case AtomicRMWInst::FMaximum:
    return toBits(maximum(left, right));
  case AtomicRMWInst::FMinimum:
    return toBits(minimum(left, right));
  default:
    return std::nullopt;
  }
}

static std::optional<Bits> update(AtomicRMWInst::BinOp operation, Type *type,
                                  const Bits &old, const Bits &operand) {
  switch (operation) {
  case AtomicRMWInst::Xchg:
    return operand;
  case AtomicRMWInst::Add:
    return old + operand;
  case AtomicRMWInst::Sub:
    return old - operand;
  case AtomicRMWInst::And:
    return old & operand;
  case AtomicRMWInst::Nand:
    return ~(old & operand);
  case AtomicRMWInst::Or:
    return old | operand;
  case AtomicRMWInst::Xor:
    return old ^ operand;
  case AtomicRMWInst::Max:
    return APIntOps::smax(old, operand);
  case AtomicRMWInst::Min:
    return APIntOps::smin(old, operand);
  case AtomicRMWInst::UMax:
    return APIntOps::umax(old, operand);
  case AtomicRMWInst::UMin:
    return APIntOps::umin(old, operand);
  default:
    if (type->isFloatingPointTy())
      return updateFloat(operation, type, old, operand);
    return std::nullopt;
  }
}

bool Thread::executeAtomicUpdate(const Step &step) {
  auto &atomic = cast<AtomicRMWInst>(*step.instruction);
  Type *type = atomic.getType();
  uint8_t *place =
      access(operand(step, 0), machine.layout.getTypeStoreSize(type), true,
             "atomic update");
  if (!place)
    return false;
  Leaves old = loadValue(type, place, machine.layout);
  auto updated =
      update(atomic.getOperation(), type, old[0], operand(step, 1)[0]);
  if (!updated)
    return executeUnsupported(step);
  storeValue(type, {*updated}, place, machine.layout);
  define(step, std::move(old));
  return true;
}

bool Thread::executeCompareExchange(const Step &step) {
  auto &exchange = cast<AtomicCmpXchgInst>(*step.instruction);
  Type *type = exchange.getNewValOperand()->getType();
  uint8_t *place =
      access(operand(step, 0), machine.layout.getTypeStoreSize(type), true,
             "atomic exchange");
  if (!place)
    return false;
  Leaves result = loadValue(type, place, machine.layout);
  bool isEqual = result[0] == operand(step, 1)[0];
  if (isEqual)
    storeValue(type, operand(step, 2), place, machine.layout);
  result.push_back(toBits(isEqual));
  define(step, std::move(result));
  return true;
}

bool Thread::copyMemory(const Step &step) {
  uint64_t bytes = operand(step, 2)[0].getLimitedValue();
  if (bytes != 0) {
    uint8_t *from = access(operand(step, 1), bytes, false, "copy");
    uint8_t *to =
        from ? access(operand(step, 0), bytes, true, "copy") : nullptr;
    if (!to)
      return false;
    std::memmove(to, from, bytes);
  }
  define(step, {});
  return true;
}

bool Thread::fillMemory(const Step &step) {
  uint64_t bytes = operand(step, 2)[0].getLimitedValue();
  if (bytes != 0) {
    uint8_t *to = access(operand(step, 0), bytes, true, "fill");
    if (!to)
      return false;
    std::memset(to, int(operand(step, 1)[0].getZExtValue()), bytes);
  }
  define(step, {});
  return true;
}
