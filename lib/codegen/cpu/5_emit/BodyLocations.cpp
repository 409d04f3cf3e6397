//===- BodyLocations.cpp - Source locations of a body ---------------------===//

#include "codegen/cpu/5_emit/BodyLocations.h"

using namespace llvm;

namespace bessemer::codegen::cpu {

BodyLocations::BodyLocations(const Function &region, Function &body,
                             bool keep) {
  DISubprogram *original = region.getSubprogram();
  if (!original || !keep)
    return;
  subprogram = MDNode::replaceWithDistinct(original->clone());
  body.setSubprogram(subprogram);
}

DebugLoc BodyLocations::map(const DebugLoc &location) {
  return location && subprogram ? DebugLoc(map(location.get())) : DebugLoc();
}

DILocation *BodyLocations::map(DILocation *location) {
  DILocation *&entry = mapped[location];
  if (entry)
    return entry;
  DILocation *caller = location->getInlinedAt();
  // Lexical blocks of the region itself are dropped: they name its subprogram.
  Metadata *scope = caller ? location->getRawScope() : subprogram;
  DILocation *moved = DILocation::get(
      location->getContext(), location->getLine(), location->getColumn(), scope,
      caller ? map(caller) : nullptr);
  return mapped[location] = moved;
}

} // namespace bessemer::codegen::cpu
