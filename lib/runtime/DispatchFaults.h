//===- DispatchFaults.h - The first fault of a dispatch ---------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_DISPATCHFAULTS_H
#define BESSEMER_RUNTIME_DISPATCHFAULTS_H

#include "bessemer/abi/launch.h"
#include "bessemer/reflection.h"
#include "runtime/Faults.h"

#include <mutex>
#include <optional>

namespace bessemer::runtime {

/// What went wrong while a dispatch ran, on any thread; the first one counts.
/// bsm_launch::dispatch points at one.
class DispatchFaults {
public:
  /// `indexMessage` as in BoundDispatch.
  DispatchFaults(const KernelInfo &kernel, const bsm_launch &launch,
                 std::string indexMessage = "")
      : kernel(kernel), launch(launch), indexMessage(std::move(indexMessage)) {}

  void recordSignal(const Fault &fault);
  void record(Error error);
  std::optional<Error> first();
  /// "file:line: kernel 'name'", as far as it is known; 0 is the kernel's line.
  static std::string describe(const KernelInfo &kernel, uint32_t line = 0);

  static const bsm_services services;

private:
  static void indexFault(void *dispatch, const bsm_tensor *tensor,
                         uint32_t dimension, int64_t index, uint32_t line);
  /// The planned message, filled in.
  std::string filledMessage(const bsm_tensor &tensor, uint32_t dimension,
                            int64_t index) const;
  /// "; that is 4 bytes behind argument 'x' (...)", if it is close to one.
  std::string nearestBuffer(uintptr_t address) const;

  const KernelInfo &kernel;
  const bsm_launch &launch;
  const std::string indexMessage;
  std::mutex mutex;
  std::optional<Error> error;
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_DISPATCHFAULTS_H
