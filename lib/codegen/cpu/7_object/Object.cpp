//===- Object.cpp - IR to machine code ------------------------------------===//

#include "codegen/cpu/Compile.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

// A kernel library has nothing to link against, so a call that instruction
// selection invented (a libm function, a soft-float helper) must stop here.
Status checkSelfContained(const std::string &code) {
  auto object = object::ObjectFile::createObjectFile(
      MemoryBufferRef(code, "kernel object"));
  if (!object)
    return makeError(ErrorKind::Internal, toString(object.takeError()));
  std::string missing;
  for (const object::SymbolRef &symbol : (*object)->symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    Expected<StringRef> name = symbol.getName();
    if (!flags || !name) {
      consumeError(flags.takeError());
      consumeError(name.takeError());
      return makeError(ErrorKind::Internal, "damaged symbol table");
    }
    if ((*flags & object::SymbolRef::SF_Undefined) && !name->empty() &&
        *name != "_GLOBAL_OFFSET_TABLE_")
      missing += (missing.empty() ? "" : ", ") + name->str();
  }
  if (missing.empty())
    return {};
  return makeError(ErrorKind::Internal,
                   "the generated code calls library functions, which compiled "
                   "kernels cannot: " +
                       missing);
}

/// Instructions beyond which the optimising code generator, whose time grows
/// faster than the code, would take minutes.
constexpr uint64_t optimisedInstructions = 60000;

uint64_t instructionsOf(const Module &module) {
  uint64_t count = 0;
  for (const Function &function : module)
    count += function.getInstructionCount();
  return count;
}

} // namespace

Result<std::string> emitObject(Module &module, TargetMachine &target) {
  SmallVector<char, 0> buffer;
  raw_svector_ostream stream(buffer);
  if (instructionsOf(module) > optimisedInstructions)
    target.setOptLevel(CodeGenOptLevel::None);
  legacy::PassManager passes;
  if (target.addPassesToEmitFile(passes, stream, nullptr,
                                 CodeGenFileType::ObjectFile))
    return makeError(ErrorKind::Unsupported,
                     "no object files for " + target.getTargetTriple().str());
  passes.run(module);
  std::string code(buffer.begin(), buffer.end());
  if (Status status = checkSelfContained(code); !status)
    return status.error();
  return code;
}

} // namespace bessemer::codegen::cpu
