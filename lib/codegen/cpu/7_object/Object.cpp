//===- Object.cpp - IR to machine code ------------------------------------===//

#include "codegen/common/AddCodeGeneration.h"
#include "codegen/cpu/Compile.h"

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

// Strength reduction takes a sixth of the time and leaves no fewer
// instructions: addresses are base + index * size + offset for nothing.
static Result<std::string> emitFile(Module &module, TargetMachine &target,
                                    CodeGenFileType type) {
  SmallVector<char, 0> buffer;
  raw_svector_ostream stream(buffer);
  if (instructionsOf(module) > optimisedInstructions)
    target.setOptLevel(CodeGenOptLevel::None);
  legacy::PassManager passes;
  if (!addCodeGeneration(passes, target, stream, type, StrengthReduction::No))
    return makeError(ErrorKind::Unsupported,
                     "no machine code for " + target.getTargetTriple().str());
  passes.run(module);
  return std::string(buffer.begin(), buffer.end());
}

Result<std::string> emitAssembly(Module &module, TargetMachine &target) {
  return emitFile(module, target, CodeGenFileType::AssemblyFile);
}

Result<std::string> emitObject(Module &module, TargetMachine &target) {
  Result<std::string> code =
      emitFile(module, target, CodeGenFileType::ObjectFile);
  if (!code)
    return code;
  if (Status status = checkSelfContained(*code); !status)
    return status.error();
  return code;
}

} // namespace bessemer::codegen::cpu
