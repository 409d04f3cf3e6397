//===- CodeRecorder.cpp - Code generation after the whole source ----------===//
#include "msl/CodeRecorder.h"

#include "msl/CompilerThread.h"
#include "msl/IntegerOperands.h"
#include "support/Cancellation.h"

#include "clang/AST/DeclCXX.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/IR/Module.h"

using namespace bessemer;
using namespace bessemer::msl;
using namespace clang;

bool CodeRecorder::HandleTopLevelDecl(DeclGroupRef group) {
  for (Decl *decl : group)
    add({decl, Recorded::TopLevel});
  return true;
}

void CodeRecorder::HandleInlineFunctionDefinition(FunctionDecl *function) {
  add({function, Recorded::Inline});
}

void CodeRecorder::HandleCXXStaticMemberVarInstantiation(VarDecl *variable) {
  add({variable, Recorded::StaticMember});
}

void CodeRecorder::add(Recorded entry) {
  recorded.push_back(entry);
  if (!generator)
    return;
  defineIntegerOperands(compiler.getASTContext(), entry.decl);
  generate(entry);
}

void CodeRecorder::generate(Recorded entry) {
  if (entry.kind == Recorded::TopLevel)
    generateTopLevel(entry.decl);
  else if (entry.kind == Recorded::Inline)
    generator->HandleInlineFunctionDefinition(cast<FunctionDecl>(entry.decl));
  else
    generator->HandleCXXStaticMemberVarInstantiation(cast<VarDecl>(entry.decl));
}

void CodeRecorder::generateTopLevel(Decl *decl) {
  if (isa<NamespaceDecl, LinkageSpecDecl>(decl)) {
    for (Decl *inner : cast<DeclContext>(decl)->decls())
      generateTopLevel(inner);
    return;
  }
  if (auto *function = dyn_cast<FunctionDecl>(decl))
    if (reflected.withoutCode.contains(function->getCanonicalDecl()))
      return;
  if (isCancelled())
    return;
  noteLine(compiler.getSourceManager().getPresumedLineNumber(
      compiler.getSourceManager().getFileLoc(decl->getLocation())));
  generator->HandleTopLevelDecl(DeclGroupRef(decl));
}

std::unique_ptr<llvm::Module>
CodeRecorder::generate(llvm::LLVMContext &context) {
  if (compiler.getDiagnostics().hasErrorOccurred())
    return nullptr;
  std::unique_ptr<CodeGenerator> owned =
      CreateLLVMCodeGen(compiler, "kernels", context);
  // Before the first constant is evaluated.
  for (const Recorded &entry : recorded)
    defineIntegerOperands(compiler.getASTContext(), entry.decl);
  generator = owned.get();
  owned->Initialize(compiler.getASTContext());
  // What is added meanwhile is generated at once.
  for (size_t i = 0, count = recorded.size(); i < count; ++i)
    generate(recorded[i]);
  owned->HandleTranslationUnit(compiler.getASTContext());
  generator = nullptr;
  if (compiler.getDiagnostics().hasErrorOccurred())
    return nullptr;
  return std::unique_ptr<llvm::Module>(owned->ReleaseModule());
}
