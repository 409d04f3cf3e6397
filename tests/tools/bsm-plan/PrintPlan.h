//===- PrintPlan.h - Plans as text ------------------------------*- C++ -*-===//
#ifndef BESSEMER_TESTS_TOOLS_PRINTPLAN_H
#define BESSEMER_TESTS_TOOLS_PRINTPLAN_H

#include "plan/Plan.h"

#include "llvm/Support/raw_ostream.h"

namespace bessemer {

/// One line for each port, tensor and step; constant registers as numbers.
void printPlan(const plan::Plan &plan, bool withSources,
               llvm::raw_ostream &stream);

} // namespace bessemer

#endif // BESSEMER_TESTS_TOOLS_PRINTPLAN_H
