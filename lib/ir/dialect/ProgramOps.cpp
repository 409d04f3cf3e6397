//===- ProgramOps.cpp - Graphs, constants, kernels, state -----------------===//
#include "ir/dialect/CoreAI.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

#define GET_OP_CLASSES
#include "ir/dialect/ProgramOps.cpp.inc"

void CoreAIDialect::registerProgramOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/dialect/ProgramOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// graph, output
//===----------------------------------------------------------------------===//

ParseResult GraphOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  (void)mlir::impl::parseOptionalVisibilityKeyword(parser, result.attributes);
  if (succeeded(parser.parseOptionalKeyword("noinline")))
    result.addAttribute(getNoinlineAttrName(result.name),
                        builder.getUnitAttr());
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> resultTypes;
  SmallVector<DictionaryAttr> resultAttributes;
  bool isVariadic = false;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes) ||
      function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, resultTypes,
          resultAttributes))
    return failure();
  SmallVector<Type> argumentTypes;
  for (const OpAsmParser::Argument &argument : arguments)
    argumentTypes.push_back(argument.type);
  result.addAttribute(
      getFunctionTypeAttrName(result.name),
      TypeAttr::get(builder.getFunctionType(argumentTypes, resultTypes)));
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  call_interface_impl::addArgAndResultAttrs(
      builder, result, arguments, resultAttributes,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
  Region *body = result.addRegion();
  OptionalParseResult parsed = parser.parseOptionalRegion(*body, arguments);
  return parsed.has_value() ? ParseResult(*parsed) : success();
}

void GraphOp::print(OpAsmPrinter &printer) {
  if (std::optional<StringRef> visibility = getSymVisibility())
    printer << ' ' << *visibility;
  if (getNoinline())
    printer << " noinline";
  printer << ' ';
  printer.printSymbolName(getSymName());
  function_interface_impl::printFunctionSignature(
      printer, *this, getArgumentTypes(), /*isVariadic=*/false,
      getResultTypes());
  function_interface_impl::printFunctionAttributes(
      printer, *this,
      {getSymVisibilityAttrName(), getNoinlineAttrName(),
       getFunctionTypeAttrName(), getArgAttrsAttrName(),
       getResAttrsAttrName()});
  if (getBody().empty())
    return;
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true);
}

static StringRef nameIn(DictionaryAttr attributes) {
  auto name =
      attributes ? attributes.getAs<StringAttr>(nameAttribute) : StringAttr();
  return name ? name.getValue() : StringRef();
}

StringRef GraphOp::getInputName(unsigned index) {
  return nameIn(getArgAttrDict(index));
}

StringRef GraphOp::getOutputName(unsigned index) {
  return nameIn(getResultAttrDict(index));
}

/// Names identify what a caller passes and gets: an input and an output may
/// share one (state does), two inputs may not.
template <typename Names>
static LogicalResult verifyDistinct(GraphOp graph, StringRef what,
                                    unsigned count, Names nameOf) {
  llvm::StringSet<> seen;
  for (unsigned i = 0; i < count; ++i)
    if (StringRef name = nameOf(i); !name.empty() && !seen.insert(name).second)
      return graph.emitOpError("has two ")
             << what << "s named '" << name << "'; rename one";
  return success();
}

LogicalResult GraphOp::verify() {
  if (getSymName().empty())
    return emitOpError("has an empty name");
  if (isExternal())
    return emitOpError("has no body");
  if (!isa<OutputOp>(getBody().front().back()))
    return emitOpError("must end with coreai.output");
  if (failed(verifyDistinct(*this, "input", getNumArguments(),
                            [&](unsigned i) { return getInputName(i); })))
    return failure();
  // The token of a state has the state's name.
  return verifyDistinct(*this, "output", getNumResults(), [&](unsigned i) {
    return isa<TokenType>(getResultTypes()[i]) ? StringRef() : getOutputName(i);
  });
}

LogicalResult OutputOp::verify() {
  auto graph = cast<GraphOp>((*this)->getParentOp());
  ArrayRef<Type> declared = graph.getResultTypes();
  if (getNumOperands() != declared.size())
    return emitOpError("returns ")
           << getNumOperands() << " values, but @" << graph.getSymName()
           << " declares " << declared.size() << " results";
  for (auto [i, type] : llvm::enumerate(getOperandTypes()))
    if (type != declared[i])
      return emitOpError("operand #")
             << i << " has type " << type << ", but @" << graph.getSymName()
             << " declares " << declared[i];
  return success();
}

//===----------------------------------------------------------------------===//
// constant
//===----------------------------------------------------------------------===//

/// Bytes of a resource of this type; none if the size overflows or is not in
/// whole bytes.
static std::optional<uint64_t> resourceBytes(ShapedType type) {
  Type element = type.getElementType();
  uint64_t width = 0;
  if (auto complex = dyn_cast<ComplexType>(element))
    width = 2 * complex.getElementType().getIntOrFloatBitWidth();
  else
    width = element.isInteger(1)      ? 8
            : isa<IndexType>(element) ? 64
                                      : element.getIntOrFloatBitWidth();
  uint64_t bytes = width / 8;
  if (width % 8)
    return std::nullopt;
  for (int64_t extent : type.getShape()) {
    auto product = llvm::checkedMulUnsigned<uint64_t>(bytes, extent);
    if (!product)
      return std::nullopt;
    bytes = *product;
  }
  return bytes;
}

LogicalResult ConstantOp::verify() {
  ElementsAttr value = getValue();
  if (isa<DenseElementsAttr>(value))
    return success();
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource)
    return emitOpError("value must be dense or dense_resource");
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return emitOpError("the data of resource '")
           << resource.getRawHandle().getKey()
           << "' are missing; the text was printed with elided weights, print "
              "it in full";
  auto type = cast<ShapedType>(value.getType());
  std::optional<uint64_t> expected = resourceBytes(type);
  if (!expected || *expected != blob->getData().size())
    return emitOpError("resource '")
           << resource.getRawHandle().getKey() << "' has "
           << blob->getData().size() << " bytes, which does not fit " << type;
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

//===----------------------------------------------------------------------===//
// invoke, state
//===----------------------------------------------------------------------===//

LogicalResult InvokeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto graph = symbols.lookupNearestSymbolFrom<GraphOp>(*this, getCalleeAttr());
  if (!graph)
    return emitOpError("calls @") << getCallee() << ", which is not a graph";
  auto declared = graph.getFunctionType();
  Builder builder(getContext());
  auto used = builder.getFunctionType(getOperandTypes(), getResultTypes());
  if (used != declared)
    return emitOpError("calls @")
           << getCallee() << " as " << used << ", but its type is " << declared;
  return success();
}

static LogicalResult verifyHandle(Operation *op, HandleType handle,
                                  Type value) {
  if (handle.getContents() == value)
    return success();
  return op->emitOpError("the handle holds ")
         << handle.getContents() << ", not " << value;
}

LogicalResult ReadHandleOp::verify() {
  return verifyHandle(*this, getHandle().getType(), getOutput().getType());
}

LogicalResult WriteHandleOp::verify() {
  return verifyHandle(*this, getHandle().getType(), getValue().getType());
}
