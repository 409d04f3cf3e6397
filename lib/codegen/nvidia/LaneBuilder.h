//===- LaneBuilder.h - Operations over the lanes of a warp ------*- C++ -*-===//
//
// Code for one cross-lane operation at a time. Reductions and scans have a
// straight form for 32 active lanes and one for any others, chosen by a branch
// unless the mask is known.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CODEGEN_NVIDIA_LANEBUILDER_H
#define BESSEMER_CODEGEN_NVIDIA_LANEBUILDER_H

#include "llvm/IR/IRBuilder.h"

namespace bessemer::codegen::nvidia {

/// An associative operation of a reduction or a scan on one type.
struct LaneOperation {
  enum Kind { Sum, Product, Min, Max, And, Or, Xor } kind;
  bool isSigned;
  llvm::Type *type; ///< float, i32 or i64.

  /// From "bsm.simd_<operation>.<type>" or "bsm.simd_prefix_...".
  static LaneOperation of(llvm::StringRef name, llvm::Type *type);

  llvm::Value *apply(llvm::IRBuilderBase &b, llvm::Value *x,
                     llvm::Value *y) const;
  /// What an inactive lane holds.
  llvm::Constant *identity() const;
  /// What an exclusive scan gives the first active lane.
  llvm::Constant *start() const;
};

class LaneBuilder {
public:
  /// `active`: the lanes that take part. `members`: what the instructions name;
  /// it may hold lanes that have returned. Code goes before `position`.
  LaneBuilder(llvm::Instruction *position, llvm::Value *active,
              llvm::Value *members)
      : b(position), active(active), members(members) {}

  /// The value of lane `lane` (0..31).
  llvm::Value *shuffle(llvm::Value *value, llvm::Value *lane);
  llvm::Value *ballot(llvm::Value *predicate);
  void barrier();
  llvm::Value *reduce(const LaneOperation &operation, llvm::Value *value);
  llvm::Value *scan(const LaneOperation &operation, llvm::Value *value,
                    bool inclusive);

private:
  using Form = llvm::function_ref<llvm::Value *()>;
  /// `full` if all lanes are active, else `partial`.
  llvm::Value *choose(Form full, Form partial);
  llvm::Value *lane();
  llvm::Value *exchange(llvm::Intrinsic::ID id, llvm::Value *value,
                        llvm::Value *operand, unsigned clamp);
  llvm::Value *redux(const LaneOperation &operation, llvm::Value *value);
  llvm::Value *reduceFull(const LaneOperation &operation, llvm::Value *value);
  llvm::Value *reducePartial(const LaneOperation &operation,
                             llvm::Value *value);
  llvm::Value *scanFull(const LaneOperation &operation, llvm::Value *value,
                        bool inclusive);
  llvm::Value *scanPartial(const LaneOperation &operation, llvm::Value *value,
                           bool inclusive);

  llvm::IRBuilder<> b;
  llvm::Value *active;
  llvm::Value *members;
};

} // namespace bessemer::codegen::nvidia

#endif // BESSEMER_CODEGEN_NVIDIA_LANEBUILDER_H
