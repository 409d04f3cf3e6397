//===- ProgramFunctions.cpp - The entry points of a program ---------------===//
#include "ir/ElementTypes.h"
#include "ir/Program.h"
#include "ir/dialect/CoreAI.h"

#include "llvm/Support/JSON.h"

using namespace bessemer;
using namespace mlir;

/// "rows", "2*rows", "rows + 1".
static std::string extentText(const GraphDimension &dimension,
                              const GraphDimension::Use &use) {
  std::string text = (use.factor == 1 ? "" : std::to_string(use.factor) + "*") +
                     dimension.name;
  if (use.offset)
    text +=
        (use.offset < 0 ? " - " : " + ") + std::to_string(std::abs(use.offset));
  return text;
}

/// The extents of a tensor as text; `input` is its number if it is an input.
static std::vector<std::string> extentsOf(RankedTensorType type,
                                          ArrayRef<GraphDimension> dimensions,
                                          std::optional<unsigned> input) {
  std::vector<std::string> extents;
  for (int64_t extent : type.getShape())
    extents.push_back(ShapedType::isDynamic(extent) ? "?"
                                                    : std::to_string(extent));
  for (const GraphDimension &dimension : dimensions)
    for (const GraphDimension::Use &use : dimension.uses)
      if (use.input == input && use.axis < extents.size() &&
          type.isDynamicDim(use.axis))
        extents[use.axis] = extentText(dimension, use);
  return extents;
}

static void describe(llvm::json::OStream &json, StringRef name,
                     RankedTensorType type,
                     const std::vector<std::string> &extents) {
  json.object([&] {
    json.attribute("name", llvm::json::fixUTF8(name));
    std::string_view dtype = dtypeName(dtypeOf(type.getElementType()));
    json.attribute("dtype", StringRef(dtype.data(), dtype.size()));
    json.attributeArray("shape", [&] {
      for (int64_t extent : type.getShape())
        json.value(ShapedType::isDynamic(extent) ? -1 : extent);
    });
    json.attributeArray("extents", [&] {
      for (const std::string &extent : extents)
        json.value(llvm::json::fixUTF8(extent));
    });
  });
}

namespace {
enum class Ports { Inputs, Outputs, States };
} // namespace

/// The tensors among the types; of states, what the handles hold instead.
static void describeAll(llvm::json::OStream &json, ArrayRef<Type> types,
                        Ports ports, ArrayRef<GraphDimension> dimensions,
                        function_ref<StringRef(unsigned)> nameOf) {
  unsigned number = 0;
  for (auto [i, type] : llvm::enumerate(types)) {
    RankedTensorType tensor;
    if (ports != Ports::States)
      tensor = dyn_cast<RankedTensorType>(type);
    else if (auto handle = dyn_cast<coreai::HandleType>(type))
      tensor = handle.getContents();
    if (!tensor)
      continue;
    std::optional<unsigned> input;
    if (ports == Ports::Inputs)
      input = number++;
    describe(json, nameOf(i), tensor, extentsOf(tensor, dimensions, input));
  }
}

static void describe(llvm::json::OStream &json,
                     const GraphDimension &dimension) {
  json.object([&] {
    json.attribute("name", llvm::json::fixUTF8(dimension.name));
    json.attribute("min", dimension.min);
    if (dimension.max)
      json.attribute("max", *dimension.max);
    else
      json.attribute("max", nullptr);
  });
}

std::string IRProgram::functionsJson() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.array([&] {
    for (auto graph : mlirModule->getOps<coreai::GraphOp>()) {
      if (!graph.isPublic())
        continue;
      // Damaged ones are an error when the function is loaded.
      Result<std::vector<GraphDimension>> known =
          dimensions(graph.getSymName());
      std::vector<GraphDimension> none, &sizes = known ? *known : none;
      auto inputName = [&](unsigned i) { return graph.getInputName(i); };
      auto outputName = [&](unsigned i) { return graph.getOutputName(i); };
      json.object([&] {
        json.attribute("name", llvm::json::fixUTF8(graph.getSymName()));
        json.attributeArray("inputs", [&] {
          describeAll(json, graph.getArgumentTypes(), Ports::Inputs, sizes,
                      inputName);
        });
        json.attributeArray("outputs", [&] {
          describeAll(json, graph.getResultTypes(), Ports::Outputs, sizes,
                      outputName);
        });
        json.attributeArray("states", [&] {
          describeAll(json, graph.getArgumentTypes(), Ports::States, sizes,
                      inputName);
        });
        json.attributeArray("dimensions", [&] {
          for (const GraphDimension &size : sizes)
            describe(json, size);
        });
      });
    }
  });
  return text;
}
