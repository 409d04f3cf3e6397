//===- AccessGroups.h - Neighbouring strided accesses -----------*- C++ -*-===//
//
// A thread that reads or writes k neighbours makes k accesses of stride k over
// the lanes. Together they cover memory without gaps, so they are k wide
// accesses and shuffles instead of k gathers or scatters. Where addresses are
// known within segments of lanes only (Shape.h), each segment has its own; then
// one access alone may be a group.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_CPU_SHAPES_ACCESSGROUPS_H
#define BESSEMER_CODEGEN_CPU_SHAPES_ACCESSGROUPS_H

#include "codegen/cpu/4_shapes/ShapeAnalysis.h"

namespace bessemer::codegen::cpu {

struct AccessGroup {
  struct Member {
    llvm::Instruction *access;
    int64_t offset; ///< From a common address, in bytes.
  };
  std::vector<Member> members; ///< In program order.
  int64_t first = 0;           ///< The least offset.
  int64_t stride = 0;          ///< Bytes from a lane to the next.
  unsigned size = 0;           ///< Of one element, in bytes.
  unsigned segment = 0;        ///< Lanes at such a stride; all of a part if 0.

  unsigned elements() const { return stride / size; }
  /// Which element of the stride an access touches.
  unsigned elementOf(const llvm::Instruction *access) const;
};

class AccessGroups {
public:
  AccessGroups(llvm::Function &region, const RegionOptions &options,
               const ShapeAnalysis &shapes);

  /// The group of a load or store; null if it is alone.
  const AccessGroup *of(const llvm::Instruction *access) const;

private:
  void scan(llvm::BasicBlock &block, bool stores);

  const RegionOptions &options;
  const ShapeAnalysis &shapes;
  std::vector<AccessGroup> groups;
  llvm::DenseMap<const llvm::Instruction *, unsigned> membership;
};

} // namespace bessemer::codegen::cpu

#endif // BESSEMER_CODEGEN_CPU_SHAPES_ACCESSGROUPS_H
