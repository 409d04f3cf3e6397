//===- AddCodeGeneration.cpp - LLVM's passes to machine code --------------===//

#include "codegen/common/AddCodeGeneration.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace bessemer::codegen {

std::mutex &optionsMutex() {
  static std::mutex mutex;
  return mutex;
}

bool addCodeGeneration(legacy::PassManager &passes, TargetMachine &target,
                       raw_pwrite_stream &stream, CodeGenFileType type,
                       StrengthReduction reduction) {
  std::lock_guard lock(optionsMutex());
  auto &options = cl::getRegisteredOptions();
  if (auto option = options.find("disable-lsr"); option != options.end())
    static_cast<cl::opt<bool> *>(option->second)
        ->setInitialValue(reduction == StrengthReduction::No);
  return !target.addPassesToEmitFile(passes, stream, nullptr, type);
}

} // namespace bessemer::codegen
