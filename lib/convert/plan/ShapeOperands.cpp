//===- ShapeOperands.cpp - Which operands are shapes ----------------------===//
#include "convert/plan/Context.h"
#include "convert/plan/Pointwise.h"

using namespace bessemer;
using namespace bessemer::coreai;
using namespace mlir;

bool bessemer::isShapeOperand(Operation *op, unsigned index) {
  if (isPointwise(op))
    return false;
  if (auto kernel = dyn_cast<Metal4KernelOp>(op))
    return index >= kernel.getKernelArgs().size();
  if (isa<GetShapeOp>(op))
    return true;
  if (isa<ConcatOp>(op))
    return index == 0;
  if (isa<SliceUpdateOp, GatherAlongAxisOp, Conv2dOp, Conv3dOp>(op))
    return index >= 2;
  if (isa<ScatterAlongAxisOp>(op))
    return index >= 3;
  if (isa<PadOp>(op))
    return index == 1;
  bool hasOneTensor =
      isa<ReshapeOp, TransposeOp, SliceOp, ExpandDimsOp, ShrinkDimsOp,
          BroadcastToOp, BroadcastInDimsOp, TileOp, ReverseOp, SoftmaxOp,
          ArgmaxOp, ScanOp, SortOp, ArgsortOp, ReduceSumOp, ReduceMeanOp,
          ReduceMaxOp, ReduceMinOp, ReduceProductOp, AnyOp, AllOp, SumPool2dOp,
          SumPool3dOp, MaxPool2dOp, MaxPool3dOp>(op);
  return hasOneTensor && index >= 1;
}
