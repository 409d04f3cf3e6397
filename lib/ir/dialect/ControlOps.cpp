//===- ControlOps.cpp - Branches, loops, and what holds a region ----------===//
#include "ir/dialect/CoreAI.h"
#include "ir/dialect/ShapeInference.h"

#include "mlir/IR/OpImplementation.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

/// One type, or a list in parentheses.
static ParseResult parseResultTypes(OpAsmParser &parser,
                                    SmallVectorImpl<Type> &types) {
  if (failed(parser.parseOptionalLParen()))
    return parser.parseType(types.emplace_back());
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  return failure(parser.parseTypeList(types) || parser.parseRParen());
}

static void printResultTypes(OpAsmPrinter &printer, Operation *,
                             TypeRange types) {
  if (types.size() == 1) {
    printer << types.front();
    return;
  }
  printer << '(';
  llvm::interleaveComma(types, printer);
  printer << ')';
}

#define GET_OP_CLASSES
#include "ir/dialect/ControlOps.cpp.inc"

void CoreAIDialect::registerControlOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/dialect/ControlOps.cpp.inc"
      >();
}

/// Values that flow from one place to another: as many, and types that can be
/// the same at run time.
static LogicalResult verifyFlow(Operation *op, TypeRange from, TypeRange to,
                                const Twine &what) {
  if (from.size() != to.size())
    return op->emitOpError()
           << what << ": " << from.size() << " values for " << to.size();
  for (auto [i, given, wanted] : llvm::enumerate(from, to))
    if (!areJoinable(given, wanted))
      return op->emitOpError() << what << ": value #" << i << " is " << given
                               << ", not " << wanted;
  return success();
}

template <typename Terminator>
static Terminator terminatorOf(Operation *op, Region &region) {
  auto terminator = region.front().empty()
                        ? Terminator()
                        : dyn_cast<Terminator>(region.front().back());
  if (!terminator)
    op->emitOpError("region #") << region.getRegionNumber() << " must end with "
                                << Terminator::getOperationName();
  return terminator;
}

LogicalResult IfOp::verify() {
  for (Region *region : {&getThenRegion(), &getElseRegion()}) {
    auto yield = terminatorOf<YieldOp>(*this, *region);
    if (!yield ||
        failed(verifyFlow(*this, yield.getOperandTypes(), getResultTypes(),
                          "the results of a branch")))
      return failure();
  }
  return success();
}

LogicalResult WhileOp::verify() {
  auto condition = terminatorOf<ConditionOp>(*this, getBefore());
  auto yield = terminatorOf<YieldOp>(*this, getAfter());
  if (!condition || !yield)
    return failure();
  TypeRange carried = getBefore().getArgumentTypes(),
            passed = condition.getValues().getTypes();
  return failure(
      failed(verifyFlow(*this, getInits().getTypes(), carried,
                        "the first values")) ||
      failed(verifyFlow(*this, yield.getOperandTypes(), carried,
                        "the values of the next round")) ||
      failed(verifyFlow(*this, passed, getAfter().getArgumentTypes(),
                        "the values of the body")) ||
      failed(verifyFlow(*this, passed, getResultTypes(), "the results")));
}

LogicalResult ScatterNdOp::verify() {
  RankedTensorType input = getInput().getType(),
                   updates = getUpdates().getType(),
                   indices = getIndices().getType();
  if (!terminatorOf<YieldOp>(*this, getCombiner()))
    return failure();
  int64_t rank = indices.getRank();
  int64_t depth = rank ? indices.getShape().back() : -1;
  if (depth < 0 || depth > input.getRank())
    return emitOpError("the last axis of the indices ")
           << indices << " must have a static extent of at most "
           << input.getRank() << " to index " << input;
  SmallVector<int64_t> shape(indices.getShape().drop_back());
  llvm::append_range(shape, input.getShape().drop_front(depth));
  auto expected = RankedTensorType::get(shape, input.getElementType());
  if (!areJoinable(Type(expected), Type(updates)))
    return emitOpError("the updates are ")
           << updates << ", but the indices name " << expected;
  if (getCombiner().getNumArguments() != 2)
    return emitOpError("the region takes the old element and the update");
  return success();
}
