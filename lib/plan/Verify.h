//===- Verify.h - Plans that the executor may trust -------------*- C++ -*-===//
#ifndef BESSEMER_PLAN_VERIFY_H
#define BESSEMER_PLAN_VERIFY_H

#include "bessemer/result.h"
#include "plan/Plan.h"

namespace bessemer::plan {

/// Every index is in range, every step uses registers and tensors that an
/// earlier step defined, aliases end at a tensor with bytes of its own, and
/// constants lie inside Plan::constants. Errors name the step or tensor.
Status verify(const Plan &plan);

} // namespace bessemer::plan

#endif // BESSEMER_PLAN_VERIFY_H
