//===- CoreAIX.cpp - Placement of tensors ---------------------------------===//
#include "ir/dialect/CoreAIX.h"
#include "ir/dialect/DialectVersion.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace bessemer;
using namespace bessemer::coreaix;
using namespace mlir;

#include "ir/dialect/CoreAIXDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/dialect/CoreAIXAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "ir/dialect/CoreAIX.cpp.inc"

void CoreAIXDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/dialect/CoreAIXAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/dialect/CoreAIX.cpp.inc"
      >();
  addInterfaces<VersionedBytecode>();
}

//===----------------------------------------------------------------------===//
// hw_constraints
//===----------------------------------------------------------------------===//

static ParseResult parseExtents(AsmParser &parser, StringRef name,
                                SmallVectorImpl<int64_t> &extents) {
  return failure(parser.parseComma() || parser.parseKeyword(name) ||
                 parser.parseColon() || parser.parseLSquare() ||
                 parser.parseDimensionList(extents, /*allowDynamic=*/false,
                                           /*withTrailingX=*/false) ||
                 parser.parseRSquare());
}

Attribute HwConstraintsAttr::parse(AsmParser &parser, Type) {
  std::string keyword;
  SmallVector<int64_t> alignments, interleave;
  if (parser.parseLess())
    return {};
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeywordOrString(&keyword))
    return {};
  std::optional<AllocationType> allocation = symbolizeAllocationType(keyword);
  if (!allocation) {
    parser.emitError(at, "expected Heap, IOSurface or MTLBuffer, got '")
        << keyword << "'";
    return {};
  }
  if (parseExtents(parser, "alignments", alignments) ||
      parseExtents(parser, "interleave", interleave) || parser.parseGreater())
    return {};
  return get(parser.getContext(), *allocation, alignments, interleave);
}

void HwConstraintsAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifyAllocationType(getAllocation())
          << ", alignments: [";
  printer.printDimensionList(getAlignments());
  printer << "], interleave: [";
  printer.printDimensionList(getInterleave());
  printer << "]>";
}

LogicalResult HwConstraintsAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type,
    function_ref<InFlightDiagnostic()> emitError) const {
  if (getInterleave().size() != shape.size())
    return emitError() << "hw_constraints has " << getInterleave().size()
                       << " interleave factors for a tensor of rank "
                       << shape.size();
  if (getAlignments().size() != shape.size() + 1)
    return emitError() << "hw_constraints has " << getAlignments().size()
                       << " alignments for a tensor of rank " << shape.size()
                       << "; it needs one more than the rank";
  return success();
}

HwConstraintsAttr HwConstraintsAttr::getBuffer(MLIRContext *context,
                                               int64_t rank) {
  return get(context, AllocationType::MTLBuffer,
             SmallVector<int64_t>(rank + 1, 1), SmallVector<int64_t>(rank, 1));
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// `constrained` is `plain` with hw_constraints.
static LogicalResult verifyCopy(Operation *op, RankedTensorType plain,
                                RankedTensorType constrained) {
  bool hasConstraints =
      isa_and_nonnull<HwConstraintsAttr>(constrained.getEncoding());
  if (!plain.getEncoding() && hasConstraints &&
      coreai::areJoinable(Type(plain), constrained.dropEncoding()))
    return success();
  return op->emitOpError("must convert between a tensor and the same tensor "
                         "with #coreaix.hw_constraints, got ")
         << plain << " and " << constrained;
}

LogicalResult CopyWithConstraintsOp::verify() {
  return verifyCopy(*this, getInput().getType(), getType());
}

LogicalResult CopyDiscardingConstraintsOp::verify() {
  return verifyCopy(*this, getType(), getInput().getType());
}
