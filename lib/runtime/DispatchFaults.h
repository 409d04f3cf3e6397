//===- DispatchFaults.h - The fault of a dispatch ---------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_DISPATCHFAULTS_H
#define BESSEMER_RUNTIME_DISPATCHFAULTS_H

#include "bessemer/abi/launch.h"
#include "bessemer/reflection.h"
#include "runtime/Faults.h"

#include <mutex>
#include <optional>

namespace bessemer::runtime {

/// What went wrong while a dispatch ran, on any thread. What the lowest groups
/// met counts, so that the same dispatch says the same every time.
/// bsm_launch::dispatch points at one.
class DispatchFaults {
public:
  /// While one lives, what the calling thread records is of groups from `first`
  /// on.
  class Groups {
  public:
    explicit Groups(uint64_t first);
    ~Groups();
    Groups(const Groups &) = delete;
    Groups &operator=(const Groups &) = delete;
    /// `first` of the innermost one of the calling thread.
    static uint64_t current();

  private:
    uint64_t outer;
  };

  /// `indexMessage` as in BoundDispatch.
  DispatchFaults(const KernelInfo &kernel, const bsm_launch &launch,
                 std::string indexMessage = "")
      : kernel(kernel), launch(launch), indexMessage(std::move(indexMessage)) {}

  void recordSignal(const Fault &fault);
  void record(Error error) { record(Groups::current(), std::move(error)); }
  /// Unless these or lower groups have an error already.
  void record(uint64_t group, Error error);
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
  uint64_t groupOfError = 0;
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_DISPATCHFAULTS_H
