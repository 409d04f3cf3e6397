//===- Kernel.cpp - Custom kernels in a plan ------------------------------===//
#include "convert/plan/KernelPlaces.h"
#include "convert/plan/Steps.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace bessemer::plan;
using namespace mlir;

static constexpr int64_t largestThreadgroup = 1024;
static constexpr uint8_t relaxedMath = 1;

/// The three registers of a grid or threadgroup size.
static std::array<Reg, 3> gridOf(PlanContext &context, Metal4KernelOp op,
                                 Value vector, StringRef what) {
  std::optional<RegList> sizes = context.integersOf(vector);
  if (sizes && sizes->size() == 3)
    return {(*sizes)[0], (*sizes)[1], (*sizes)[2]};
  context.fail(
      op, ErrorKind::Unsupported,
      "kernel " + op.getKernelName() + ": " + what +
          " depends on the values of a tensor; compute it from shapes");
  return {};
}

/// 1 to 1024 threads, each extent at least 1.
static void checkThreadgroup(PlanContext &context, Metal4KernelOp op,
                             const std::array<Reg, 3> &sizes) {
  Registers &regs = context.regs;
  std::string kernel = "kernel " + op.getKernelName().str();
  Reg one = regs.constant(1), limit = regs.constant(largestThreadgroup);
  using Relation = RequireStep::Relation;
  for (Reg size : sizes)
    if (!regs.require(Relation::LessEqual, one, size,
                      kernel + ": a threadgroup extent is {b}; it must be at "
                               "least {a}"))
      context.fail(op, ErrorKind::InvalidArgument,
                   kernel + ": a threadgroup extent is 0; it must be at least "
                            "1");
  Reg threads = regs.product({sizes[0], sizes[1], sizes[2]});
  if (!regs.require(Relation::LessEqual, threads, limit,
                    kernel + ": a threadgroup has {a} threads; at most {b} are "
                             "possible"))
    context.fail(op, ErrorKind::InvalidArgument,
                 kernel + ": a threadgroup has " + Twine(*regs.known(threads)) +
                     " threads; at most 1024 are possible");
}

/// A rank-0 operand is a `constant T &` parameter, others are tensor handles.
static KernelArg argument(PlanContext &context, Value operand) {
  TensorId id = context.dense(context.tensorOf(operand));
  const TensorInfo &tensor = context.info(id);
  if (!tensor.shape.empty())
    return TensorArg{id};
  if (tensor.storage != Storage::Constant)
    return BufferArg{id};
  auto begin = context.plan.constants.begin() + tensor.offset;
  return BytesArg{std::vector<uint8_t>(begin, begin + tensor.bytes)};
}

bool bessemer::emitKernel(PlanContext &context, Operation *op) {
  auto kernel = dyn_cast<Metal4KernelOp>(op);
  if (!kernel)
    return false;
  DispatchStep step;
  step.kernel = kernel.getKernelName().str();
  step.threads =
      gridOf(context, kernel, kernel.getThreadsPerGrid(), "threads_per_grid");
  step.groupSize = gridOf(context, kernel, kernel.getThreadsPerThreadGroup(),
                          "threads_per_thread_group");
  if (context.hasFailed())
    return true;
  checkThreadgroup(context, kernel, step.groupSize);
  for (Value operand : kernel.getKernelArgs())
    step.arguments.push_back(argument(context, operand));
  step.inputs = step.arguments.size();
  step.clearsResults = true;
  // Results are tensor handles of any rank.
  for (Value result : kernel.getOuts())
    step.arguments.push_back(TensorArg{context.allocate(result)});
  KernelSource source{kernel.getKernelSource().str(),
                      step.kernel + ".metal",
                      relaxedMath,
                      "",
                      {}};
  readPlaces(kernel, source);
  step.source = context.source(std::move(source));
  context.addStep(std::move(step));
  return true;
}
