//===- Reflection.h - Kernels and function constants of an AST --*- C++ -*-===//
#ifndef BESSEMER_MSL_REFLECTION_H
#define BESSEMER_MSL_REFLECTION_H

#include "bessemer/reflection.h"
#include "msl/Attributes.h"

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace bessemer::msl {

/// Where one parameter of the source's kernel function comes from.
struct KernelParameter {
  enum class Kind : uint8_t {
    Thread,   ///< Computed: `attribute`, `components` integers of `bits`.
    Argument, ///< An argument of the kernel, passed as it is.
    Tensor,   ///< An argument: a tensor object around the descriptor.
    Absent,   ///< Switched off by a function constant: null.
  };
  Kind kind = Kind::Argument;
  const ThreadAttribute *attribute = nullptr;
  unsigned components = 1;
  unsigned bits = 32;
  bool isVector = false; ///< A class in memory rather than an IR integer.
};

/// What code generation needs beside the reflection.
struct KernelRecord {
  KernelInfo info;
  std::string function; ///< Clang's symbol.
  std::vector<KernelParameter> parameters;
};

struct ReflectedSource {
  std::vector<KernelRecord> kernels;
  std::vector<FunctionConstant> functionConstants;
};

/// Fills in `reflected` from the declarations of a compilation and reports
/// what is wrong with kernels. Runs before code generation.
std::unique_ptr<clang::ASTConsumer>
createReflector(clang::CompilerInstance &compiler, AttributeTable &attributes,
                ReflectedSource &reflected);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_REFLECTION_H
