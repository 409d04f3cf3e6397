//===- Library.cpp - The records that the runtime reads -------------------===//

#include "bessemer/abi/launch.h"
#include "codegen/cpu/7_object/Driver.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

namespace {

GlobalVariable *constant(Module &module, Constant *value, const Twine &name) {
  return new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                            GlobalValue::InternalLinkage, value, name);
}

} // namespace

void emitLibrary(Module &module, const KernelRecord &record) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context);
  auto word = [&](uint32_t value) { return ConstantInt::get(i32, value); };
  auto *name = constant(
      module, ConstantDataArray::getString(context, record.name), "bsm.name");
  Constant *group = ConstantArray::get(
      ArrayType::get(i32, 3),
      {word(record.group[0]), word(record.group[1]), word(record.group[2])});
  auto *kernel = constant(
      module,
      ConstantStruct::getAnon(
          {name, record.run, group, word(record.threadgroupBytes),
           ConstantInt::get(Type::getInt64Ty(context), record.contextBytes)}),
      "bsm.kernel");
  auto *library = constant(module,
                           ConstantStruct::getAnon({word(BSM_LIBRARY_MAGIC),
                                                    word(BSM_LAUNCH_VERSION),
                                                    word(1), word(0), kernel}),
                           "bsm_library");
  library->setLinkage(GlobalValue::ExternalLinkage);
  library->setAlignment(Align(8));
}

} // namespace bessemer::codegen::cpu
