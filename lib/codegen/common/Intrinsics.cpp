//===- Intrinsics.cpp - The bsm.* functions as an enum --------------------===//

#include "codegen/common/Intrinsics.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <iterator>

using namespace llvm;

namespace bessemer::codegen {

namespace {

// The letters of Intrinsics.def arrive as tokens; these give them a value.
[[maybe_unused]] constexpr char V = 'V', B = 'B', I = 'I', L = 'L', F = 'F';

const IntrinsicInfo table[] = {
    {"", V, "", Uniformity::Never, 0, IntrinsicFamily::Other},
#define BSM_INTRINSIC(id, name, result, arguments, uniformity, properties,     \
                      sem)                                                     \
  {name,       result,                                                         \
   arguments,  Uniformity::uniformity,                                         \
   properties, IntrinsicFamily::Other},
#define BSM_ATTRIBUTE(id, name, uniformity, sem)                               \
  {name, I, "", Uniformity::uniformity, Pure, IntrinsicFamily::Attribute},
#define BSM_REDUCTION(id, name, type, operation)                               \
  {name,                                                                       \
   type,                                                                       \
   #type,                                                                      \
   Uniformity::Simdgroup,                                                      \
   Pure | Convergent,                                                          \
   IntrinsicFamily::Reduction},
#define BSM_SCAN(id, name, type, operation)                                    \
  {name,                                                                       \
   type,                                                                       \
   #type,                                                                      \
   Uniformity::Never,                                                          \
   Pure | Convergent,                                                          \
   IntrinsicFamily::Scan},
#define BSM_MATH(id, name, arguments, sem)                                     \
  {name, F, arguments, Uniformity::Pure, Pure, IntrinsicFamily::Math},
#include "codegen/common/Intrinsics.def"
};

Type *typeOf(char letter, LLVMContext &context, unsigned constantSpace) {
  switch (letter) {
  case 'V':
    return Type::getVoidTy(context);
  case 'B':
    return Type::getInt1Ty(context);
  case 'I':
    return Type::getInt32Ty(context);
  case 'L':
    return Type::getInt64Ty(context);
  case 'F':
    return Type::getFloatTy(context);
  case 'C':
    return PointerType::get(context, constantSpace);
  }
  llvm_unreachable("letter of Intrinsics.def");
}

const StringMap<unsigned> &byName() {
  static const StringMap<unsigned> map = [] {
    StringMap<unsigned> names;
    for (unsigned i = 1; i < std::size(table); ++i)
      names[table[i].name] = i;
    return names;
  }();
  return map;
}

} // namespace

Intrinsic lookupIntrinsic(StringRef name) {
  if (!name.starts_with("bsm."))
    return Intrinsic::None;
  return static_cast<Intrinsic>(byName().lookup(name));
}

Intrinsic intrinsicOf(const Function &function) {
  return lookupIntrinsic(function.getName());
}

Intrinsic intrinsicOf(const Value *value) {
  const auto *call = dyn_cast_or_null<CallBase>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee ? intrinsicOf(*callee) : Intrinsic::None;
}

const IntrinsicInfo &intrinsicInfo(Intrinsic id) {
  return table[static_cast<unsigned>(id)];
}

unsigned attributeComponent(Intrinsic id) {
  StringRef name = intrinsicInfo(id).name;
  return name.ends_with(".y") ? 1 : name.ends_with(".z") ? 2 : 0;
}

FunctionType *intrinsicType(Intrinsic id, LLVMContext &context,
                            unsigned constantAddressSpace) {
  const IntrinsicInfo &info = intrinsicInfo(id);
  SmallVector<Type *, 4> arguments;
  for (char letter : info.arguments)
    arguments.push_back(typeOf(letter, context, constantAddressSpace));
  return FunctionType::get(typeOf(info.result, context, constantAddressSpace),
                           arguments, false);
}

Function *declareIntrinsic(Module &module, Intrinsic id,
                           unsigned constantAddressSpace) {
  FunctionType *type =
      intrinsicType(id, module.getContext(), constantAddressSpace);
  auto *function = cast<Function>(
      module.getOrInsertFunction(intrinsicInfo(id).name, type).getCallee());
  setIntrinsicAttributes(*function, id);
  return function;
}

void setIntrinsicAttributes(Function &function, Intrinsic id) {
  unsigned properties = intrinsicInfo(id).properties;
  function.setDoesNotThrow();
  if (properties & Convergent)
    function.addFnAttr(Attribute::Convergent);
  else
    function.removeFnAttr(Attribute::Convergent);
  if (properties & Pure) {
    function.setMemoryEffects(MemoryEffects::none());
    function.setWillReturn();
  }
}

} // namespace bessemer::codegen
