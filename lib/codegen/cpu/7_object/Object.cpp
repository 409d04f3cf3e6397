//===- Object.cpp - IR to machine code ------------------------------------===//

#include "codegen/cpu/Compile.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

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
constexpr uint64_t optimisedInstructions = 45000;

uint64_t instructionsOf(const Module &module) {
  uint64_t count = 0;
  for (const Function &function : module)
    count += function.getInstructionCount();
  return count;
}

/// Bytes of stack that a kernel may use: threads have 8 MiB, and the caller
/// may be deep in functions of its own.
constexpr uint64_t stackLimit = 4 << 20;

/// While one lives, notes the largest frame beyond the limit.
class FrameWatch : public DiagnosticHandler {
public:
  /// `largest` must outlive the watch.
  explicit FrameWatch(uint64_t &largest) : largest(largest) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    auto *frame = dyn_cast<DiagnosticInfoStackSize>(&info);
    if (frame)
      largest = std::max(largest, frame->getStackSize());
    return frame;
  }

private:
  uint64_t &largest;
};

struct Emitted {
  std::string code;
  uint64_t oversizedFrame = 0; ///< 0: all are within the limit.
};

Result<Emitted> emitAt(CodeGenOptLevel level, Module &module,
                       TargetMachine &target) {
  Emitted result;
  for (Function &function : module)
    function.addFnAttr("warn-stack-size", std::to_string(stackLimit));
  LLVMContext &context = module.getContext();
  std::unique_ptr<DiagnosticHandler> before = context.getDiagnosticHandler();
  context.setDiagnosticHandler(
      std::make_unique<FrameWatch>(result.oversizedFrame));
  SmallVector<char, 0> buffer;
  raw_svector_ostream stream(buffer);
  target.setOptLevel(level);
  legacy::PassManager passes;
  bool failed = target.addPassesToEmitFile(passes, stream, nullptr,
                                           CodeGenFileType::ObjectFile,
                                           /*DisableVerify=*/true);
  if (!failed)
    passes.run(module);
  context.setDiagnosticHandler(std::move(before));
  if (failed)
    return makeError(ErrorKind::Unsupported,
                     "no object files for " + target.getTargetTriple().str());
  result.code.assign(buffer.begin(), buffer.end());
  return result;
}

/// Values alive at once, about: as if control ran through the blocks in order.
uint64_t pressureOf(Function &function) {
  DenseMap<const Instruction *, uint64_t> places;
  for (const Instruction &instruction : instructions(function))
    places.try_emplace(&instruction, places.size());
  std::vector<int64_t> changes(places.size() + 1);
  for (auto [instruction, place] : places) {
    uint64_t last = place;
    for (const User *user : instruction->users())
      last = std::max(last, places.lookup(cast<Instruction>(user)));
    ++changes[place];
    --changes[last];
  }
  int64_t alive = 0, most = 0;
  for (int64_t change : changes)
    most = std::max(most, alive += change);
  return most;
}

/// Values alive at once beyond which allocating registers takes minutes.
constexpr uint64_t mostPressure = 8000;

/// Without optimisation every value has its own place on the stack, which may
/// be more than there is.
Result<Emitted> emit(Module &module, TargetMachine &target) {
  if (instructionsOf(module) > optimisedInstructions) {
    std::unique_ptr<Module> copy = CloneModule(module);
    Result<Emitted> result = emitAt(CodeGenOptLevel::None, *copy, target);
    if (!result || !result->oversizedFrame ||
        any_of(module, [](Function &function) {
          return pressureOf(function) > mostPressure;
        }))
      return result;
  }
  return emitAt(CodeGenOptLevel::Default, module, target);
}

} // namespace

Result<std::string> emitObject(Module &module, TargetMachine &target) {
  Result<Emitted> result = emit(module, target);
  if (!result)
    return result.error();
  if (result->oversizedFrame)
    return makeError(
        ErrorKind::Unsupported,
        "a kernel needs " + std::to_string(result->oversizedFrame >> 10) +
            " KiB of stack, more than the " + std::to_string(stackLimit >> 10) +
            " there are; it is too large: split it, or keep "
            "loops as loops (#pragma unroll multiplies code)");
  if (Status status = checkSelfContained(result->code); !status)
    return status.error();
  return std::move(result->code);
}

} // namespace bessemer::codegen::cpu
