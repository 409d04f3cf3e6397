//===- PrintPlan.cpp - Plans as text --------------------------------------===//
#include "PrintPlan.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace bessemer;
using namespace bessemer::plan;

namespace {
class Printer {
public:
  Printer(const Plan &plan, llvm::raw_ostream &stream)
      : plan(plan), stream(stream) {}
  void run(bool withSources);

private:
  std::string reg(Reg reg);
  std::string list(llvm::ArrayRef<Reg> regs);
  void port(const char *kind, size_t number, const Port &port);
  void tensor(TensorId id);
  void step(const ScalarStep &step);
  void step(const RequireStep &step);
  void step(const DispatchStep &step);
  void step(const GemmStep &step);
  void step(const CopyStep &step);
  void step(const ConvolutionStep &step);
  void step(const IfStep &step);
  void step(const WhileStep &step);
  std::string argument(const KernelArg &argument);

  const Plan &plan;
  llvm::raw_ostream &stream;
  std::map<Reg, int64_t> constants;
};
} // namespace

static std::string name(TensorId id) { return "t" + llvm::utostr(id); }

std::string Printer::reg(Reg reg) {
  auto found = constants.find(reg);
  return found == constants.end() ? "r" + llvm::utostr(reg)
                                  : llvm::itostr(found->second);
}

std::string Printer::list(llvm::ArrayRef<Reg> regs) {
  std::string text;
  for (Reg r : regs)
    text += (text.empty() ? "" : ", ") + reg(r);
  return "[" + text + "]";
}

void Printer::port(const char *kind, size_t number, const Port &port) {
  stream << kind << ' ' << number << " \"" << port.name
         << "\": " << name(port.tensor) << " ["
         << llvm::join(llvm::map_range(port.shape,
                                       [](int64_t extent) {
                                         return extent < 0
                                                    ? std::string("?")
                                                    : llvm::itostr(extent);
                                       }),
                       ", ")
         << "]\n";
}

void Printer::tensor(TensorId id) {
  const TensorInfo &info = plan.tensors[id];
  stream << name(id) << ": " << dtypeName(info.dtype) << list(info.shape);
  if (!info.strides.empty())
    stream << " strides " << list(info.strides);
  switch (info.storage) {
  case Storage::Input:
    stream << " input " << info.index;
    break;
  case Storage::Output:
    stream << " output " << info.index;
    break;
  case Storage::Constant:
    stream << " constant " << info.bytes << " bytes";
    break;
  case Storage::File:
    stream << " file " << info.bytes << " bytes";
    break;
  case Storage::State:
    stream << " state " << info.index;
    break;
  case Storage::Arena:
    stream << " arena";
    break;
  case Storage::Alias:
    stream << " alias " << name(info.index) << " + " << reg(info.offsetReg);
    break;
  }
  stream << '\n';
}

void Printer::step(const ScalarStep &step) {
  static constexpr const char *ops[] = {
      "constant", "dim", "add", "sub", "mul", "floordiv",
      "ceildiv",  "mod", "min", "max", "read"};
  if (step.op == ScalarOp::Constant)
    return;
  stream << 'r' << step.dst << " = " << ops[static_cast<size_t>(step.op)];
  if (step.op == ScalarOp::Dim)
    stream << " input " << step.a << " axis " << step.immediate << '\n';
  else if (step.op == ScalarOp::Read)
    stream << ' ' << name(step.a) << " element " << step.immediate << '\n';
  else
    stream << ' ' << reg(step.a) << ", " << reg(step.b) << '\n';
}

void Printer::step(const RequireStep &step) {
  bool isEqual = step.relation == RequireStep::Relation::Equal;
  stream << "require " << reg(step.a) << (isEqual ? " == " : " <= ")
         << reg(step.b) << " \"" << step.message << "\"\n";
}

std::string Printer::argument(const KernelArg &argument) {
  if (auto *buffer = std::get_if<BufferArg>(&argument))
    return "buffer " + name(buffer->tensor);
  if (auto *tensor = std::get_if<TensorArg>(&argument))
    return "tensor " + name(tensor->tensor);
  if (auto *scalars = std::get_if<ScalarArg>(&argument))
    return "scalars " + list(scalars->values);
  return "bytes 0x" + llvm::toHex(std::get<BytesArg>(argument).bytes);
}

void Printer::step(const DispatchStep &step) {
  std::vector<std::string> arguments;
  for (const KernelArg &each : step.arguments)
    arguments.push_back(argument(each));
  stream << "dispatch " << step.kernel << " of source " << step.source << " ("
         << llvm::join(arguments, ", ") << ") threads " << list(step.threads)
         << " group " << list(step.groupSize) << '\n';
}

void Printer::step(const GemmStep &step) {
  stream << name(step.c) << " = gemm " << name(step.a)
         << (step.transposeA ? "^T" : "") << ", " << name(step.b)
         << (step.transposeB ? "^T" : "");
  if (step.hasBias)
    stream << " + " << name(step.bias);
  stream << '\n';
}

void Printer::step(const CopyStep &step) {
  stream << name(step.to) << " = copy " << name(step.from) << '\n';
}

void Printer::step(const ConvolutionStep &step) {
  stream << name(step.output) << " = convolution " << name(step.input) << ", "
         << name(step.weight) << " groups " << step.groups << '\n';
}

void Printer::step(const IfStep &step) {
  stream << "if " << name(step.condition) << " block " << step.thenBlock
         << " else block " << step.elseBlock << '\n';
}

void Printer::step(const WhileStep &step) {
  stream << "while block " << step.before << " makes " << name(step.condition)
         << " block " << step.body << '\n';
}

void Printer::run(bool withSources) {
  for (const Step &each : plan.steps)
    if (auto *scalar = std::get_if<ScalarStep>(&each))
      if (scalar->op == ScalarOp::Constant)
        constants[scalar->dst] = scalar->immediate;
  stream << "function " << plan.function << '\n';
  for (size_t i = 0; i < plan.inputs.size(); ++i)
    port("input", i, plan.inputs[i]);
  for (size_t i = 0; i < plan.outputs.size(); ++i)
    port("output", i, plan.outputs[i]);
  for (size_t i = 0; i < plan.states.size(); ++i)
    port("state", i, plan.states[i]);
  for (TensorId id = 0; id < plan.tensors.size(); ++id)
    tensor(id);
  for (const Step &each : plan.steps)
    std::visit([&](const auto &s) { step(s); }, each);
  for (size_t i = 0; i < plan.blocks.size(); ++i) {
    stream << "block " << i << ":\n";
    for (const Step &each : plan.blocks[i])
      std::visit([&](const auto &s) { step(s); }, each);
  }
  for (size_t i = 0; withSources && i < plan.sources.size(); ++i) {
    const KernelSource &source = plan.sources[i];
    stream << "source " << i << " math " << int(source.math) << " "
           << source.fileName << ":\n"
           << source.source << '\n';
    for (const SourcePlace &place : source.places)
      stream << source.kernel << " line " << place.generated << ": "
             << place.file << ":" << place.line << '\n';
  }
}

void bessemer::printPlan(const Plan &plan, bool withSources,
                         llvm::raw_ostream &stream) {
  Printer(plan, stream).run(withSources);
}
