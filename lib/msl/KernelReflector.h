//===- KernelReflector.h - One kernel function to its record ----*- C++ -*-===//
#ifndef BESSEMER_MSL_KERNELREFLECTOR_H
#define BESSEMER_MSL_KERNELREFLECTOR_H

#include "msl/Reflection.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallBitVector.h"

#include <optional>

namespace clang {
class Expr;
class Sema;
} // namespace clang

namespace bessemer::msl {

/// The thread attribute of a parameter or program-scope variable; reports a
/// type it cannot have.
std::optional<KernelParameter>
threadParameter(clang::ASTContext &context, const clang::VarDecl &variable,
                const AppliedAttribute &attribute);

/// Builds the record of one kernel and reports what is wrong with it.
class KernelReflector {
public:
  KernelReflector(clang::Sema &sema, const AttributeTable &attributes,
                  clang::FunctionDecl &function);

  /// Whether `function` is a kernel that exists in the library.
  static bool isKernel(const AttributeTable &attributes,
                       const clang::FunctionDecl &function);

  KernelRecord reflect();

private:
  template <unsigned size>
  clang::DiagnosticBuilder error(clang::SourceLocation location,
                                 const char (&format)[size]) const;
  const AppliedAttribute *functionAttribute(AttributeKind kind) const;
  llvm::ArrayRef<AppliedAttribute> parameterAttributes(unsigned i) const;
  const clang::Expr *operand(const AppliedAttribute &attribute) const;
  std::optional<uint64_t> integer(const AppliedAttribute &attribute) const;
  std::string hostName() const;

  void reflectParameter(unsigned i);
  bool describePointee(const clang::ParmVarDecl &parameter,
                       Argument &argument) const;
  void describeElement(clang::QualType element, Argument &argument) const;
  bool switchedOff(llvm::ArrayRef<AppliedAttribute> attributes) const;
  void addArgument(const clang::ParmVarDecl &parameter, Argument argument,
                   llvm::ArrayRef<AppliedAttribute> attributes);
  void assignIndices();

  clang::Sema &sema;
  clang::ASTContext &context;
  const AttributeTable &attributes;
  clang::FunctionDecl &function;
  KernelRecord record;
  std::vector<bool> hasIndex; ///< Per argument: written in the source.
  llvm::SmallBitVector usedBuffers{32}, usedThreadgroup{32};
};

} // namespace bessemer::msl

#endif // BESSEMER_MSL_KERNELREFLECTOR_H
