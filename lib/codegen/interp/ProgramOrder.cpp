//===- ProgramOrder.cpp - Which of two points comes first -----------------===//
#include "codegen/interp/ProgramOrder.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

using namespace bessemer::codegen;
using namespace bessemer::codegen::interp;
using namespace llvm;

namespace {
/// A region is the function (null loop) or a loop without its back edges. Its
/// nodes are blocks and inner loops, each named by a block: itself, the header.
class Region {
public:
  Region(const LoopInfo &info, const Loop *loop) : info(info), loop(loop) {}

  /// The loop directly inside this region that holds `block`, or null.
  const Loop *innerLoop(const BasicBlock *block) const {
    const Loop *inner = info.getLoopFor(block);
    while (inner && inner != loop && inner->getParentLoop() != loop)
      inner = inner->getParentLoop();
    return inner == loop ? nullptr : inner;
  }

  /// Nodes that control may go to from `node`, within the region.
  SmallVector<const BasicBlock *, 4> successors(const BasicBlock *node) const {
    SmallVector<BasicBlock *, 8> targets;
    if (const Loop *inner = innerLoop(node))
      inner->getExitBlocks(targets);
    else
      append_range(targets, llvm::successors(const_cast<BasicBlock *>(node)));
    SmallVector<const BasicBlock *, 4> nodes;
    for (BasicBlock *target : targets) {
      if (loop && (!loop->contains(target) || target == loop->getHeader()))
        continue;
      const Loop *inner = innerLoop(target);
      nodes.push_back(inner ? inner->getHeader() : target);
    }
    return nodes;
  }

private:
  const LoopInfo &info;
  const Loop *loop;
};
} // namespace

/// Reverse post-order of the region's nodes. Cycles that are no loops
/// (irreducible control) are cut where they close.
static std::vector<const BasicBlock *> order(const Region &region,
                                             const BasicBlock *entry) {
  struct Pending {
    const BasicBlock *node;
    SmallVector<const BasicBlock *, 4> successors;
  };
  std::vector<const BasicBlock *> postOrder;
  SmallPtrSet<const BasicBlock *, 32> seen{entry};
  std::vector<Pending> stack{{entry, region.successors(entry)}};
  while (!stack.empty()) {
    if (stack.back().successors.empty()) {
      postOrder.push_back(stack.back().node);
      stack.pop_back();
      continue;
    }
    const BasicBlock *next = stack.back().successors.pop_back_val();
    if (seen.insert(next).second)
      stack.push_back({next, region.successors(next)});
  }
  return {postOrder.rbegin(), postOrder.rend()};
}

ProgramOrder::ProgramOrder(const Function &function) {
  DominatorTree dominators(const_cast<Function &>(function));
  LoopInfo info(dominators);
  orderRegion(info, nullptr, &function.getEntryBlock(), {});
}

void ProgramOrder::orderRegion(const LoopInfo &info, const Loop *loop,
                               const BasicBlock *entry, const Path &prefix) {
  Region region(info, loop);
  unsigned position = 0;
  for (const BasicBlock *node : order(region, entry)) {
    Path path = prefix;
    // The region's own header is a block of it, not an inner loop.
    const Loop *inner = region.innerLoop(node);
    path.push_back({position++, inner ? loops : noLoop});
    if (!inner) {
      paths[node] = std::move(path);
      continue;
    }
    headers[node] = loops++;
    orderRegion(info, inner, node, path);
  }
}

void ProgramOrder::enter(const BasicBlock *from, const BasicBlock *to,
                         MutableArrayRef<uint64_t> iterations) const {
  auto header = headers.find(to);
  if (header == headers.end())
    return;
  unsigned loop = header->second;
  auto isSame = [loop](const Node &node) { return node.loop == loop; };
  bool isBackEdge = any_of(paths.find(from)->second, isSame);
  iterations[loop] = isBackEdge ? iterations[loop] + 1 : 0;
}

int ProgramOrder::compare(const BasicBlock *left,
                          ArrayRef<uint64_t> leftIterations,
                          const BasicBlock *right,
                          ArrayRef<uint64_t> rightIterations) const {
  auto sign = [](uint64_t a, uint64_t b) { return a < b ? -1 : a > b; };
  const Path &leftPath = paths.find(left)->second;
  const Path &rightPath = paths.find(right)->second;
  for (unsigned i = 0; i < leftPath.size() && i < rightPath.size(); ++i) {
    if (int result = sign(leftPath[i].position, rightPath[i].position))
      return result;
    unsigned loop = leftPath[i].loop;
    if (loop == noLoop)
      return 0;
    if (int result = sign(leftIterations[loop], rightIterations[loop]))
      return result;
  }
  return 0;
}
