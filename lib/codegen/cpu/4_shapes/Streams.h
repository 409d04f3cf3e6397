//===- Streams.h - Stores that only write, in order -------------*- C++ -*-===//
//
// A kernel that writes a buffer from front to back and never reads it gains by
// stores that go past the caches: a line that is about to be overwritten need
// not be fetched first, and nothing else is driven out. That is so only if the
// buffer does not fit into the caches anyway, which the driver checks.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_CPU_SHAPES_STREAMS_H
#define BESSEMER_CODEGEN_CPU_SHAPES_STREAMS_H

#include "codegen/cpu/4_shapes/ShapeAnalysis.h"

namespace bessemer::codegen::cpu {

/// Bytes; what bodies with such stores rely on in the buffers they write.
constexpr unsigned streamAlignment = 16;

class Streams {
public:
  Streams(llvm::Function &region, const RegionOptions &options,
          const ShapeAnalysis &shapes);

  bool contains(const llvm::Instruction *store) const {
    return stores.contains(store);
  }
  /// Numbers of the parameters that are written by such stores only.
  llvm::ArrayRef<unsigned> arguments() const { return numbers; }

private:
  bool isStream(const llvm::StoreInst &store) const;

  llvm::Function &region;
  const RegionOptions &options;
  const ShapeAnalysis &shapes;
  llvm::SmallPtrSet<const llvm::Instruction *, 4> stores;
  llvm::SmallVector<unsigned, 2> numbers;
};

/// Arguments for which a second version of the body pays; empty for regions
/// that are too long to have one.
Result<std::vector<unsigned>>
findStreamedArguments(llvm::Function &region, const RegionOptions &options,
                      llvm::FunctionAnalysisManager &analyses);

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_SHAPES_STREAMS_H
