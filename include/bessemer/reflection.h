//===- reflection.h - What a kernel looks like from outside -----*- C++ -*-===//
//
// The side table the front end makes for every library: kernels, arguments,
// thread attributes, threadgroup memory, function constants. It travels with
// the compiled code (as JSON), never as IR metadata.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_REFLECTION_H
#define BESSEMER_REFLECTION_H

#include "bessemer/export.h"
#include "bessemer/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bessemer {

/// Element types as Metal names them; the enumerators' order is part of the
/// serialised formats (append only).
enum class DType : uint8_t {
  Invalid,
  Bool,
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  F16,
  BF16,
  F32,
  F64, ///< Graph values only; Metal has no double.
};

/// Bytes of one element; 0 for Invalid.
BESSEMER_API unsigned dtypeSize(DType type);
/// "float32", "bfloat16", "int8", "bool" ... (NumPy's spelling).
BESSEMER_API std::string_view dtypeName(DType type);
/// "float", "bfloat", "int8_t" -> "char", ... (Metal's spelling).
BESSEMER_API std::string_view dtypeMetalName(DType type);
/// Inverse of dtypeName; Invalid for an unknown name.
BESSEMER_API DType dtypeFromName(std::string_view name);

enum class ArgumentKind : uint8_t {
  Buffer,            ///< device or constant pointer or reference [[buffer(n)]].
  Tensor,            ///< tensor<...> handle [[buffer(n)]]; a descriptor.
  ThreadgroupMemory, ///< threadgroup pointer [[threadgroup(n)]].
};

enum class AddressSpace : uint8_t {
  Thread = 0,
  Device = 1,
  Threadgroup = 3,
  Constant = 4,
};

enum class Access : uint8_t { Read, Write, ReadWrite };

/// "buffer", "tensor", "threadgroup memory".
BESSEMER_API std::string_view spellingOf(ArgumentKind kind);
/// "thread", "device", "threadgroup", "constant".
BESSEMER_API std::string_view spellingOf(AddressSpace space);
/// "read", "write", "read-write".
BESSEMER_API std::string_view spellingOf(Access access);

struct SourceLocation {
  std::string file;
  unsigned line = 0;   ///< 1-based; 0 = unknown.
  unsigned column = 0; ///< 1-based byte column; 0 = unknown.
};

/// One argument of a kernel, in the order of the parameters of the kernel IR
/// function: argument i is IR parameter i. Thread attributes are not
/// arguments: the front end replaces them by bsm.* calls.
struct Argument {
  std::string name;
  ArgumentKind kind = ArgumentKind::Buffer;
  AddressSpace space = AddressSpace::Device;
  unsigned index = 0; ///< Buffer or threadgroup index, 0..30.
  Access access = Access::ReadWrite;
  std::string typeName;           ///< As the user wrote it, "float4", "Params".
  DType element = DType::Invalid; ///< Scalar of scalar/vector element types.
  unsigned vectorWidth = 1;       ///< 2..4 for vectors.
  unsigned elementSize = 0;       ///< Bytes of the pointee; 0 = opaque.
  unsigned alignment = 1;         ///< Bytes.
  bool isReference = false;       ///< `constant T &`: exactly one element.
  unsigned rank = 0;              ///< Tensors only.
  SourceLocation location;
};

struct FunctionConstant {
  std::string name;
  unsigned index = 0;
  DType type = DType::Invalid;
  unsigned vectorWidth = 1;
};

struct KernelInfo {
  std::string name;   ///< Host name; also the symbol in kernel IR.
  std::string symbol; ///< Symbol of the kernel IR function.
  std::vector<Argument> arguments;
  unsigned maxThreadsPerThreadgroup = 1024;
  unsigned threadExecutionWidth = 32;
  unsigned staticThreadgroupMemory = 0; ///< Bytes.
  bool usesBarrier = false;
  bool usesSimdgroup = false; ///< Lane or simdgroup indices or simd functions.
  SourceLocation location;
};

struct BESSEMER_API Reflection {
  static constexpr unsigned version = 2;
  std::vector<KernelInfo> kernels; ///< In source order.
  std::vector<FunctionConstant> functionConstants;

  const KernelInfo *find(std::string_view kernel) const;
};

BESSEMER_API std::string toJson(const Reflection &reflection);
BESSEMER_API Result<Reflection> reflectionFromJson(std::string_view json);

/// One message of the front end. Lines and columns are the user's own.
struct Diagnostic {
  enum class Severity : uint8_t { Error, Warning, Note };
  Severity severity = Severity::Error;
  std::string message;
  SourceLocation location;
  /// The user's line, without newline; of a very long one, what stands around
  /// the location, from `firstColumn` on.
  std::string sourceLine;
  std::array<unsigned, 2> range{0, 0}; ///< Columns [first, last], 0 = none.
  std::vector<std::string> fixIts;
  unsigned firstColumn = 1; ///< Of sourceLine.
};

/// `file:line:col: error: message`, the source line and a caret.
BESSEMER_API std::string toString(const Diagnostic &diagnostic);
BESSEMER_API std::string toJson(const std::vector<Diagnostic> &diagnostics);
BESSEMER_API Result<std::vector<Diagnostic>>
diagnosticsFromJson(std::string_view json);

} // namespace bessemer

#endif // BESSEMER_REFLECTION_H
