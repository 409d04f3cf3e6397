//===- SourceLine.cpp - Where in the user's source ------------------------===//

#include "codegen/common/SourceLine.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;

namespace bessemer::codegen {

namespace {

const DILocation *userLocation(const Instruction &instruction) {
  const DILocation *innermost = instruction.getDebugLoc().get();
  const DISubprogram *kernel = instruction.getFunction()->getSubprogram();
  if (!innermost || !kernel)
    return innermost;
  for (const DILocation *at = innermost; at; at = at->getInlinedAt())
    if (at->getFile() == kernel->getFile() && at->getLine())
      return at;
  return innermost;
}

} // namespace

unsigned sourceLine(const Instruction &instruction) {
  const DILocation *location = userLocation(instruction);
  return location ? location->getLine() : 0;
}

std::string atSourceLine(const Instruction &instruction) {
  const DILocation *location = userLocation(instruction);
  if (!location || !location->getLine())
    return "";
  return location->getFilename().str() + ":" +
         std::to_string(location->getLine()) + ": ";
}

} // namespace bessemer::codegen
