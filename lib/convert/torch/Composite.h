//===- Composite.h - Layers that ATen keeps whole ---------------*- C++ -*-===//
#ifndef BESSEMER_CONVERT_TORCH_COMPOSITE_H
#define BESSEMER_CONVERT_TORCH_COMPOSITE_H

#include "convert/torch/Lowerings.h"

namespace bessemer {

void addNormalisationLowerings(LoweringTable &table);
void addWindowLowerings(LoweringTable &table);
void addIndexLowerings(LoweringTable &table);
void addScatterLowerings(LoweringTable &table);
void addSortLowerings(LoweringTable &table);

} // namespace bessemer

#endif // BESSEMER_CONVERT_TORCH_COMPOSITE_H
