//===- ElementKernel.cpp - Source of a kernel over elements ---------------===//
#include "convert/plan/ElementKernel.h"

#include "bessemer/abi/launch.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace bessemer;
using namespace bessemer::plan;

static std::string metalName(DType dtype) {
  return std::string(dtypeMetalName(dtype));
}

/// One stride for each axis of the kernel's shape: aligned from the right, 0
/// where the tensor's extent is 1.
RegList ElementKernel::broadcastStrides(TensorId tensor) {
  Registers &regs = context.regs;
  RegList extents = context.info(tensor).shape;
  RegList own = context.stridesOf(tensor);
  RegList strides(shape.size(), regs.constant(0));
  size_t lead = shape.size() - extents.size();
  for (size_t i = 0; i < extents.size(); ++i) {
    if (regs.is(extents[i], 1))
      continue;
    Reg stride = own[i];
    // Whether it repeats is known at run time: factor 0 or 1.
    if (extents[i] != shape[lead + i])
      stride = regs.mul(stride, regs.min(regs.sub(extents[i], regs.constant(1)),
                                         regs.constant(1)));
    strides[lead + i] = stride;
  }
  return strides;
}

bool ElementKernel::followsThread(const RegList &strides) {
  RegList dense = context.regs.denseStrides(shape);
  for (size_t i = 0; i < shape.size(); ++i)
    if (strides[i] != dense[i] && !context.regs.is(shape[i], 1))
      return false;
  return true;
}

/// The index expression of a tensor's element, adding its buffer.
std::string ElementKernel::access(TensorId tensor, bool isWritten) {
  for (size_t i = 0; i < accesses.size(); ++i)
    if (accesses[i].tensor == tensor && accesses[i].isWritten == isWritten &&
        accesses[i].strides.size() == shape.size())
      return llvm::is_contained(split, i)         ? "o" + std::to_string(i)
             : followsThread(accesses[i].strides) ? "id"
                                                  : "0";
  size_t number = accesses.size();
  RegList strides = broadcastStrides(tensor);
  arguments.push_back(BufferArg{tensor});
  accesses.push_back({tensor, strides, isWritten});
  bool isOne = llvm::all_of(
      strides, [&](Reg stride) { return context.regs.is(stride, 0); });
  if (followsThread(strides))
    return "id";
  if (isOne)
    return "0";
  split.push_back(number);
  return "o" + std::to_string(number);
}

std::string ElementKernel::load(TensorId tensor) {
  std::string at = access(tensor, false);
  for (size_t i = 0; i < accesses.size(); ++i)
    if (accesses[i].tensor == tensor && !accesses[i].isWritten)
      return "b" + std::to_string(i) + "[" + at + "]";
  return "";
}

void ElementKernel::store(TensorId tensor, const std::string &value) {
  std::string at = access(tensor, true);
  line("b" + std::to_string(accesses.size() - 1) + "[" + at + "] = " + value +
       ";");
}

std::string ElementKernel::buffer(TensorId tensor) {
  arguments.push_back(BufferArg{tensor});
  accesses.push_back({tensor, {}, false});
  return "b" + std::to_string(accesses.size() - 1);
}

std::string ElementKernel::tensor(mlir::Operation *op, TensorId tensor,
                                  bool isWritten) {
  if (context.info(tensor).shape.size() > BSM_MAX_RANK)
    context.fail(op, ErrorKind::Unsupported,
                 "needs an index for more than " +
                     llvm::Twine(BSM_MAX_RANK - 1) + " axes");
  arguments.push_back(TensorArg{tensor});
  accesses.push_back({tensor, {}, isWritten, /*isChecked=*/true});
  return "b" + std::to_string(accesses.size() - 1);
}

std::string ElementKernel::index(size_t axis) {
  wantedIndices.push_back(axis);
  return "i" + std::to_string(axis);
}

/// Axes of extent 1 are left out; two neighbours become one where every stride
/// of the outer is the inner's times its extent.
std::vector<ElementKernel::Axis> ElementKernel::mergedAxes() {
  std::vector<Axis> axes;
  for (size_t i = 0; i < shape.size(); ++i) {
    Axis axis{shape[i], {}};
    for (size_t access : split)
      axis.strides.push_back(accesses[access].strides[i]);
    bool keepsApart = !wantedIndices.empty();
    if (context.regs.is(shape[i], 1) && !keepsApart)
      continue;
    bool merges = !axes.empty() && !keepsApart;
    for (size_t k = 0; merges && k < split.size(); ++k)
      merges = axes.back().strides[k] ==
               context.regs.mul(axis.strides[k], axis.extent);
    if (merges)
      axis.extent = context.regs.mul(axes.back().extent, axis.extent),
      axes.pop_back();
    axes.push_back(std::move(axis));
  }
  return axes;
}

std::string ElementKernel::number(Reg reg) {
  if (std::optional<int64_t> known = context.regs.known(reg))
    return std::to_string(*known) + "u";
  auto found = llvm::find(unknowns, reg);
  size_t place = found - unknowns.begin();
  if (found == unknowns.end())
    unknowns.push_back(reg);
  return "uint(p[" + std::to_string(place) + "])";
}

/// Declares the index of each axis and the offset of each split access.
std::string ElementKernel::offsets() {
  if (split.empty() && wantedIndices.empty())
    return "";
  std::vector<Axis> axes = mergedAxes();
  std::string text = "  uint rest = id;\n";
  for (size_t i = axes.size(); i-- > 0;) {
    std::string name = "i" + std::to_string(i);
    if (i == 0) {
      text += "  uint " + name + " = rest;\n";
      continue;
    }
    std::string extent = number(axes[i].extent);
    text += "  uint " + name + " = rest % " + extent + ";\n";
    text += "  rest /= " + extent + ";\n";
  }
  for (size_t k = 0; k < split.size(); ++k) {
    std::string sum;
    for (size_t i = 0; i < axes.size(); ++i) {
      Reg stride = axes[i].strides[k];
      if (context.regs.is(stride, 0))
        continue;
      sum += (sum.empty() ? "" : " + ") + ("i" + std::to_string(i));
      if (!context.regs.is(stride, 1))
        sum += " * " + number(stride);
    }
    text += "  uint o" + std::to_string(split[k]) + " = " +
            (sum.empty() ? "0u" : sum) + ";\n";
  }
  return text;
}

std::string ElementKernel::parameters() {
  std::string text;
  for (size_t i = 0; i < accesses.size(); ++i) {
    const TensorInfo &tensor = context.info(accesses[i].tensor);
    std::string element = std::string("device ") +
                          (accesses[i].isWritten ? "" : "const ") +
                          metalName(tensor.dtype);
    if (accesses[i].isChecked)
      text += "tensor<" + element + ", dextents<int, " +
              std::to_string(tensor.shape.size()) + ">, tensor_handle> b";
    else
      text += element + " *b";
    text += std::to_string(i) + " [[buffer(" + std::to_string(i) + ")]], ";
  }
  if (!unknowns.empty())
    text +=
        "constant int *p [[buffer(" + std::to_string(accesses.size()) + ")]], ";
  return text + "uint id [[thread_position_in_grid]]";
}

void ElementKernel::dispatch(const std::string &hint) {
  std::string declarations = offsets();
  std::string rest = "(" + parameters() + ") {\n" + declarations + body + "}\n";
  std::string hash =
      llvm::utohexstr(llvm::xxh3_64bits(helpers + rest), true, 16);
  std::string name = hint + "_" + hash.substr(0, 8);
  std::string text = "#include <metal_stdlib>\nusing namespace metal;\n" +
                     helpers + "\n[[kernel]] void " + name + rest;
  if (!unknowns.empty())
    arguments.push_back(ScalarArg{unknowns});
  context.dispatchFlat(text, name, arguments, context.regs.product(shape),
                       indexMessage);
}
