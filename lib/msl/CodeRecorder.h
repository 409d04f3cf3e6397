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

/// Keeps the declarations of a source, so that Clang generates the code of the
/// kernels that are wanted, when they are: what nothing wants costs nothing.
class CodeRecorder : public clang::ASTConsumer {
public:
  CodeRecorder(clang::CompilerInstance &compiler,
               const ReflectedSource &reflected)
      : compiler(compiler), reflected(reflected) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override;
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *variable) override;

  /// The code of all functions but those that are to be without. Null after
  /// errors. Can be called again when other kernels are wanted.
  std::unique_ptr<llvm::Module> generate(llvm::LLVMContext &context);

private:
  /// A declaration and the callback it came through.
  struct Recorded {
    clang::Decl *decl;
    enum Kind : uint8_t { TopLevel, Inline, StaticMember } kind;
  };
  void add(Recorded entry);
  void generate(Recorded entry);
  void generateTopLevel(clang::Decl *decl);

  clang::CompilerInstance &compiler;
  const ReflectedSource &reflected;
  std::vector<Recorded> recorded;
  /// While code is generated: declarations that Clang loads for it go there.
  clang::ASTConsumer *generator = nullptr;
};

} // namespace bessemer::msl

#endif // BESSEMER_MSL_CODERECORDER_H
