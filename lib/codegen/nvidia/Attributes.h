//===- Attributes.h - Thread attributes in an entry -------------*- C++ -*-===//
#ifndef BESSEMER_CODEGEN_NVIDIA_ATTRIBUTES_H
#define BESSEMER_CODEGEN_NVIDIA_ATTRIBUTES_H

#include "codegen/common/Intrinsics.h"
#include "codegen/nvidia/Compile.h"

#include "llvm/IR/IRBuilder.h"

namespace bessemer::codegen::nvidia {

/// Thread attributes from special registers and the launch. Everything is
/// computed once, where the builder stands when this is made: the start of the
/// entry.
class Attributes {
public:
  Attributes(llvm::IRBuilderBase &builder, llvm::Value *launch,
             const Options &options);

  llvm::Value *get(Intrinsic id) const;
  /// The lanes of this simdgroup that exist.
  llvm::Value *entryMask();
  /// Whether the threadgroup has this thread; null if it always has.
  llvm::Value *exists() const { return isThread; }

private:
  using Axes = std::array<llvm::Value *, 3>;
  llvm::Value *launchWord(unsigned offset, unsigned axis, uint64_t least);
  llvm::Value *special(llvm::Intrinsic::ID first, unsigned axis);
  llvm::Value *product(const Axes &values);
  llvm::Value *linear(const Axes &position, const Axes &extent);
  llvm::Value *simdgroups(llvm::Value *threads);
  void readHardware();
  void cutOneRow();
  void renumber();

  llvm::IRBuilderBase &b;
  llvm::Value *launch;
  const Options &options;

  Axes group;    ///< threadgroup_position_in_grid
  Axes size;     ///< dispatch_threads_per_threadgroup
  Axes actual;   ///< threads_per_threadgroup
  Axes position; ///< thread_position_in_threadgroup
  Axes grid, groups;
  llvm::Value *index;   ///< thread_index_in_threadgroup
  llvm::Value *threads; ///< Of this threadgroup.
  llvm::Value *isThread = nullptr;
  llvm::Value *actualSimdgroups, *dispatchSimdgroups, *lane, *simdgroup;
};

} // namespace bessemer::codegen::nvidia

#endif // BESSEMER_CODEGEN_NVIDIA_ATTRIBUTES_H
