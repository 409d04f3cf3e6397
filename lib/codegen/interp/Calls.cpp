//===- Calls.cpp - Calls of functions, bsm.* and llvm.* -------------------===//
#include "codegen/interp/Evaluate.h"
#include "codegen/interp/Math.h"
#include "codegen/interp/Pointer.h"
#include "codegen/interp/Thread.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"

using namespace bessemer;
using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

bool Thread::executeCall(const Step &step) {
  if (step.builtin)
    return callBuiltin(step);
  if (step.callee && step.callee->isIntrinsic())
    return callIntrinsic(step);
  return callFunction(step);
}

bool Thread::callFunction(const Step &step) {
  auto &call = cast<CallBase>(*step.instruction);
  const llvm::Function *callee = step.callee;
  if (!callee) {
    if (call.isInlineAsm())
      return executeUnsupported(step);
    const Leaves &pointer = operand(step, step.operands.size() - 1);
    callee = machine.functionAt(pointer[0].getZExtValue());
    if (!callee)
      return fail("a call through a pointer that is no function's");
  }
  if (callee->isDeclaration())
    return fail("calls '" + callee->getName().str() +
                    "', which has no definition",
                ErrorKind::Unsupported);
  if (callee->arg_size() != call.arg_size())
    return fail("calls '" + callee->getName().str() + "' with " +
                std::to_string(call.arg_size()) + " arguments");
  std::vector<Leaves> arguments;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    arguments.push_back(operand(step, i));
  return enter(*callee, std::move(arguments));
}

bool Thread::callBuiltin(const Step &step) {
  const Builtin &builtin = *step.builtin;
  if (builtin.isBarrier() || builtin.isCrossLane()) {
    theState = State::Waiting;
    return true;
  }
  if (builtin.kind == Builtin::Attribute) {
    define(step, {Bits(32, attribute(builtin.id))});
    return true;
  }
  if (builtin.id == Builtin::CheckIndex)
    return checkIndex(step);
  SmallVector<double, 2> operands;
  for (unsigned i = 0; i < step.callee->arg_size(); ++i)
    operands.push_back(operand(step, i)[0].bitsToFloat());
  std::optional<float> value = evaluateMath(builtin.operation, operands);
  if (builtin.kind != Builtin::Math || !value)
    return executeUnsupported(step);
  define(step, {Bits::floatToBits(*value)});
  return true;
}

uint32_t Thread::attribute(Builtin::Id id) const {
  std::array<uint32_t, 3> local{index % group.size[0],
                                index / group.size[0] % group.size[1],
                                index / group.size[0] / group.size[1]};
  const bsm_launch &launch = machine.launch;
  auto simdgroups = [](uint32_t threads) { return (threads + 31) / 32; };
  const uint32_t *requested = launch.threads_per_threadgroup;
  // Rows X, Y, Z of one attribute follow each other.
  auto axis = [id](Builtin::Id first) { return unsigned(id) - first; };
  switch (id) {
  case Builtin::ThreadPositionInGridX:
  case Builtin::ThreadPositionInGridY:
  case Builtin::ThreadPositionInGridZ: {
    unsigned i = axis(Builtin::ThreadPositionInGridX);
    return group.position[i] * requested[i] + local[i];
  }
  case Builtin::ThreadsPerGridX:
  case Builtin::ThreadsPerGridY:
  case Builtin::ThreadsPerGridZ:
    return launch.threads_per_grid[axis(Builtin::ThreadsPerGridX)];
  case Builtin::ThreadPositionInThreadgroupX:
  case Builtin::ThreadPositionInThreadgroupY:
  case Builtin::ThreadPositionInThreadgroupZ:
    return local[axis(Builtin::ThreadPositionInThreadgroupX)];
  case Builtin::ThreadgroupPositionInGridX:
  case Builtin::ThreadgroupPositionInGridY:
  case Builtin::ThreadgroupPositionInGridZ:
    return group.position[axis(Builtin::ThreadgroupPositionInGridX)];
  case Builtin::ThreadgroupsPerGridX:
  case Builtin::ThreadgroupsPerGridY:
  case Builtin::ThreadgroupsPerGridZ:
    return launch.threadgroups_per_grid[axis(Builtin::ThreadgroupsPerGridX)];
  case Builtin::ThreadsPerThreadgroupX:
  case Builtin::ThreadsPerThreadgroupY:
  case Builtin::ThreadsPerThreadgroupZ:
    return group.size[axis(Builtin::ThreadsPerThreadgroupX)];
  case Builtin::DispatchThreadsPerThreadgroupX:
  case Builtin::DispatchThreadsPerThreadgroupY:
  case Builtin::DispatchThreadsPerThreadgroupZ:
    return requested[axis(Builtin::DispatchThreadsPerThreadgroupX)];
  case Builtin::ThreadIndexInThreadgroup:
    return index;
  case Builtin::ThreadIndexInSimdgroup:
    return index % 32;
  case Builtin::SimdgroupIndexInThreadgroup:
    return index / 32;
  case Builtin::SimdgroupsPerThreadgroup:
    return simdgroups(group.threads());
  case Builtin::DispatchSimdgroupsPerThreadgroup:
    return simdgroups(requested[0] * requested[1] * requested[2]);
  default:
    llvm_unreachable("a row of kind Attribute without a case");
  }
}

bool Thread::checkIndex(const Step &step) {
  if (!operand(step, 0)[0].isZero()) {
    define(step, {});
    return true;
  }
  const bsm_services *services = machine.launch.services;
  const DILocation *place = step.instruction->getDebugLoc().get();
  unsigned line = place ? place->getLine() : 0;
  auto &call = cast<CallBase>(*step.instruction);
  if (isa<ConstantPointerNull>(call.getArgOperand(1)->stripPointerCasts())) {
    if (services && services->index_fault)
      services->index_fault(machine.launch.dispatch, nullptr, 0, 0, line);
    return fail("reaches a trap", ErrorKind::Fault);
  }
  const Object *object;
  uint8_t *address = access(operand(step, 1), sizeof(bsm_tensor), false,
                            "tensor descriptor", &object);
  if (!address)
    return false;
  auto *tensor = reinterpret_cast<const bsm_tensor *>(address);
  uint32_t dimension = operand(step, 2)[0].getZExtValue();
  int64_t position = operand(step, 3)[0].getSExtValue();
  if (services && services->index_fault)
    services->index_fault(machine.launch.dispatch, tensor, dimension, position,
                          line);
  std::string extent = dimension < BSM_MAX_RANK
                           ? std::to_string(tensor->extents[dimension])
                           : "no such dimension";
  std::string name = object->descriptorOf
                         ? machine.memory.shared(object->descriptorOf).name
                         : object->name;
  return fail("index " + std::to_string(position) +
                  " is outside of dimension " + std::to_string(dimension) +
                  " (innermost first, extent " + extent + ") of tensor " + name,
              ErrorKind::Fault);
}

bool Thread::callIntrinsic(const Step &step) {
  auto &call = cast<CallBase>(*step.instruction);
  if (isa<MemTransferInst>(call))
    return copyMemory(step);
  if (isa<MemSetInst>(call))
    return fillMemory(step);
  if (isa<DbgInfoIntrinsic>(call) || call.isLifetimeStartOrEnd() ||
      call.getType()->isVoidTy()) {
    switch (step.callee->getIntrinsicID()) {
    case Intrinsic::trap:
    case Intrinsic::ubsantrap:
    case Intrinsic::debugtrap:
      return fail("reaches a trap");
    default: // Lifetimes, assumptions, debug values: no effect.
      define(step, {});
      return true;
    }
  }
  SmallVector<const Leaves *, 4> operands;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (step.operands[i] != noOperand)
      operands.push_back(&operand(step, i));
  Type *first = call.arg_size() ? call.getArgOperand(0)->getType() : nullptr;
  auto value = evaluateIntrinsic(step.callee->getIntrinsicID(), call.getType(),
                                 first, operands);
  if (!value)
    return executeUnsupported(step);
  define(step, std::move(*value));
  return true;
}
