//===- CpuKernel.cpp - The compiled bodies of one kernel ------------------===//
#include "runtime/CpuKernel.h"

#include "runtime/Fork.h"

#include <algorithm>

using namespace bessemer;
using namespace bessemer::runtime;

CpuKernel::Body &CpuKernel::bodyFor(const Specialisation &form) {
  std::lock_guard lock(mutex);
  // What serves all grids serves those of complete groups as well.
  if (auto general = bodies.find({form.group, /*completeGroups=*/false});
      general != bodies.end() && general->second->kernel.load())
    return *general->second;
  std::unique_ptr<Body> &slot = bodies[form];
  if (!slot)
    slot = std::make_unique<Body>();
  return *slot;
}

Result<const bsm_kernel *> CpuKernel::body(const Specialisation &form) {
  ForkSection section;
  Body &body = bodyFor(form);
  if (const bsm_kernel *made = body.kernel.load())
    return made;
  std::lock_guard lock(body.mutex);
  if (!body.kernel.load())
    if (Status status = compile(body, form); !status)
      return status.error();
  return body.kernel.load();
}

Status CpuKernel::compile(Body &body, const Specialisation &form) {
  Result<std::string> object = code.object(theInfo.name, form);
  if (!object)
    return object.error();
  Result<std::shared_ptr<CompiledLibrary>> library =
      CompiledLibrary::load(*object);
  if (!library)
    return library.error();
  const bsm_kernel *kernel = (*library)->find(theInfo.name);
  GroupShape any{0, 0, 0};
  if (!kernel || !kernel->run ||
      !(std::equal(form.group.begin(), form.group.end(), kernel->group) ||
        std::equal(any.begin(), any.end(), kernel->group)))
    return makeError(ErrorKind::Internal,
                     "the compiled code of kernel '" + theInfo.name +
                         "' holds no body for this threadgroup shape");
  body.library = std::move(*library);
  body.kernel = kernel;
  return {};
}
