//===- Verify.cpp - Plans that the executor may trust ---------------------===//
#include "plan/Verify.h"

#include <algorithm>
#include <utility>

using namespace bessemer;
using namespace bessemer::plan;

namespace {
/// Walks a plan in execution order and keeps what is defined so far.
class Verifier {
public:
  explicit Verifier(const Plan &plan) : plan(plan) {}
  Status run();

private:
  // Each check returns true if all is well, else sets `problem`.
  bool fail(std::string text) {
    problem = std::move(text);
    return false;
  }
  bool checkRegister(Reg reg);
  bool checkRegisters(const std::vector<Reg> &regs);
  bool checkTensorStatic(TensorId id);
  bool checkPort(const Port &port, Storage storage, size_t number);
  bool checkShapeKnown(TensorId id);
  bool use(TensorId id);
  bool define(TensorId id);
  TensorId base(TensorId id) const;

  bool step(const ScalarStep &step);
  bool step(const RequireStep &step);
  bool step(const DispatchStep &step);
  bool step(const GemmStep &step);
  bool step(const CopyStep &step);
  bool step(const ConvolutionStep &step);
  bool step(const IfStep &step);
  bool step(const WhileStep &step);
  bool checkCondition(TensorId id);
  bool runBlock(uint32_t number);

  const Plan &plan;
  std::vector<bool> registers; ///< Defined so far.
  std::vector<bool> tensors;   ///< Bytes written so far, by base tensor.
  std::vector<bool> visited;   ///< Blocks.
  std::string problem;
};
} // namespace

bool Verifier::checkRegister(Reg reg) {
  if (reg >= plan.registerCount)
    return fail("register " + std::to_string(reg) + " does not exist");
  if (!registers[reg])
    return fail("register " + std::to_string(reg) +
                " is used before it is set");
  return true;
}

bool Verifier::checkRegisters(const std::vector<Reg> &regs) {
  return std::all_of(regs.begin(), regs.end(),
                     [&](Reg reg) { return checkRegister(reg); });
}

/// What can be said of a tensor without running anything.
bool Verifier::checkTensorStatic(TensorId id) {
  const TensorInfo &tensor = plan.tensors[id];
  if (dtypeSize(tensor.dtype) == 0)
    return fail("has no element type");
  if (!tensor.strides.empty() && tensor.strides.size() != tensor.shape.size())
    return fail("has a different number of strides and extents");
  auto exists = [&](Reg reg) { return reg < plan.registerCount; };
  if (!std::all_of(tensor.shape.begin(), tensor.shape.end(), exists) ||
      !std::all_of(tensor.strides.begin(), tensor.strides.end(), exists))
    return fail("names a register that does not exist");
  switch (tensor.storage) {
  case Storage::Input:
    return tensor.index < plan.inputs.size() ||
           fail("is bound to an input that does not exist");
  case Storage::Output:
    return tensor.index < plan.outputs.size() ||
           fail("is bound to an output that does not exist");
  case Storage::State:
    return tensor.index < plan.states.size() ||
           fail("is bound to a state that does not exist");
  case Storage::Constant:
    return (tensor.offset <= plan.constants.size() &&
            tensor.bytes <= plan.constants.size() - tensor.offset &&
            tensor.offset % 64 == 0) ||
           fail("lies outside the constants");
  case Storage::File:
    return (tensor.offset <= plan.fileBytes &&
            tensor.bytes <= plan.fileBytes - tensor.offset &&
            tensor.offset % 64 == 0) ||
           fail("lies outside the program's file");
  case Storage::Arena:
    return true;
  case Storage::Alias:
    // Only tensors before it: so chains end, at a tensor with bytes.
    return (tensor.index < id && tensor.offsetReg < plan.registerCount) ||
           fail("is an alias of a tensor that does not precede it");
  }
  return fail("has no storage");
}

TensorId Verifier::base(TensorId id) const {
  while (plan.tensors[id].storage == Storage::Alias)
    id = plan.tensors[id].index;
  return id;
}

/// All registers that say where and how large the tensor is are set.
bool Verifier::checkShapeKnown(TensorId id) {
  if (id >= plan.tensors.size())
    return fail("tensor " + std::to_string(id) + " does not exist");
  for (;; id = plan.tensors[id].index) {
    const TensorInfo &tensor = plan.tensors[id];
    if (!checkRegisters(tensor.shape) || !checkRegisters(tensor.strides))
      return false;
    if (tensor.storage != Storage::Alias)
      return true;
    if (!checkRegister(tensor.offsetReg))
      return false;
  }
}

bool Verifier::use(TensorId id) {
  if (!checkShapeKnown(id))
    return false;
  return tensors[base(id)] ||
         fail("tensor " + std::to_string(id) + " is used before it is written");
}

bool Verifier::define(TensorId id) {
  if (!checkShapeKnown(id))
    return false;
  Storage storage = plan.tensors[base(id)].storage;
  if (storage == Storage::Constant || storage == Storage::File ||
      storage == Storage::Input)
    return fail("tensor " + std::to_string(id) + " must not be written");
  tensors[base(id)] = true;
  return true;
}

bool Verifier::step(const ScalarStep &step) {
  if (step.op == ScalarOp::Dim) {
    if (step.a >= plan.inputs.size())
      return fail("input " + std::to_string(step.a) + " does not exist");
    if (step.immediate < 0 ||
        step.immediate >= int64_t(plan.inputs[step.a].shape.size()))
      return fail("input " + std::to_string(step.a) + " has no dimension " +
                  std::to_string(step.immediate));
  } else if (step.op == ScalarOp::Read) {
    if (!use(step.a))
      return false;
    DType type = plan.tensors[step.a].dtype;
    if (type == DType::F16 || type == DType::BF16 || type == DType::F32 ||
        type == DType::F64)
      return fail("a register is read from a tensor of floats");
  } else if (step.op != ScalarOp::Constant) {
    if (!checkRegister(step.a) || !checkRegister(step.b))
      return false;
  }
  if (step.dst >= plan.registerCount)
    return fail("register " + std::to_string(step.dst) + " does not exist");
  registers[step.dst] = true;
  return true;
}

bool Verifier::step(const RequireStep &step) {
  return checkRegister(step.a) && checkRegister(step.b);
}

bool Verifier::step(const DispatchStep &step) {
  if (step.source >= plan.sources.size())
    return fail("source " + std::to_string(step.source) + " does not exist");
  for (Reg reg : step.threads)
    if (!checkRegister(reg))
      return false;
  for (Reg reg : step.groupSize)
    if (!checkRegister(reg))
      return false;
  // Which arguments a kernel writes is known once it is compiled: an Arena or
  // Output tensor that nothing wrote before is taken as a result.
  for (const KernelArg &argument : step.arguments) {
    if (auto *scalars = std::get_if<ScalarArg>(&argument)) {
      if (!checkRegisters(scalars->values))
        return false;
      continue;
    }
    if (std::holds_alternative<BytesArg>(argument))
      continue;
    auto *buffer = std::get_if<BufferArg>(&argument);
    TensorId id =
        buffer ? buffer->tensor : std::get<TensorArg>(argument).tensor;
    if (!checkShapeKnown(id))
      return false;
    tensors[base(id)] = true;
  }
  return true;
}

static bool isGemmType(DType type) {
  return type == DType::F32 || type == DType::F16 || type == DType::BF16;
}

bool Verifier::step(const GemmStep &step) {
  if (!use(step.a) || !use(step.b) || (step.hasBias && !use(step.bias)) ||
      !define(step.c))
    return false;
  const TensorInfo &a = plan.tensors[step.a], &b = plan.tensors[step.b],
                   &c = plan.tensors[step.c];
  if (a.shape.size() < 2 || b.shape.size() < 2 ||
      c.shape.size() != std::max(a.shape.size(), b.shape.size()))
    return fail("the ranks of a matrix product do not fit");
  if (!isGemmType(a.dtype) || !isGemmType(b.dtype) || !isGemmType(c.dtype) ||
      (step.hasBias && !isGemmType(plan.tensors[step.bias].dtype)))
    return fail("a matrix product needs float32, float16 or bfloat16");
  if (step.hasBias && plan.tensors[step.bias].shape.size() != 1)
    return fail("the bias of a matrix product has one dimension");
  return true;
}

bool Verifier::step(const CopyStep &step) {
  if (!use(step.from) || !define(step.to))
    return false;
  const TensorInfo &from = plan.tensors[step.from], &to = plan.tensors[step.to];
  return (from.dtype == to.dtype && from.shape.size() == to.shape.size()) ||
         fail("a copy changes rank or element type");
}

static bool areAtLeast(const std::vector<int64_t> &values, int64_t least,
                       size_t count) {
  return values.size() == count &&
         std::all_of(values.begin(), values.end(), [&](int64_t value) {
           return value >= least && value <= INT32_MAX;
         });
}

bool Verifier::step(const ConvolutionStep &step) {
  if (!use(step.input) || !use(step.weight) || !define(step.output))
    return false;
  const TensorInfo &input = plan.tensors[step.input],
                   &weight = plan.tensors[step.weight],
                   &output = plan.tensors[step.output];
  size_t rank = input.shape.size();
  if ((rank != 4 && rank != 5) || weight.shape.size() != rank ||
      output.shape.size() != rank)
    return fail("a convolution needs tensors of rank 4 or 5");
  if (!isGemmType(input.dtype) || weight.dtype != input.dtype ||
      output.dtype != input.dtype)
    return fail("a convolution needs tensors of one float type");
  if (!input.strides.empty() || !weight.strides.empty() ||
      !output.strides.empty())
    return fail("a convolution needs dense tensors");
  return (step.groups >= 1 && areAtLeast(step.strides, 1, rank - 2) &&
          areAtLeast(step.dilations, 1, rank - 2) &&
          areAtLeast(step.paddings, 0, rank - 2)) ||
         fail("a convolution has impossible parameters");
}

bool Verifier::checkCondition(TensorId id) {
  return use(id) && (plan.tensors[id].dtype == DType::Bool ||
                     fail("a condition is not boolean"));
}

/// One step names each block, so that this ends.
bool Verifier::runBlock(uint32_t number) {
  if (number >= plan.blocks.size() || visited[number])
    return fail("block " + std::to_string(number) +
                " does not exist or is named twice");
  visited[number] = true;
  for (const Step &inner : plan.blocks[number])
    if (!std::visit([&](const auto &s) { return step(s); }, inner))
      return false;
  return true;
}

/// What both branches make is made.
bool Verifier::step(const IfStep &step) {
  if (!checkCondition(step.condition))
    return false;
  std::vector<bool> known = registers, written = tensors;
  if (!runBlock(step.thenBlock))
    return false;
  std::swap(registers, known);
  std::swap(tensors, written);
  if (!runBlock(step.elseBlock))
    return false;
  for (size_t i = 0; i < registers.size(); ++i)
    registers[i] = registers[i] && known[i];
  for (size_t i = 0; i < tensors.size(); ++i)
    tensors[i] = tensors[i] && written[i];
  return true;
}

/// The body may not run.
bool Verifier::step(const WhileStep &step) {
  if (!runBlock(step.before) || !checkCondition(step.condition))
    return false;
  std::vector<bool> known = registers, written = tensors;
  if (!runBlock(step.body))
    return false;
  registers = std::move(known);
  tensors = std::move(written);
  return true;
}

bool Verifier::checkPort(const Port &port, Storage storage, size_t number) {
  if (port.tensor >= plan.tensors.size())
    return fail("names a tensor that does not exist");
  const TensorInfo &tensor = plan.tensors[port.tensor];
  if (tensor.shape.size() != port.shape.size())
    return fail("has another rank than its tensor");
  if (std::any_of(port.shape.begin(), port.shape.end(),
                  [](int64_t extent) { return extent < -1; }))
    return fail("has a negative extent");
  if (storage == Storage::Input &&
      (tensor.storage != Storage::Input || tensor.index != number))
    return fail("is not bound to its tensor");
  return true;
}

static Error corrupt(const std::string &where, const std::string &what) {
  return makeError(ErrorKind::Corrupt,
                   "the compiled plan is damaged: " + where + " " + what);
}

Status Verifier::run() {
  // The counts bound the work and memory of a run.
  if (plan.registerCount > 1u << 24)
    return corrupt("it", "has too many registers");
  // Blocks nest at most as deep as there are blocks.
  if (plan.blocks.size() > 1u << 12)
    return corrupt("it", "has too many blocks");
  visited.assign(plan.blocks.size(), false);
  registers.assign(plan.registerCount, false);
  tensors.assign(plan.tensors.size(), false);
  for (TensorId id = 0; id < plan.tensors.size(); ++id) {
    if (!checkTensorStatic(id))
      return corrupt("tensor " + std::to_string(id), problem);
    Storage storage = plan.tensors[id].storage;
    tensors[id] = storage == Storage::Input || storage == Storage::Constant ||
                  storage == Storage::File || storage == Storage::State;
  }
  for (size_t i = 0; i < plan.inputs.size(); ++i)
    if (!checkPort(plan.inputs[i], Storage::Input, i))
      return corrupt("input " + std::to_string(i), problem);
  for (size_t i = 0; i < plan.states.size(); ++i)
    if (!checkPort(plan.states[i], Storage::State, i))
      return corrupt("state " + std::to_string(i), problem);
  for (size_t i = 0; i < plan.steps.size(); ++i)
    if (!std::visit([&](const auto &s) { return step(s); }, plan.steps[i]))
      return corrupt("step " + std::to_string(i) + ":", problem);
  for (size_t i = 0; i < plan.outputs.size(); ++i)
    if (!checkPort(plan.outputs[i], Storage::Output, i) ||
        !use(plan.outputs[i].tensor))
      return corrupt("output " + std::to_string(i), problem);
  return {};
}

Status plan::verify(const Plan &plan) { return Verifier(plan).run(); }
