//===- Program.h - A module of the coreai dialects --------------*- C++ -*-===//
//
// The MLIR side of the program_* functions of bessemer/abi/compiler.h. Types,
// attributes and locations come in as text; every error comes back as a Status
// with the place in that text, in the user's file, or the operation.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_IR_PROGRAM_H
#define BESSEMER_IR_PROGRAM_H

#include "bessemer/dimension.h"
#include "bessemer/reflection.h"
#include "bessemer/result.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace bessemer {

namespace coreai {
class GraphOp;
} // namespace coreai

/// One program. Not thread-safe: a context serves one thread at a time.
class IRProgram {
public:
  static Result<std::unique_ptr<IRProgram>> create();
  static Result<std::unique_ptr<IRProgram>> parse(std::string_view text);
  /// If `owner` keeps `bytes` alive and they are aligned (a mapped file is),
  /// weights stay where they are; else the bytes are copied once.
  static Result<std::unique_ptr<IRProgram>>
  fromBytecode(std::string_view bytes,
               std::shared_ptr<const void> owner = nullptr);

  mlir::MLIRContext &context() { return *mlirContext; }
  mlir::ModuleOp module() { return *mlirModule; }
  /// The graph of that name; an error lists what there is.
  Result<coreai::GraphOp> graph(std::string_view name);

  /// An empty graph; returns its body. `types` and `names` match.
  Result<mlir::Block *> addGraph(std::string_view name,
                                 const std::vector<std::string_view> &names,
                                 const std::vector<std::string_view> &types);
  /// Null if there is no such argument.
  mlir::Value input(mlir::Block *block, unsigned index);
  Status setOutputs(mlir::Block *block, const std::vector<mlir::Value> &values,
                    const std::vector<std::string_view> &names);

  /// Appends an operation. `resultTypes` may be empty if the operation infers
  /// them. An operation without regions is verified at once.
  Result<mlir::Operation *>
  createOp(mlir::Block *block, std::string_view name,
           const std::vector<mlir::Value> &operands,
           const std::vector<std::string_view> &resultTypes,
           std::string_view attributes, std::string_view location,
           unsigned regions);
  /// Null if there is no such result.
  mlir::Value result(mlir::Operation *operation, unsigned index);
  /// The entry block of a region; null if there is no such region.
  mlir::Block *region(mlir::Operation *operation, unsigned index);
  Result<mlir::Value> addArgument(mlir::Block *block, std::string_view type);
  std::string typeOf(mlir::Value value);

  /// What the dynamic extents of a graph's inputs may be.
  Status setDimensions(std::string_view graph,
                       const std::vector<GraphDimension> &dimensions);
  Result<std::vector<GraphDimension>> dimensions(std::string_view graph);

  /// Fewer than 256 elements, or all equal: inline; else a resource.
  Result<mlir::Value> constant(mlir::Block *block, DType dtype,
                               const std::vector<int64_t> &shape,
                               const void *data, size_t bytes);

  Status verify();
  std::string print();
  /// The same program gives the same bytes, in any process.
  Result<std::string> bytecode();
  /// The entry points as JSON; program_functions of abi/compiler.h has the
  /// form.
  std::string functionsJson();
  /// Where the data lie in the bytecode that the program was read from; none
  /// if they lie elsewhere.
  std::optional<uint64_t> bytecodeOffset(llvm::ArrayRef<char> data) const;
  uint64_t bytecodeSize() const { return bytecodeRead.size(); }

private:
  IRProgram();

  /// The resource that holds these bytes.
  mlir::DenseResourceElementsHandle resource(llvm::ArrayRef<char> bytes);
  Status parseInto(std::string_view text);
  Status readInto(std::string_view bytes);

  std::shared_ptr<const void> bytesOwner; ///< Outlives the resources.
  std::string_view bytecodeRead;          ///< Empty if made otherwise.
  std::unique_ptr<mlir::MLIRContext> mlirContext;
  mlir::OwningOpRef<mlir::ModuleOp> mlirModule;
  /// By the hash of their bytes: equal weights are stored once.
  std::multimap<uint64_t, mlir::DenseResourceElementsHandle> resources;
};

} // namespace bessemer

#endif // BESSEMER_IR_PROGRAM_H
