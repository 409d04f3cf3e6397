//===- ProgramFunctions.cpp - The entry points of a program ---------------===//
#include "ir/ElementTypes.h"
#include "ir/Program.h"
#include "ir/dialect/CoreAI.h"

#include "llvm/Support/JSON.h"

using namespace bessemer;
using namespace mlir;

static void describe(llvm::json::OStream &json, StringRef name,
                     RankedTensorType type) {
  json.object([&] {
    json.attribute("name", llvm::json::fixUTF8(name));
    std::string_view dtype = dtypeName(dtypeOf(type.getElementType()));
    json.attribute("dtype", StringRef(dtype.data(), dtype.size()));
    json.attributeArray("shape", [&] {
      for (int64_t extent : type.getShape())
        json.value(ShapedType::isDynamic(extent) ? -1 : extent);
    });
  });
}

/// The tensors among the types; with `states`, what the handles hold instead.
static void describeAll(llvm::json::OStream &json, ArrayRef<Type> types,
                        bool states, function_ref<StringRef(unsigned)> nameOf) {
  for (auto [i, type] : llvm::enumerate(types)) {
    if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && !states)
      describe(json, nameOf(i), tensor);
    if (auto handle = dyn_cast<coreai::HandleType>(type); handle && states)
      describe(json, nameOf(i), handle.getContents());
  }
}

std::string IRProgram::functionsJson() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.array([&] {
    for (auto graph : mlirModule->getOps<coreai::GraphOp>()) {
      if (!graph.isPublic())
        continue;
      auto inputName = [&](unsigned i) { return graph.getInputName(i); };
      auto outputName = [&](unsigned i) { return graph.getOutputName(i); };
      json.object([&] {
        json.attribute("name", llvm::json::fixUTF8(graph.getSymName()));
        json.attributeArray("inputs", [&] {
          describeAll(json, graph.getArgumentTypes(), false, inputName);
        });
        json.attributeArray("outputs", [&] {
          describeAll(json, graph.getResultTypes(), false, outputName);
        });
        json.attributeArray("states", [&] {
          describeAll(json, graph.getArgumentTypes(), true, inputName);
        });
      });
    }
  });
  return text;
}
