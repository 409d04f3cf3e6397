//===- CpuKernel.cpp - The compiled bodies of one kernel ------------------===//
#include "runtime/CpuKernel.h"

#include "runtime/Fork.h"

#include <algorithm>

using namespace bessemer;
using namespace bessemer::runtime;

Result<const bsm_kernel *> CpuKernel::body(const GroupShape &group) {
  ForkSection section;
  Body *body;
  {
    std::lock_guard lock(mutex);
    std::unique_ptr<Body> &slot = bodies[group];
    if (!slot)
      slot = std::make_unique<Body>();
    body = slot.get();
  }
  std::lock_guard lock(body->mutex);
  if (!body->kernel)
    if (Status status = compile(*body, group); !status)
      return status.error();
  return body->kernel;
}

Status CpuKernel::compile(Body &body, const GroupShape &group) {
  Result<std::string> object = code.object(theInfo.name, group);
  if (!object)
    return object.error();
  Result<std::shared_ptr<CompiledLibrary>> library =
      CompiledLibrary::load(*object);
  if (!library)
    return library.error();
  const bsm_kernel *kernel = (*library)->find(theInfo.name);
  GroupShape any{0, 0, 0};
  if (!kernel || !kernel->run ||
      !(std::equal(group.begin(), group.end(), kernel->group) ||
        std::equal(any.begin(), any.end(), kernel->group)))
    return makeError(ErrorKind::Internal,
                     "the compiled code of kernel '" + theInfo.name +
                         "' holds no body for this threadgroup shape");
  body.library = std::move(*library);
  body.kernel = kernel;
  return {};
}
