//===- Dispatch.cpp - Kernels of our own in a plan ------------------------===//
#include "convert/plan/Context.h"

using namespace bessemer;
using namespace bessemer::plan;

/// Elements are counted and indexed in 32 bits.
static constexpr int64_t largestCount = INT32_MAX;
static constexpr int64_t groupSize = 256;

uint32_t PlanContext::Scope::close() {
  context.plan.blocks.push_back(std::move(context.openBlocks.back()));
  context.openBlocks.pop_back();
  context.denseCopies = std::move(denseCopies);
  context.sortedOrders = std::move(sortedOrders);
  return static_cast<uint32_t>(context.plan.blocks.size() - 1);
}

uint32_t PlanContext::source(KernelSource source) {
  auto number = static_cast<uint32_t>(plan.sources.size());
  // One text that stands at two places is two sources: faults name the place.
  std::string key = std::to_string(source.math) + source.source;
  for (const SourcePlace &place : source.places)
    key += '\0' + place.file + ':' + std::to_string(place.line);
  auto [entry, isNew] = sources.try_emplace(std::move(key), number);
  if (isNew)
    plan.sources.push_back(std::move(source));
  return entry->second;
}

void PlanContext::dispatchFlat(const std::string &text,
                               const std::string &kernel,
                               std::vector<KernelArg> arguments, Reg count,
                               const std::string &indexMessage) {
  if (!regs.require(RequireStep::Relation::LessEqual, count,
                    regs.constant(largestCount),
                    kernel + ": {a} elements are more than {b}"))
    fail(nullptr, ErrorKind::Unsupported,
         "a tensor of " + llvm::Twine(*regs.known(count)) +
             " elements; at most 2147483647 can be computed at once");
  Reg one = regs.constant(1);
  DispatchStep step;
  // Our own kernels say what they need; reassociation is not wanted.
  step.source = source({text, kernel + ".metal", /*Safe*/ 0, "", {}});
  step.kernel = kernel;
  step.arguments = std::move(arguments);
  step.threads = {count, one, one};
  step.groupSize = {regs.constant(groupSize), one, one};
  step.indexMessage = indexMessage;
  addStep(std::move(step));
}
