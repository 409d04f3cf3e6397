//===- program.h - Building coreai programs ---------------------*- C++ -*-===//
//
// Programs of the coreai and coreaix dialects (and the generic torch.call op)
// without an MLIR header. Types and attributes are given in MLIR's text form.
// All handles belong to their Program and die with it.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_PROGRAM_H
#define BESSEMER_PROGRAM_H

#include "bessemer/compiler.h"
#include "bessemer/dimension.h"
#include "bessemer/tensor.h"

#include <filesystem>

namespace bessemer {

struct Value {
  void *opaque = nullptr;
};
struct Block {
  void *opaque = nullptr;
};
struct Operation {
  void *opaque = nullptr;
};

struct GraphInput {
  std::string name;
  std::string type; ///< "tensor<?x4xf32>"
};

/// What save_asset writes beside the program.
struct AssetMetadata {
  std::string author, license, description;
  std::map<std::string, std::string> creatorDefined;
  /// Seconds since the epoch; 0 = SOURCE_DATE_EPOCH if set, else now.
  int64_t creationDate = 0;
};

class BESSEMER_API Program {
public:
  static Result<Program> create();
  static Result<Program> parse(std::string_view text);
  static Result<Program> load(const std::filesystem::path &asset);

  /// A `coreai.graph @name` with these inputs; returns its body.
  Result<Block> addGraph(std::string_view name,
                         const std::vector<GraphInput> &inputs);
  Value input(Block graph, unsigned index) const;
  /// Terminates the graph: `coreai.output`, with result names.
  Status setOutputs(Block graph, const std::vector<Value> &values,
                    const std::vector<std::string> &names);

  /// Appends one operation. `attributes` is a dictionary as text ("{a = 1}").
  /// `location` is "file:line", MLIR's text of one ("loc(...)") or empty.
  Result<Operation> create(Block block, std::string_view name,
                           const std::vector<Value> &operands,
                           const std::vector<std::string> &resultTypes,
                           std::string_view attributes = "{}",
                           std::string_view location = "",
                           unsigned regions = 0);
  Value result(Operation operation, unsigned index) const;
  Block region(Operation operation, unsigned index) const;
  /// Appends an argument to a region's block.
  Result<Value> addArgument(Block block, std::string_view type);
  /// What the dynamic extents of a graph's inputs may be; checked by its runs.
  Status setDimensions(std::string_view graph,
                       const std::vector<GraphDimension> &dimensions);
  std::string typeOf(Value value) const;

  /// A dense constant; the bytes are copied. Large ones become resources.
  Result<Value> constant(Block block, DType type,
                         const std::vector<int64_t> &shape, const void *data,
                         size_t bytes);

  /// Whether lowerTorch knows a target ("aten.relu.default").
  static Result<bool> hasTorchLowering(std::string_view target);

  /// Lowers every `torch.call` to coreai ops and canonicalises. An Error names
  /// the ATen op and its location.
  Status lowerTorch();
  Status verify() const;
  std::string print() const;

  /// Compiles every kernel of the program; the diagnostics of those that fail.
  std::vector<CompileFailure> checkKernels() const;

  /// Writes NAME.aimodel atomically (a directory with metadata.json,
  /// main.mlirb, main.hash).
  Status save(const std::filesystem::path &path,
              const AssetMetadata &metadata) const;

  struct Impl;
  explicit Program(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}
  const std::shared_ptr<Impl> &handle() const { return impl; }

private:
  std::shared_ptr<Impl> impl;
};

} // namespace bessemer

#endif // BESSEMER_PROGRAM_H
