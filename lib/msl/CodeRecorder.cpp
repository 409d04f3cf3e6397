//===- CodeRecorder.cpp - Code generation after the whole source ----------===//
#include "msl/CodeRecorder.h"

#include "msl/CompilerThread.h"
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
    if (generator)
      generate(decl);
    else
      recorded.push_back({decl, Recorded::TopLevel});
  return true;
}

void CodeRecorder::HandleInlineFunctionDefinition(FunctionDecl *function) {
  if (generator)
    generator->HandleInlineFunctionDefinition(function);
  else
    recorded.push_back({function, Recorded::Inline});
}

void CodeRecorder::HandleCXXStaticMemberVarInstantiation(VarDecl *variable) {
  if (generator)
    generator->HandleCXXStaticMemberVarInstantiation(variable);
  else
    recorded.push_back({variable, Recorded::StaticMember});
}

void CodeRecorder::generate(Decl *decl) {
  if (isa<NamespaceDecl, LinkageSpecDecl>(decl)) {
    for (Decl *inner : cast<DeclContext>(decl)->decls())
      generate(inner);
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

void CodeRecorder::HandleTranslationUnit(ASTContext &ast) {
  bool isWanted =
      !request.only.empty() || reflected.kernels.size() <= request.mostKernels;
  if (!isWanted || compiler.getDiagnostics().hasErrorOccurred())
    return;
  std::unique_ptr<CodeGenerator> owned =
      CreateLLVMCodeGen(compiler, "kernels", context);
  generator = owned.get();
  owned->Initialize(ast);
  for (size_t i = 0; i < recorded.size(); ++i) {
    Recorded entry = recorded[i];
    if (entry.kind == Recorded::TopLevel)
      generate(entry.decl);
    else if (entry.kind == Recorded::Inline)
      owned->HandleInlineFunctionDefinition(cast<FunctionDecl>(entry.decl));
    else
      owned->HandleCXXStaticMemberVarInstantiation(cast<VarDecl>(entry.decl));
  }
  owned->HandleTranslationUnit(ast);
  generator = nullptr;
  if (!compiler.getDiagnostics().hasErrorOccurred())
    module = owned->ReleaseModule();
}
