//===- Plan.h - A compiled function as a flat program -----------*- C++ -*-===//
//
// What the compiler half makes of one function of a model and the runtime half
// executes: integer registers for shapes, tensors with storage, and steps in
// order. Written and read as a versioned, bounds-checked flat file
// (Serialize.h). Includes neither LLVM nor MLIR.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_PLAN_PLAN_H
#define BESSEMER_PLAN_PLAN_H

#include "bessemer/reflection.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace bessemer::plan {

using Reg = uint32_t;      ///< An int64 register.
using TensorId = uint32_t; ///< Index into Plan::tensors.

/// Where a tensor's bytes live.
enum class Storage : uint8_t {
  Input,    ///< Bound by the caller; `index` = input number.
  Constant, ///< In Plan::constants at `offset`.
  File,     ///< In the program's file (main.mlirb) at `offset`.
  Arena,    ///< Allocated at its first use, freed after its last.
  Output,   ///< Allocated by the run, returned; `index` = output number.
  State,    ///< Bound by the caller and written; `index` = state number.
  Alias,    ///< The bytes of tensor `index` from element register `offsetReg`.
};

struct TensorInfo {
  DType dtype = DType::Invalid;
  std::vector<Reg> shape;   ///< Outermost first.
  std::vector<Reg> strides; ///< In elements; empty = dense.
  Storage storage = Storage::Arena;
  uint32_t index = 0;
  Reg offsetReg = 0;   ///< Aliases only: elements of this tensor's type.
  uint64_t offset = 0; ///< Bytes into Plan::constants or the file.
  uint64_t bytes = 0;  ///< Of these two only.
};

/// Integer arithmetic on registers. All registers are int64.
enum class ScalarOp : uint8_t {
  Constant, ///< dst = immediate
  Dim,      ///< dst = extent `immediate` (outermost first) of input `a`
  Add,
  Sub,
  Mul,
  FloorDiv, ///< Error "division by zero" if b = 0.
  CeilDiv,
  Mod,
  Min,
  Max,
  Read, ///< dst = element `immediate` of integer tensor `a` (after it is made)
};
struct ScalarStep {
  ScalarOp op = ScalarOp::Constant;
  Reg dst = 0;
  uint32_t a = 0, b = 0;
  int64_t immediate = 0;
};

/// Fails the run with `message` unless a == b (register comparison). Used for
/// shape constraints; "{a}" and "{b}" in the message are replaced.
struct RequireStep {
  enum class Relation : uint8_t { Equal, LessEqual } relation = Relation::Equal;
  Reg a = 0, b = 0;
  std::string message;
};

/// How one kernel argument is bound.
struct BufferArg { ///< Address and byte length of a dense or strided tensor.
  TensorId tensor = 0;
};
struct TensorArg { ///< A bsm_tensor descriptor of it (tensor_handle).
  TensorId tensor = 0;
};
struct ScalarArg { ///< Registers packed as int32 (`constant int *` / struct).
  std::vector<Reg> values;
};
struct BytesArg { ///< Literal bytes.
  std::vector<uint8_t> bytes;
};
using KernelArg = std::variant<BufferArg, TensorArg, ScalarArg, BytesArg>;

/// Runs kernel `kernel` of source `source`. Arguments in the order of
/// KernelInfo::arguments.
struct DispatchStep {
  uint32_t source = 0; ///< Index into Plan::sources.
  std::string kernel;
  std::vector<KernelArg> arguments;
  std::array<Reg, 3> threads{};   ///< Registers.
  std::array<Reg, 3> groupSize{}; ///< Registers.
  /// So many leading arguments are values of the program: a kernel that writes
  /// one of them gets a copy. The others are its results.
  uint32_t inputs = 0;
  /// The results are zeros before the kernel runs: it may leave parts of them.
  bool clearsResults = false;
  /// What the run says of a tensor subscript out of range, if not empty;
  /// {index}, {extent} and {axis} (outermost first) are replaced.
  std::string indexMessage;
};

/// C[b] = op(A[b]) * op(B[b]) over the batch dimensions (which broadcast);
/// accumulates in f32. `bias` is added to the last dimension if present.
struct GemmStep {
  TensorId a = 0, b = 0, c = 0;
  bool transposeA = false, transposeB = false;
  bool hasBias = false;
  TensorId bias = 0;
};

/// A convolution of dense tensors in channels-first layout; the vectors have
/// one entry for each spatial axis (two or three). What lies outside the input
/// is 0, so that the output's shape says how much padding is behind.
struct ConvolutionStep {
  TensorId input = 0, weight = 0, output = 0;
  int64_t groups = 1;
  std::vector<int64_t> strides, dilations, paddings;
};

/// Copies `from` (any strides) into dense `to` of the same shape and dtype.
struct CopyStep {
  TensorId from = 0, to = 0;
};

/// Runs one of two blocks (numbers in Plan::blocks).
struct IfStep {
  TensorId condition = 0; ///< One boolean.
  uint32_t thenBlock = 0, elseBlock = 0;
};

/// Runs `before`, which makes `condition` (one boolean), then `body`, and so on
/// while the condition is true.
struct WhileStep {
  TensorId condition = 0;
  uint32_t before = 0, body = 0;
};

using Step = std::variant<ScalarStep, RequireStep, DispatchStep, GemmStep,
                          CopyStep, IfStep, WhileStep, ConvolutionStep>;

/// From line `generated` of a source to the next place: lines of the user's
/// file, from `line` on. Without a file they were written by the converter.
struct SourcePlace {
  uint32_t generated = 0;
  std::string file; ///< No folders.
  uint32_t line = 0;
};

/// Metal source of one or more kernels and how to compile it.
struct KernelSource {
  std::string source;
  std::string fileName;            ///< For diagnostics.
  uint8_t math = 1;                ///< MathMode.
  std::string kernel;              ///< The user's name of its kernel, if known.
  std::vector<SourcePlace> places; ///< Ascending.
};

struct Port {
  std::string name;
  TensorId tensor = 0;
  std::vector<int64_t> shape; ///< -1 = dynamic.
};

struct Plan {
  std::string function;
  uint32_t registerCount = 0;
  std::vector<TensorInfo> tensors;
  std::vector<Port> inputs, outputs, states;
  std::vector<KernelSource> sources;
  std::vector<Step> steps;
  /// Steps of branches and loops. One step names each block.
  std::vector<std::vector<Step>> blocks;
  std::vector<uint8_t> constants; ///< 64-byte aligned blocks.
  uint64_t fileBytes = 0; ///< Of the program's file, if tensors lie in it.
};

} // namespace bessemer::plan

#endif // BESSEMER_PLAN_PLAN_H
