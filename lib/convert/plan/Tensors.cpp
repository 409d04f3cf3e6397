//===- Tensors.cpp - Storage of values ------------------------------------===//
#include "convert/plan/Context.h"

#include "ir/DiagnosticCapture.h"
#include "ir/ElementTypes.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Alignment.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

static constexpr size_t constantAlignment = 64;

bool PlanContext::fail(Operation *op, ErrorKind kind, const Twine &message) {
  if (error)
    return false;
  std::string place = op ? locationText(op->getLoc()) : "";
  error = makeError(kind, (place.empty() ? "" : place + ": ") + "function '" +
                              graph.getSymName().str() + "': " +
                              (op ? op->getName().getStringRef().str() : "") +
                              (op ? ": " : "") + message.str());
  return false;
}

DType PlanContext::dtypeOf(Operation *op, Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return dtypeOfElement(op, type ? type.getElementType() : Type());
}

DType PlanContext::dtypeOfElement(Operation *op, Type element) {
  DType dtype = element ? bessemer::dtypeOf(element) : DType::Invalid;
  if (dtype == DType::Invalid || dtype == DType::F64) {
    fail(op, ErrorKind::Unsupported,
         "values of this element type cannot be computed with; use float32, "
         "float16, bfloat16, an integer or bool");
    return DType::F32;
  }
  return dtype;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

void PlanContext::setShape(Value value, RegList shape) {
  shapes[value] = std::move(shape);
}

const RegList &PlanContext::shapeOf(Value value) {
  // Values in program order have theirs already: arguments and results.
  auto [entry, isNew] = shapes.try_emplace(value);
  if (isNew)
    fail(value.getDefiningOp(), ErrorKind::Unsupported,
         "a value without a shape");
  return entry->second;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

TensorId PlanContext::add(TensorInfo tensor) {
  plan.tensors.push_back(std::move(tensor));
  return static_cast<TensorId>(plan.tensors.size() - 1);
}

void PlanContext::setTensor(Value value, TensorId id) { tensors[value] = id; }

TensorId PlanContext::tensorOf(Value value) {
  auto found = tensors.find(value);
  if (found != tensors.end())
    return found->second;
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return constantTensor(constant);
  fail(value.getDefiningOp(), ErrorKind::Internal, "a value without a tensor");
  return 0;
}

TensorId PlanContext::temporary(DType dtype, RegList shape) {
  TensorInfo tensor;
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  return add(std::move(tensor));
}

TensorId PlanContext::allocate(Value value) {
  DType dtype = dtypeOf(value.getDefiningOp(), value);
  auto output = outputs.find(value);
  TensorId id;
  if (output == outputs.end()) {
    id = temporary(dtype, shapeOf(value));
  } else {
    // The output may be a view of this value: its shape is the output's.
    unsigned number = output->second;
    TensorInfo tensor;
    tensor.dtype = dtype;
    tensor.shape = shapeOf(outputValues[number]);
    tensor.storage = Storage::Output;
    tensor.index = number;
    outputTensors[number] = add(std::move(tensor));
    id = denseAlias(*outputTensors[number], shapeOf(value));
  }
  setTensor(value, id);
  return id;
}

TensorId PlanContext::baseOf(TensorId id) {
  while (plan.tensors[id].storage == Storage::Alias)
    id = plan.tensors[id].index;
  return id;
}

RegList PlanContext::stridesOf(TensorId id) {
  const TensorInfo &tensor = plan.tensors[id];
  return tensor.strides.empty() ? regs.denseStrides(tensor.shape)
                                : tensor.strides;
}

/// Whether the strides are row-major where they matter.
static bool isDense(Registers &regs, const RegList &shape,
                    const RegList &strides) {
  RegList dense = regs.denseStrides(shape);
  for (size_t i = 0; i < shape.size(); ++i)
    if (strides[i] != dense[i] && !regs.is(shape[i], 1))
      return false;
  return true;
}

TensorId PlanContext::alias(TensorId of, RegList shape, RegList strides,
                            Reg offset) {
  // By value: `add` may move the list.
  TensorInfo from = plan.tensors[of];
  if (!strides.empty() && isDense(regs, shape, strides))
    strides.clear();
  if (strides.empty() && from.strides.empty() && shape == from.shape &&
      regs.is(offset, 0))
    return of;
  TensorInfo tensor;
  tensor.dtype = from.dtype;
  tensor.shape = std::move(shape);
  tensor.strides = std::move(strides);
  tensor.storage = Storage::Alias;
  tensor.index = from.storage == Storage::Alias ? from.index : of;
  tensor.offsetReg = from.storage == Storage::Alias
                         ? regs.add(from.offsetReg, offset)
                         : offset;
  return add(std::move(tensor));
}

TensorId PlanContext::denseAlias(TensorId of, RegList shape) {
  return alias(of, std::move(shape), {}, regs.constant(0));
}

TensorId PlanContext::dense(TensorId id) {
  if (plan.tensors[id].strides.empty())
    return id;
  auto [entry, isNew] = denseCopies.try_emplace(id, 0);
  if (isNew) {
    TensorId copy = temporary(plan.tensors[id].dtype, plan.tensors[id].shape);
    addStep(CopyStep{id, copy});
    entry->second = copy;
  }
  return entry->second;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Appends the bytes of the elements, row-major, booleans as bytes.
static bool appendBytes(ElementsAttr value, std::vector<uint8_t> &bytes) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return false;
    ArrayRef<char> data = blob->getData();
    bytes.insert(bytes.end(), data.begin(), data.end());
    return true;
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return false;
  if (dense.getElementType().isInteger(1)) {
    for (bool element : dense.getValues<bool>())
      bytes.push_back(element);
    return true;
  }
  ArrayRef<char> data = dense.getRawData();
  int64_t repeats = dense.isSplat() ? dense.getNumElements() : 1;
  for (int64_t i = 0; i < repeats; ++i)
    bytes.insert(bytes.end(), data.begin(), data.end());
  return true;
}

/// Weights that lie in the program's file, as kernels can use them, stay there.
bool PlanContext::placeInFile(ElementsAttr value, TensorInfo &tensor) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob)
    return false;
  std::optional<uint64_t> offset = program.bytecodeOffset(blob->getData());
  if (!offset || *offset % constantAlignment != 0)
    return false;
  tensor.storage = Storage::File;
  tensor.offset = *offset;
  tensor.bytes = blob->getData().size();
  plan.fileBytes = program.bytecodeSize();
  return true;
}

TensorId PlanContext::constantTensor(ConstantOp op) {
  ElementsAttr value = op.getValue();
  auto [entry, isNew] = constants.try_emplace(value, 0);
  if (!isNew)
    return entry->second;
  TensorInfo tensor;
  tensor.dtype = dtypeOf(op, op.getResult());
  for (int64_t extent : op.getType().getShape())
    tensor.shape.push_back(regs.constant(extent));
  if (!placeInFile(value, tensor)) {
    tensor.storage = Storage::Constant;
    plan.constants.resize(
        llvm::alignTo(plan.constants.size(), constantAlignment));
    tensor.offset = plan.constants.size();
    if (!appendBytes(value, plan.constants))
      fail(op, ErrorKind::Corrupt, "the data of a constant are missing");
    tensor.bytes = plan.constants.size() - tensor.offset;
  }
  TensorId id = add(std::move(tensor));
  constants[value] = id;
  return id;
}
