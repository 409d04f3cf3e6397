//===- Dimensions.cpp - What dynamic extents may be -----------------------===//
//
// The text of a graph shows `?` alone. The sizes behind it, their bounds and
// which extents share them are an attribute of the module.
//
//===----------------------------------------------------------------------===//
#include "ir/Program.h"
#include "ir/dialect/CoreAI.h"

#include "mlir/IR/Builders.h"

using namespace bessemer;
using namespace mlir;

static constexpr StringLiteral dimensionsAttribute = "coreaix.dimensions";
static constexpr int64_t unlimited = -1;

static StringRef ref(std::string_view text) {
  return {text.data(), text.size()};
}

static Attribute toAttribute(Builder &builder,
                             const GraphDimension &dimension) {
  SmallVector<Attribute> uses;
  for (const GraphDimension::Use &use : dimension.uses)
    uses.push_back(builder.getDenseI64ArrayAttr(
        {use.input, use.axis, use.factor, use.offset}));
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("name", builder.getStringAttr(dimension.name)),
       builder.getNamedAttr("min", builder.getI64IntegerAttr(dimension.min)),
       builder.getNamedAttr(
           "max", builder.getI64IntegerAttr(dimension.max.value_or(unlimited))),
       builder.getNamedAttr("uses", builder.getArrayAttr(uses))});
}

/// None if the attribute is damaged.
static std::optional<GraphDimension> fromAttribute(Attribute attribute) {
  auto fields = dyn_cast<DictionaryAttr>(attribute);
  auto name = fields ? fields.getAs<StringAttr>("name") : StringAttr();
  auto min = fields ? fields.getAs<IntegerAttr>("min") : IntegerAttr();
  auto max = fields ? fields.getAs<IntegerAttr>("max") : IntegerAttr();
  auto uses = fields ? fields.getAs<ArrayAttr>("uses") : ArrayAttr();
  if (!name || !min || !max || !uses)
    return std::nullopt;
  GraphDimension dimension{name.str(), min.getInt(), std::nullopt, {}};
  if (max.getInt() != unlimited)
    dimension.max = max.getInt();
  for (Attribute entry : uses) {
    auto numbers = dyn_cast<DenseI64ArrayAttr>(entry);
    if (!numbers || numbers.size() != 4 || numbers[0] < 0 || numbers[1] < 0)
      return std::nullopt;
    dimension.uses.push_back({static_cast<uint32_t>(numbers[0]),
                              static_cast<uint32_t>(numbers[1]), numbers[2],
                              numbers[3]});
  }
  return dimension;
}

Status IRProgram::setDimensions(std::string_view name,
                                const std::vector<GraphDimension> &dimensions) {
  if (Result<coreai::GraphOp> found = graph(name); !found)
    return found.error();
  Builder builder(mlirContext.get());
  SmallVector<Attribute> entries;
  for (const GraphDimension &dimension : dimensions)
    entries.push_back(toAttribute(builder, dimension));
  NamedAttrList all(mlirModule->getOperation()->getAttrOfType<DictionaryAttr>(
      dimensionsAttribute));
  all.set(ref(name), builder.getArrayAttr(entries));
  mlirModule->getOperation()->setAttr(dimensionsAttribute,
                                      all.getDictionary(mlirContext.get()));
  return {};
}

Result<std::vector<GraphDimension>>
IRProgram::dimensions(std::string_view name) {
  std::vector<GraphDimension> dimensions;
  auto all = mlirModule->getOperation()->getAttrOfType<DictionaryAttr>(
      dimensionsAttribute);
  auto entries = all ? all.getAs<ArrayAttr>(ref(name)) : ArrayAttr();
  if (!entries)
    return dimensions;
  for (Attribute entry : entries) {
    std::optional<GraphDimension> dimension = fromAttribute(entry);
    if (!dimension)
      return makeError(ErrorKind::Corrupt, "the dimensions of function '" +
                                               std::string(name) +
                                               "' are damaged");
    dimensions.push_back(std::move(*dimension));
  }
  return dimensions;
}
