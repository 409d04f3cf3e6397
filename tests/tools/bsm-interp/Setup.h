//===- Setup.h - Arguments of a kernel from the command line ----*- C++ -*-===//
#ifndef BESSEMER_TESTS_TOOLS_SETUP_H
#define BESSEMER_TESTS_TOOLS_SETUP_H

#include "bessemer/abi/launch.h"
#include "bessemer/reflection.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <deque>
#include <map>
#include <memory>

namespace bessemer::testing {

/// The bytes that `text` describes: a file's name, `zeros:BYTES`,
/// `iota-TYPE:COUNT`, or `TYPE:v,v,...` with TYPE u8 i8 u16 i16 u32 i32 u64 i64
/// f16 bf16 f32.
Result<std::vector<uint8_t>> parseBytes(llvm::StringRef text);
/// The elements of `bytes` as TYPE, separated by blanks.
Result<std::string> printBytes(llvm::ArrayRef<uint8_t> bytes,
                               llvm::StringRef type);

/// Module, kernel and launch of one run. Movable only before `launch` is
/// called: the launch points into it.
class Setup {
public:
  /// Parses an IR file and finds the kernel; `reflection` may be empty, then
  /// the parameters tell the arguments.
  static Result<std::unique_ptr<Setup>> load(const std::string &irFile,
                                             const std::string &reflection,
                                             const std::string &kernel);

  Status setGrid(llvm::StringRef threads, llvm::StringRef group);
  Status setBuffer(llvm::StringRef option);            ///< INDEX=BYTES
  Status setTensor(llvm::StringRef option);            ///< INDEX=4x3:BYTES
  Status setThreadgroupMemory(llvm::StringRef option); ///< INDEX=BYTES
  /// The launch for a group's block whose static part has `staticBytes`.
  const bsm_launch &launch(uint32_t staticBytes = 0);

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  KernelInfo kernel;
  std::map<unsigned, std::vector<uint8_t>> buffers;
  uint32_t threadgroupBytes = 0; ///< Whole block, known after launch().

private:
  std::map<unsigned, bsm_tensor> tensors;
  std::map<unsigned, uint32_t> threadgroupMemory;
  bsm_launch theLaunch{};
};

} // namespace bessemer::testing

#endif // BESSEMER_TESTS_TOOLS_SETUP_H
