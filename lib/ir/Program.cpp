//===- Program.cpp - Reading and writing programs -------------------------===//
#include "ir/Program.h"

#include "ir/BytecodeSeal.h"
#include "ir/DiagnosticCapture.h"
#include "ir/ElementTypes.h"
#include "ir/Registration.h"
#include "ir/TextLimits.h"
#include "ir/dialect/CoreAI.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace bessemer;
using namespace mlir;

/// Weights are aligned to a cache line in files and in memory.
static constexpr size_t weightAlignment = 64;
static constexpr unsigned parserStackSize = 64u << 20;

IRProgram::IRProgram() {
  DialectRegistry registry;
  registerDialects(registry);
  // No threads: crash recovery covers the calling thread alone, and programs
  // are small.
  mlirContext =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  mlirContext->loadAllAvailableDialects();
}

Result<std::unique_ptr<IRProgram>> IRProgram::create() {
  std::unique_ptr<IRProgram> program(new IRProgram);
  program->mlirModule =
      ModuleOp::create(UnknownLoc::get(program->mlirContext.get()));
  return program;
}

/// Runs a reader of untrusted input on a deep stack under crash recovery. After
/// a crash the program cannot be destroyed (locks may be held): it is leaked.
static Status readGuarded(std::unique_ptr<IRProgram> &program, StringRef what,
                          llvm::function_ref<Status()> read) {
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  Status status;
  if (recovery.RunSafelyOnThread([&] { status = read(); }, parserStackSize))
    return status;
  (void)program.release();
  return makeError(ErrorKind::Corrupt,
                   "the " + what.str() +
                       " is damaged: reading it failed inside the compiler");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

Status IRProgram::parseInto(std::string_view text) {
  DiagnosticCapture capture(mlirContext.get());
  mlirModule =
      parseSourceString<ModuleOp>(StringRef(text.data(), text.size()),
                                  ParserConfig(mlirContext.get()), programText);
  if (!mlirModule)
    return capture.error(ErrorKind::InvalidArgument,
                         "the program text holds no module");
  return {};
}

Result<std::unique_ptr<IRProgram>> IRProgram::parse(std::string_view text) {
  if (Status limits = checkTextLimits(text); !limits)
    return limits.error();
  // The parser wants a final zero.
  std::string owned(text);
  std::unique_ptr<IRProgram> program(new IRProgram);
  Status status = readGuarded(program, "program text",
                              [&] { return program->parseInto(owned); });
  if (!status)
    return status.error();
  return program;
}

std::string IRProgram::print() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlirModule->print(stream);
  return text;
}

//===----------------------------------------------------------------------===//
// Bytecode
//===----------------------------------------------------------------------===//

Status IRProgram::readInto(std::string_view bytes) {
  DiagnosticCapture capture(mlirContext.get());
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(StringRef(bytes.data(), bytes.size()),
                                       programText,
                                       /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  mlirModule =
      parseSourceFile<ModuleOp>(sources, ParserConfig(mlirContext.get()));
  if (!mlirModule)
    return capture.error(ErrorKind::Corrupt, "the file holds no module");
  return {};
}

static std::shared_ptr<const void> copyAligned(std::string_view bytes) {
  void *copy = ::operator new(std::max<size_t>(bytes.size(), 1),
                              std::align_val_t(weightAlignment));
  std::memcpy(copy, bytes.data(), bytes.size());
  return {copy, [](const void *data) {
            ::operator delete(const_cast<void *>(data),
                              std::align_val_t(weightAlignment));
          }};
}

Result<std::unique_ptr<IRProgram>>
IRProgram::fromBytecode(std::string_view bytes,
                        std::shared_ptr<const void> owner) {
  if (Status intact = checkSeal(StringRef(bytes.data(), bytes.size())); !intact)
    return intact.error();
  bool isAligned =
      reinterpret_cast<uintptr_t>(bytes.data()) % weightAlignment == 0;
  std::unique_ptr<IRProgram> program(new IRProgram);
  program->bytesOwner = owner && isAligned ? owner : copyAligned(bytes);
  if (!owner || !isAligned)
    bytes = {static_cast<const char *>(program->bytesOwner.get()),
             bytes.size()};
  program->bytecodeRead = bytes;
  Status status = readGuarded(program, "program bytecode",
                              [&] { return program->readInto(bytes); });
  if (!status)
    return makeError(status.error().kind,
                     "cannot read the program: " + status.error().message);
  return program;
}

/// Saved programs tell no paths of the machine they were made on, nor columns
/// of a text that is gone.
static void stripLocations(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FileLineColLoc at) -> std::optional<Attribute> {
    StringRef file = at.getFilename().getValue();
    if (file == programText)
      return Attribute(UnknownLoc::get(at.getContext()));
    if (!llvm::sys::path::is_absolute(file))
      return std::nullopt;
    return Attribute(FileLineColLoc::get(at.getContext(),
                                         llvm::sys::path::filename(file),
                                         at.getLine(), at.getColumn()));
  });
  replacer.addReplacement([](NameLoc named) -> std::optional<Attribute> {
    StringRef name = named.getName().getValue();
    if (!llvm::sys::path::is_absolute(name))
      return std::nullopt;
    return Attribute(NameLoc::get(
        StringAttr::get(named.getContext(), llvm::sys::path::filename(name))));
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/false,
                                        /*replaceLocs=*/true,
                                        /*replaceTypes=*/false);
}

Result<std::string> IRProgram::bytecode() {
  if (Status valid = verify(); !valid)
    return valid.error();
  DiagnosticCapture capture(mlirContext.get());
  OwningOpRef<ModuleOp> copy = mlirModule->clone();
  stripLocations(*copy);
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  BytecodeWriterConfig config(sealedProducer);
  if (failed(writeBytecodeToFile(*copy, stream, config)))
    return capture.error(ErrorKind::Internal, "cannot write the program");
  if (Status sealed = sealBytecode(bytes); !sealed)
    return sealed.error();
  return bytes;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

Status IRProgram::verify() {
  DiagnosticCapture capture(mlirContext.get());
  if (succeeded(mlir::verify(*mlirModule)))
    return {};
  return capture.error(ErrorKind::InvalidArgument, "the program is not valid");
}

std::optional<uint64_t> IRProgram::bytecodeOffset(ArrayRef<char> data) const {
  auto begin = reinterpret_cast<uintptr_t>(bytecodeRead.data());
  uint64_t offset = reinterpret_cast<uintptr_t>(data.data()) - begin;
  if (offset > bytecodeRead.size() ||
      data.size() > bytecodeRead.size() - offset)
    return std::nullopt;
  return offset;
}

Result<coreai::GraphOp> IRProgram::graph(std::string_view name) {
  std::string known;
  for (auto graph : mlirModule->getOps<coreai::GraphOp>()) {
    if (graph.getSymName() == StringRef(name.data(), name.size()))
      return graph;
    if (graph.isPublic())
      known += (known.empty() ? "" : ", ") + graph.getSymName().str();
  }
  return makeError(ErrorKind::NotFound,
                   "no function named '" + std::string(name) +
                       "'; there is: " + (known.empty() ? "none" : known));
}
