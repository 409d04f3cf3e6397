//===- CodeRecorder.h - Code generation after the whole source --*- C++ -*-===//
#ifndef BESSEMER_MSL_CODERECORDER_H
#define BESSEMER_MSL_CODERECORDER_H

#include "msl/Reflection.h"

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace bessemer::msl {

/// Keeps the declarations of a source until it is known which kernels' code is
/// wanted, and then has Clang generate it: what nothing wants costs nothing.
class CodeRecorder : public clang::ASTConsumer {
public:
  CodeRecorder(clang::CompilerInstance &compiler, llvm::LLVMContext &context,
               const CodeRequest &request, const ReflectedSource &reflected,
               std::unique_ptr<llvm::Module> &module)
      : compiler(compiler), context(context), request(request),
        reflected(reflected), module(module) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override;
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *variable) override;
  void HandleTranslationUnit(clang::ASTContext &ast) override;

private:
  void generate(clang::Decl *decl);

  clang::CompilerInstance &compiler;
  llvm::LLVMContext &context;
  const CodeRequest &request;
  const ReflectedSource &reflected;
  std::unique_ptr<llvm::Module> &module; ///< The result.

  /// A declaration and the callback it came through.
  struct Recorded {
    clang::Decl *decl;
    enum Kind : uint8_t { TopLevel, Inline, StaticMember } kind;
  };
  std::vector<Recorded> recorded;
  /// While code is generated: declarations that Clang loads for it go there.
  clang::ASTConsumer *generator = nullptr;
};

} // namespace bessemer::msl

#endif // BESSEMER_MSL_CODERECORDER_H
