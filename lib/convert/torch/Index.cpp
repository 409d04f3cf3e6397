//===- Index.cpp - x[i, :, j] and what is written there -------------------===//
//
// The indexed axes are brought to the front, index tuples gather or scatter
// there, and the axes of the indices go where torch puts them: in the place of
// the indexed axes if those are neighbours, else in front.
//
//===----------------------------------------------------------------------===//
#include "convert/torch/Composite.h"

#include "ir/dialect/CoreAI.h"

using namespace bessemer;
using namespace mlir;

namespace {
/// A list of indices of a tensor, None for whole axes.
class Indexing {
public:
  Indexing(Call &call, Value value, ArrayRef<Value> indices);
  bool isMask() const { return mask != nullptr; }
  Value getMask() const { return mask; }

  /// The tensor with indexed axes first, and back.
  Value inFront() { return call.transpose(value, order); }
  Value restored(Value moved);
  /// [axes of the indices, one for the tuple].
  Value tuples();
  /// From [axes of the indices, other axes] to torch's order, and back.
  Value toTorch(Value gathered) { return transposed(gathered, false); }
  Value fromTorch(Value result) { return transposed(result, true); }
  unsigned rankOfIndices() const { return indexRank; }

private:
  Value transposed(Value from, bool isInverse);

  Call &call;
  Value value, mask;
  SmallVector<Value> used; ///< Index tensors, in order.
  SmallVector<int64_t> order;
  unsigned indexRank = 0, lead = 0; ///< Axes before the indices.
};
} // namespace

static SmallVector<int64_t> inverseOf(ArrayRef<int64_t> order) {
  SmallVector<int64_t> inverse(order.size());
  for (auto [i, from] : llvm::enumerate(order))
    inverse[from] = static_cast<int64_t>(i);
  return inverse;
}

Indexing::Indexing(Call &call, Value value, ArrayRef<Value> indices)
    : call(call), value(value) {
  SmallVector<int64_t> indexed, others;
  for (int64_t i = 0; i < tensorType(value).getRank(); ++i)
    if (i < static_cast<int64_t>(indices.size()) && indices[i]) {
      indexed.push_back(i);
      used.push_back(indices[i]);
      indexRank =
          std::max<unsigned>(indexRank, tensorType(indices[i]).getRank());
      if (elementOf(indices[i]).isInteger(1))
        mask = indices[i];
    } else {
      others.push_back(i);
    }
  bool areNeighbours =
      indexed.empty() || indexed.back() - indexed.front() + 1 ==
                             static_cast<int64_t>(indexed.size());
  lead = areNeighbours && !indexed.empty() ? indexed.front() : 0;
  order = indexed;
  order.append(others);
  if (indices.size() > static_cast<size_t>(tensorType(value).getRank()) ||
      used.empty())
    call.fail("the indices do not fit the tensor's rank");
}

Value Indexing::restored(Value moved) {
  return call.transpose(moved, inverseOf(order));
}

/// The indices broadcast against each other.
Value Indexing::tuples() {
  Value zero;
  if (used.size() > 1) {
    zero = call.integer(0, elementOf(used.front()));
    for (Value index : used)
      zero = call.broadcasting("mul", {call.broadcasting("add", {zero, index}),
                                       call.integer(0, elementOf(index))});
  }
  SmallVector<Value> parts;
  for (Value index : used) {
    if (zero)
      index = call.broadcasting("add", {index, zero});
    parts.push_back(
        call.op("expand_dims",
                {index, call.si32Vector({static_cast<int64_t>(indexRank)})}));
  }
  if (parts.size() == 1)
    return parts.front();
  parts.insert(parts.begin(), call.si32(-1));
  return call.op("concat", parts);
}

Value Indexing::transposed(Value from, bool isInverse) {
  if (!from || lead == 0 || indexRank == 0)
    return from;
  SmallVector<int64_t> places;
  for (unsigned i = 0; i < lead; ++i)
    places.push_back(indexRank + i);
  for (unsigned i = 0; i < indexRank; ++i)
    places.push_back(i);
  for (int64_t i = lead + indexRank; i < tensorType(from).getRank(); ++i)
    places.push_back(i);
  return call.transpose(from, isInverse ? inverseOf(places)
                                        : SmallVector<int64_t>(places));
}

static void lowerIndex(Call &call) {
  Value value = call.tensor(0);
  SmallVector<Value> indices = call.optionalTensors(1);
  if (!value || call.hasFailed())
    return;
  Indexing indexing(call, value, indices);
  if (indexing.isMask()) {
    call.fail("a boolean mask picks as many elements as only the run knows; "
              "use torch.where to keep the shape");
    return;
  }
  if (!call.hasFailed())
    call.replace(indexing.toTorch(
        call.op("gather_nd", {indexing.inFront(), indexing.tuples()})));
}

/// x[mask] = v, where v is one element.
static Value maskedFill(Call &call, Value value, Value mask, Value update) {
  int64_t missing = tensorType(value).getRank() - tensorType(mask).getRank();
  if (tensorType(update).getNumElements() != 1 || missing < 0)
    return call.fail("with a boolean mask one value alone can be written; use "
                     "torch.where");
  SmallVector<int64_t> axes;
  for (int64_t i = 0; i < missing; ++i)
    axes.push_back(tensorType(mask).getRank() + i);
  if (missing)
    mask = call.op("expand_dims", {mask, call.si32Vector(axes)});
  return call.broadcasting("where", {mask, value, call.reshape(update, {})});
}

/// The shape of what the indices pick, as a vector.
static Value pickedShape(Call &call, Indexing &indexing, Value moved,
                         Value tuples, size_t depth) {
  SmallVector<Value> extents;
  for (unsigned i = 0; i < indexing.rankOfIndices(); ++i)
    extents.push_back(call.extent(tuples, i));
  for (int64_t i = depth; moved && i < tensorType(moved).getRank(); ++i)
    extents.push_back(call.extent(moved, i));
  return call.shapeVector(extents);
}

static Value scatterNd(Call &call, Value value, Value updates, Value tuples,
                       bool accumulates) {
  if (!value || !updates || !tuples)
    return {};
  OpBuilder &builder = call.getBuilder();
  Location location = call.getLocation();
  auto op = coreai::ScatterNdOp::create(builder, location, value.getType(),
                                        value, updates, tuples);
  auto element = RankedTensorType::get({}, elementOf(value));
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&op.getCombiner(), {}, {element, element},
                                     {location, location});
  Value result = block->getArgument(1);
  if (accumulates)
    result = coreai::BroadcastingAddOp::create(
        builder, location, block->getArgument(0), block->getArgument(1));
  coreai::YieldOp::create(builder, location, result);
  return op.getResult();
}

/// self, indices, values, accumulate
static void lowerIndexPut(Call &call) {
  Value value = call.tensor(0), updates = call.tensor(2);
  SmallVector<Value> indices = call.optionalTensors(1);
  if (!value || !updates || call.hasFailed())
    return;
  bool accumulates = call.boolean(3, false);
  Indexing indexing(call, value, indices);
  if (call.hasFailed())
    return;
  if (indexing.isMask() && !accumulates && indices.size() == 1)
    return call.replace(maskedFill(call, value, indexing.getMask(), updates));
  if (indexing.isMask()) {
    call.fail("a boolean mask cannot be combined with this; use torch.where");
    return;
  }
  Value moved = indexing.inFront(), tuples = indexing.tuples();
  size_t depth =
      llvm::count_if(indices, [](Value index) { return index != nullptr; });
  // The values broadcast in torch's order of axes.
  Value shape = pickedShape(call, indexing, moved, tuples, depth);
  if (!moved || !tuples || !shape)
    return;
  Value like =
      call.op("broadcast_to", {call.integer(0, elementOf(value)), shape});
  Value torchShape = call.op("get_shape", indexing.toTorch(like));
  updates = indexing.fromTorch(call.op(
      "broadcast_to", {call.cast(updates, elementOf(value)), torchShape}));
  call.replace(
      indexing.restored(scatterNd(call, moved, updates, tuples, accumulates)));
}

void bessemer::addIndexLowerings(LoweringTable &table) {
  table["aten.index.Tensor"] = lowerIndex;
  table["aten.index_put.default"] = lowerIndexPut;
}
