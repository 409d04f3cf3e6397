//===- Emitter.h - Creating coreai ops without crashing ---------*- C++ -*-===//
//
// The builders that MLIR generates abort if a result type cannot be inferred.
// An Emitter keeps the first error instead: from then on every value is null,
// and null operands give null results, so that lowerings need no checks.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CONVERT_EMITTER_H
#define BESSEMER_CONVERT_EMITTER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include <string>

namespace bessemer {

class Emitter {
public:
  Emitter(mlir::OpBuilder &builder, mlir::Location location)
      : builder(builder), location(location) {}

  /// Keeps the first message; returns a null value.
  mlir::Value fail(const llvm::Twine &message);
  bool hasFailed() const { return !message.empty(); }
  const std::string &error() const { return message; }

  /// `name` without "coreai."; the result type is inferred.
  mlir::Value op(llvm::StringRef name, mlir::ValueRange operands,
                 llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  /// The same with this result type where inference says less.
  mlir::Value opAs(mlir::RankedTensorType type, llvm::StringRef name,
                   mlir::ValueRange operands,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {});

  // Constants.
  mlir::Value constant(mlir::ElementsAttr value);
  mlir::Value si32(int64_t value);
  mlir::Value i1(bool value);
  mlir::Value si32Vector(llvm::ArrayRef<int64_t> values);
  mlir::Value ui32Vector(llvm::ArrayRef<int64_t> values);
  /// A rank-0 tensor. Fails if an integer does not fit `element`.
  mlir::Value number(double value, mlir::Type element);
  mlir::Value integer(int64_t value, mlir::Type element);

  /// The value itself if it has this element type already.
  mlir::Value cast(mlir::Value value, mlir::Type element);
  /// Static shapes only.
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> order);
  /// decomposable.broadcasting_<name>
  mlir::Value broadcasting(llvm::StringRef name, mlir::ValueRange operands);

  /// Extent `axis` as a tensor<si32>.
  mlir::Value extent(mlir::Value value, int64_t axis);
  /// Rank-0 integers joined to a tensor<Nxui32>.
  mlir::Value shapeVector(llvm::ArrayRef<mlir::Value> extents);

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLocation() const { return location; }

private:
  mlir::Value folded(mlir::Operation *created);
  mlir::Value vector(llvm::ArrayRef<int64_t> values, mlir::Type element);

  mlir::OpBuilder &builder;
  mlir::Location location;
  std::string message;
};

mlir::RankedTensorType tensorType(mlir::Value value);
mlir::Type elementOf(mlir::Value value);

} // namespace bessemer

#endif // BESSEMER_CONVERT_EMITTER_H
