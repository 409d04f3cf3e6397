//===- Builtins.cpp - The bsm.* functions by name -------------------------===//
#include "codegen/interp/Builtins.h"

#include "llvm/ADT/StringMap.h"

using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;

static const Builtin table[] = {
#define BSM_INTRINSIC(id, name, result, arguments, uniformity, properties,     \
                      sem)                                                     \
  {Builtin::Other, Builtin::id, name, sem},
#define BSM_ATTRIBUTE(id, name, uniformity, semantics)                         \
  {Builtin::Attribute, Builtin::id, name, semantics},
#define BSM_REDUCTION(id, name, type, operation)                               \
  {Builtin::Reduction, Builtin::id, name, operation},
#define BSM_SCAN(id, name, type, operation)                                    \
  {Builtin::Scan, Builtin::id, name, operation},
#define BSM_MATH(id, name, arguments, semantics)                               \
  {Builtin::Math, Builtin::id, name, semantics},
#include "codegen/common/Intrinsics.def"
};

static llvm::StringMap<const Builtin *> makeIndex() {
  llvm::StringMap<const Builtin *> index;
  for (const Builtin &builtin : table)
    index[builtin.name] = &builtin;
  return index;
}

const Builtin *interp::findBuiltin(llvm::StringRef name) {
  static const llvm::StringMap<const Builtin *> index = makeIndex();
  return index.lookup(name);
}
