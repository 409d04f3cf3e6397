//===- ProgramBuilder.cpp - Building programs op by op --------------------===//
#include "ir/DiagnosticCapture.h"
#include "ir/ElementTypes.h"
#include "ir/Program.h"
#include "ir/TextLimits.h"
#include "ir/dialect/CoreAI.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/xxhash.h"

using namespace bessemer;
using namespace mlir;

/// From this many elements on, a constant becomes a resource.
static constexpr int64_t resourceElements = 256;
static constexpr size_t weightAlignment = 64;

static StringRef ref(std::string_view text) {
  return {text.data(), text.size()};
}

static Error invalid(std::string message) {
  return makeError(ErrorKind::InvalidArgument, std::move(message));
}

static Result<Type> typeFrom(MLIRContext &context, std::string_view text) {
  if (Status limits = checkTextLimits(text); !limits)
    return limits.error();
  DiagnosticCapture capture(&context);
  if (Type type = parseType(ref(text), &context))
    return type;
  Error error = capture.error(ErrorKind::InvalidArgument, "not a type");
  return invalid("type '" + std::string(text) + "': " + error.message);
}

static Result<SmallVector<Type>>
typesFrom(MLIRContext &context, const std::vector<std::string_view> &texts) {
  SmallVector<Type> types;
  for (std::string_view text : texts) {
    Result<Type> type = typeFrom(context, text);
    if (!type)
      return type.error();
    types.push_back(*type);
  }
  return types;
}

static Result<DictionaryAttr> attributesFrom(MLIRContext &context,
                                             std::string_view text) {
  if (text.empty())
    return DictionaryAttr::get(&context);
  if (Status limits = checkTextLimits(text); !limits)
    return limits.error();
  DiagnosticCapture capture(&context);
  Attribute attribute = parseAttribute(ref(text), &context);
  if (auto dictionary = dyn_cast_or_null<DictionaryAttr>(attribute))
    return dictionary;
  Error error = capture.error(ErrorKind::InvalidArgument,
                              "must be a dictionary: {name = value}");
  return invalid("attributes '" + std::string(text) + "': " + error.message);
}

/// "file:line", a location as MLIR spells it, or any other text as a name;
/// empty is unknown.
static Location locationFrom(MLIRContext &context, std::string_view text) {
  if (text.starts_with("loc(") && checkTextLimits(text)) {
    DiagnosticCapture capture(&context);
    if (auto location =
            dyn_cast_or_null<LocationAttr>(parseAttribute(ref(text), &context)))
      return location;
  }
  auto [file, number] = ref(text).rsplit(':');
  unsigned line;
  if (text.empty())
    return UnknownLoc::get(&context);
  if (!file.empty() && !number.getAsInteger(10, line))
    return FileLineColLoc::get(&context, file, line, 0);
  return NameLoc::get(StringAttr::get(&context, ref(text)));
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// One dictionary with a coreai.name (if not empty) for each name; arguments
/// that are state say so once more.
static ArrayAttr nameAttributes(MLIRContext &context,
                                const std::vector<std::string_view> &names,
                                TypeRange types) {
  Builder builder(&context);
  SmallVector<Attribute> attributes;
  for (auto [name, type] : llvm::zip_equal(names, types)) {
    NamedAttrList list;
    if (!name.empty())
      list.set(coreai::nameAttribute, builder.getStringAttr(ref(name)));
    if (isa<coreai::HandleType>(type))
      list.set("MutableBuffers.buffer_mutation",
               builder.getStringAttr(ref(name)));
    attributes.push_back(list.getDictionary(&context));
  }
  return builder.getArrayAttr(attributes);
}

Result<mlir::Block *>
IRProgram::addGraph(std::string_view name,
                    const std::vector<std::string_view> &names,
                    const std::vector<std::string_view> &types) {
  if (name.empty())
    return invalid("a graph needs a name");
  if (names.size() != types.size())
    return invalid("graph '" + std::string(name) + "' has " +
                   std::to_string(names.size()) + " input names and " +
                   std::to_string(types.size()) + " types");
  if (SymbolTable::lookupSymbolIn(*mlirModule, ref(name)))
    return invalid("the program already has a graph named '" +
                   std::string(name) + "'");
  Result<SmallVector<Type>> inputs = typesFrom(*mlirContext, types);
  if (!inputs)
    return inputs.error();
  OpBuilder builder = OpBuilder::atBlockEnd(mlirModule->getBody());
  Location location = builder.getUnknownLoc();
  auto graph = coreai::GraphOp::create(
      builder, location, builder.getStringAttr(ref(name)),
      TypeAttr::get(builder.getFunctionType(*inputs, {})), StringAttr(),
      UnitAttr(), nameAttributes(*mlirContext, names, *inputs), ArrayAttr());
  mlir::Block &body = graph.getBody().emplaceBlock();
  for (Type type : *inputs)
    body.addArgument(type, location);
  return &body;
}

mlir::Value IRProgram::input(mlir::Block *block, unsigned index) {
  return index < block->getNumArguments() ? block->getArgument(index)
                                          : mlir::Value();
}

Status IRProgram::setOutputs(mlir::Block *block,
                             const std::vector<mlir::Value> &values,
                             const std::vector<std::string_view> &names) {
  auto graph = dyn_cast_or_null<coreai::GraphOp>(block->getParentOp());
  if (!graph || block != &graph.getBody().front())
    return invalid("outputs belong to the body of a graph");
  if (values.size() != names.size())
    return invalid("graph '" + graph.getSymName().str() + "' has " +
                   std::to_string(values.size()) + " outputs and " +
                   std::to_string(names.size()) + " output names");
  if (llvm::is_contained(values, mlir::Value()))
    return invalid("an output of graph '" + graph.getSymName().str() +
                   "' is not a value");
  if (!block->empty() && isa<coreai::OutputOp>(block->back()))
    block->back().erase();
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  coreai::OutputOp::create(builder, builder.getUnknownLoc(), values);
  graph.setFunctionType(builder.getFunctionType(block->getArgumentTypes(),
                                                ValueRange(values).getTypes()));
  graph.setResAttrsAttr(
      nameAttributes(*mlirContext, names, ValueRange(values).getTypes()));
  return {};
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Fills in the result types of an operation that was given none.
static Status inferTypes(OperationState &state, MLIRContext &context) {
  auto *interface = state.name.getInterface<InferTypeOpInterface>();
  if (!interface)
    return {};
  DiagnosticCapture capture(&context);
  if (succeeded(
          interface->inferReturnTypes(&context, state.location, state.operands,
                                      state.attributes.getDictionary(&context),
                                      /*properties=*/nullptr, {}, state.types)))
    return {};
  return capture.error(ErrorKind::InvalidArgument,
                       "cannot infer the result types of " +
                           state.name.getStringRef().str());
}

Result<mlir::Operation *>
IRProgram::createOp(mlir::Block *block, std::string_view name,
                    const std::vector<mlir::Value> &operands,
                    const std::vector<std::string_view> &resultTypes,
                    std::string_view attributes, std::string_view location,
                    unsigned regions) {
  OperationState state(locationFrom(*mlirContext, location), ref(name));
  if (!state.name.isRegistered())
    return invalid("there is no operation '" + std::string(name) + "'");
  if (llvm::is_contained(operands, mlir::Value()))
    return invalid("an operand of " + std::string(name) + " is not a value");
  Result<SmallVector<Type>> types = typesFrom(*mlirContext, resultTypes);
  if (!types)
    return types.error();
  Result<DictionaryAttr> dictionary = attributesFrom(*mlirContext, attributes);
  if (!dictionary)
    return dictionary.error();
  state.addOperands(operands);
  state.addTypes(*types);
  state.addAttributes(dictionary->getValue());
  for (unsigned i = 0; i < regions; ++i)
    state.addRegion();
  DiagnosticCapture capture(mlirContext.get());
  auto emitError = [&] {
    return mlir::emitError(state.location, name) << ": ";
  };
  if (failed(state.name.verifyInherentAttrs(state.attributes, emitError)))
    return capture.error(ErrorKind::InvalidArgument, "wrong attributes");
  if (resultTypes.empty())
    if (Status inferred = inferTypes(state, *mlirContext); !inferred)
      return inferred.error();
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  mlir::Operation *operation = builder.create(state);
  if (regions == 0 && failed(mlir::verify(operation, false))) {
    operation->erase();
    return capture.error(ErrorKind::InvalidArgument, "not a valid operation");
  }
  return operation;
}

mlir::Value IRProgram::result(mlir::Operation *operation, unsigned index) {
  return index < operation->getNumResults() ? operation->getResult(index)
                                            : mlir::Value();
}

mlir::Block *IRProgram::region(mlir::Operation *operation, unsigned index) {
  if (index >= operation->getNumRegions())
    return nullptr;
  Region &region = operation->getRegion(index);
  return region.empty() ? &region.emplaceBlock() : &region.front();
}

Result<mlir::Value> IRProgram::addArgument(mlir::Block *block,
                                           std::string_view type) {
  Result<Type> parsed = typeFrom(*mlirContext, type);
  if (!parsed)
    return parsed.error();
  return mlir::Value(
      block->addArgument(*parsed, UnknownLoc::get(mlirContext.get())));
}

std::string IRProgram::typeOf(mlir::Value value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.getType().print(stream);
  return text;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The tensor type of the data, checked against their size.
static Result<RankedTensorType> constantType(MLIRContext &context, DType dtype,
                                             const std::vector<int64_t> &shape,
                                             size_t bytes) {
  Type element = elementType(&context, dtype);
  if (!element)
    return invalid("a constant has no valid dtype");
  uint64_t expected = dtypeSize(dtype);
  for (int64_t extent : shape) {
    if (extent < 0)
      return invalid("a constant has the negative extent " +
                     std::to_string(extent));
    auto product = llvm::checkedMulUnsigned<uint64_t>(expected, extent);
    if (!product)
      return invalid("a constant's size does not fit 64 bits");
    expected = *product;
  }
  if (expected != bytes)
    return invalid("a constant of this shape and dtype " +
                   std::string(dtypeName(dtype)) + " has " +
                   std::to_string(expected) + " bytes, got " +
                   std::to_string(bytes));
  return RankedTensorType::get(shape, element);
}

static bool areAllEqual(ArrayRef<char> data, size_t size) {
  return data.size() <= size ||
         std::memcmp(data.data(), data.data() + size, data.size() - size) == 0;
}

static DenseElementsAttr inlineElements(RankedTensorType type,
                                        ArrayRef<char> data, bool isSplat) {
  if (!type.getElementType().isInteger(1)) {
    size_t size = type.getElementTypeBitWidth() / 8;
    return DenseElementsAttr::getFromRawBuffer(
        type, isSplat ? data.take_front(size) : data);
  }
  SmallVector<bool> values;
  for (char byte : isSplat ? data.take_front(1) : data)
    values.push_back(byte != 0);
  return DenseElementsAttr::get(type, values);
}

DenseResourceElementsHandle IRProgram::resource(ArrayRef<char> bytes) {
  uint64_t hash = llvm::xxh3_64bits(ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  auto [first, last] = resources.equal_range(hash);
  for (; first != last; ++first)
    if (AsmResourceBlob *blob = first->second.getBlob();
        blob && blob->getData() == bytes)
      return first->second;
  auto &manager =
      DenseResourceElementsHandle::getManagerInterface(mlirContext.get());
  DenseResourceElementsHandle handle = manager.insert(
      "resource_" + std::to_string(resources.size()),
      HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, weightAlignment));
  resources.emplace(hash, handle);
  return handle;
}

Result<mlir::Value> IRProgram::constant(mlir::Block *block, DType dtype,
                                        const std::vector<int64_t> &shape,
                                        const void *data, size_t bytes) {
  Result<RankedTensorType> type =
      constantType(*mlirContext, dtype, shape, bytes);
  if (!type)
    return type.error();
  if (bytes && !data)
    return invalid("a constant has no data");
  ArrayRef<char> raw(static_cast<const char *>(data), bytes);
  bool isSplat = bytes && areAllEqual(raw, dtypeSize(dtype));
  ElementsAttr value;
  if (isSplat || type->getNumElements() < resourceElements)
    value = inlineElements(*type, raw, isSplat);
  else
    value = DenseResourceElementsAttr::get(*type, resource(raw));
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  return mlir::Value(coreai::ConstantOp::create(
      builder, builder.getUnknownLoc(), *type, value));
}
