//===- Call.h - One torch.call while it is lowered --------------*- C++ -*-===//
#ifndef BESSEMER_CONVERT_TORCH_CALL_H
#define BESSEMER_CONVERT_TORCH_CALL_H

#include "convert/Emitter.h"
#include "ir/dialect/Torch.h"

namespace bessemer {

/// The arguments of a torch.call by their place in the schema, and an emitter
/// for what replaces it. A wrong argument fails the emitter, never crashes.
class Call : public Emitter {
public:
  Call(torch::CallOp op, mlir::OpBuilder &builder)
      : Emitter(builder, op.getLoc()), call(op) {}

  llvm::StringRef target() { return call.getTarget(); }
  unsigned argumentCount();

  /// No such argument (older schemas), or None.
  bool isNone(unsigned index);
  /// A Python number, not a tensor.
  bool isNumber(unsigned index);
  bool isFloat(unsigned index);
  bool isBoolean(unsigned index);
  /// A tensor or symbolic integer.
  mlir::Value tensor(unsigned index);
  int64_t integer(unsigned index, std::optional<int64_t> otherwise = {});
  double number(unsigned index, std::optional<double> otherwise = {});
  bool boolean(unsigned index, std::optional<bool> otherwise = {});
  llvm::StringRef string(unsigned index, llvm::StringRef otherwise = "");
  /// A list of ints known now; a single int counts as a list.
  llvm::SmallVector<int64_t> integers(unsigned index);
  /// Axes of a tensor of this rank, each in [0, rank).
  llvm::SmallVector<int64_t> axes(unsigned index, int64_t rank);
  int64_t axis(unsigned index, int64_t rank);
  /// A list of ints, each a constant or symbolic, as tensor<si32>.
  llvm::SmallVector<mlir::Value> extents(unsigned index);
  llvm::SmallVector<mlir::Value> tensors(unsigned index);
  /// The same with null for None.
  llvm::SmallVector<mlir::Value> optionalTensors(unsigned index);
  /// A tensor, or a number as a rank-0 constant, cast to `element`.
  mlir::Value value(unsigned index, mlir::Type element);
  /// An int as a tensor<si32>.
  mlir::Value extent(unsigned index);
  using Emitter::extent;
  using Emitter::integer;
  using Emitter::number;

  unsigned resultCount() { return call.getNumResults(); }
  bool isResultUsed(unsigned index) {
    return index < call.getNumResults() && !call.getResult(index).use_empty();
  }
  mlir::RankedTensorType resultType(unsigned index = 0);
  mlir::Type resultElement(unsigned index = 0);

  /// `value` with the declared shape of result 0.
  mlir::Value reshapeToResult(mlir::Value value);
  /// Replaces the call; checks element type and shape against the declaration.
  void replace(mlir::ValueRange values);

private:
  mlir::Attribute argument(unsigned index);
  mlir::Value operand(mlir::Attribute reference, unsigned index);
  mlir::Value extentFrom(mlir::Attribute entry, unsigned index);
  void wrongKind(unsigned index, llvm::StringRef expected);
  int64_t normalise(int64_t axis, int64_t rank);

  torch::CallOp call;
};

} // namespace bessemer

#endif // BESSEMER_CONVERT_TORCH_CALL_H
