//===- Bench.h - Times of a kernel and a peer on a GPU ----------*- C++ -*-===//
#ifndef BESSEMER_TESTS_TOOLS_BENCH_H
#define BESSEMER_TESTS_TOOLS_BENCH_H

#include "CaseFile.h"
#include "runtime/cuda/CudaDispatch.h"

namespace bessemer::testing {

/// The case's peer on the arrays of an uploaded dispatch.
class Peer {
public:
  Peer(const Case &test, const KernelInfo &info, runtime::BoundDispatch &bound,
       runtime::cuda::CudaDispatch &dispatch, runtime::cuda::CudaDevice &device)
      : test(test), info(info), bound(bound), dispatch(dispatch),
        device(device) {}
  Status load();
  Status launch();

private:
  const Case &test;
  const KernelInfo &info;
  runtime::BoundDispatch &bound;
  runtime::cuda::CudaDispatch &dispatch;
  runtime::cuda::CudaDevice &device;
  runtime::cuda::Handle function = nullptr;
};

struct Times {
  double ours, peer; ///< Medians of a launch, in milliseconds.
};

/// Takes turns between both.
Result<Times> measure(runtime::cuda::CudaDispatch &dispatch, Peer &peer,
                      runtime::cuda::CudaDevice &device);

} // namespace bessemer::testing

#endif // BESSEMER_TESTS_TOOLS_BENCH_H
