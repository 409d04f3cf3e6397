//===- Reflection.h - Kernels and function constants of an AST --*- C++ -*-===//
#ifndef BESSEMER_MSL_REFLECTION_H
#define BESSEMER_MSL_REFLECTION_H

#include "bessemer/reflection.h"
#include "msl/Attributes.h"
#include "msl/Compile.h"

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
  clang::FunctionDecl *declaration = nullptr;
  bool hasCode = false; ///< Whether its code is wanted.
  KernelInfo info;
  std::string function; ///< Clang's symbol.
  std::vector<KernelParameter> parameters;
  std::vector<std::string> missingConstants; ///< See UndefinedConstants.h.
};

/// A variable of program scope with a thread attribute.
struct AttributeVariable {
  std::string symbol; ///< Clang's.
  KernelParameter value;
};

struct ReflectedSource {
  std::vector<KernelRecord> kernels;
  std::vector<FunctionConstant> functionConstants;
  std::vector<AttributeVariable> attributeVariables;
  /// Function constants that the host gave no value.
  std::vector<clang::VarDecl *> undefinedConstants;
  /// Constants of program scope with an initialiser, behind the first of those.
  std::vector<clang::VarDecl *> computedConstants;
  /// Kernels for which no code is wanted; `bool hasCode` of the others is set.
  llvm::DenseSet<const clang::Decl *> withoutCode;
};

/// Fills in `reflected` from the declarations of a compilation, reports what is
/// wrong with kernels, and instantiates the first `mostKernels` of them. Runs
/// before code generation.
std::unique_ptr<clang::ASTConsumer>
createReflector(clang::CompilerInstance &compiler, AttributeTable &attributes,
                size_t mostKernels, ReflectedSource &reflected);

/// Wants the code of this kernel and of no other, once the source is read.
void wantOnly(KernelRecord &kernel, clang::CompilerInstance &compiler,
              AttributeTable &attributes, ReflectedSource &reflected);

} // namespace bessemer::msl

#endif // BESSEMER_MSL_REFLECTION_H
