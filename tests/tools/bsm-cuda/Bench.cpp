//===- Bench.cpp - Times of a kernel and a peer on a GPU ------------------===//
#include "Bench.h"

#include "support/CudaEntry.h"

#include <algorithm>
#include <functional>

using namespace bessemer;
using namespace bessemer::testing;
using namespace bessemer::runtime;

static constexpr unsigned repeats = 20, launchesPerRepeat = 3;

Status Peer::load() {
  cuda::CudaDevice::Current current(device);
  cuda::Handle module;
  std::string code(test.peerCode);
  Status status = device.driver().check(
      device.driver().moduleLoad(&module, code.data(), 0, nullptr, nullptr),
      "loading the peer");
  if (!status)
    return status;
  return device.driver().check(
      device.driver().moduleGetFunction(&function, module, test.peer.c_str()),
      "finding the peer");
}

Status Peer::launch() {
  cuda::CudaDevice::Current current(device);
  std::vector<cuda::DeviceAddress> pointers;
  std::vector<void *> parameters;
  pointers.reserve(info.arguments.size());
  std::vector<CudaParameter> forms = cudaParameters(info);
  for (size_t i = 0; i < forms.size(); ++i) {
    void *host = bound.launch.buffers[info.arguments[i].index].address;
    pointers.push_back(dispatch.arrays().address(host));
    parameters.push_back(forms[i] == CudaParameter::Value ? host
                                                          : &pointers.back());
  }
  const uint32_t *groups = bound.launch.threadgroups_per_grid;
  return device.driver().check(
      device.driver().launchKernel(function, groups[0], groups[1], groups[2],
                                   test.group[0], test.group[1], test.group[2],
                                   0, nullptr, parameters.data(), nullptr),
      "launching the peer");
}

static double median(std::vector<float> &values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Result<Times> testing::measure(cuda::CudaDispatch &dispatch, Peer &peer,
                               cuda::CudaDevice &device) {
  cuda::CudaDevice::Current current(device);
  const cuda::Driver &api = device.driver();
  cuda::Handle start, stop;
  api.eventCreate(&start, 0);
  api.eventCreate(&stop, 0);
  auto time = [&](const std::function<Status()> &launch,
                  std::vector<float> &times) -> Status {
    api.eventRecord(start, nullptr);
    for (unsigned i = 0; i < launchesPerRepeat; ++i)
      if (Status status = launch(); !status)
        return status;
    api.eventRecord(stop, nullptr);
    api.eventSynchronize(stop);
    float milliseconds = 0;
    Status status =
        api.check(api.eventElapsedTime(&milliseconds, start, stop), "timing");
    times.push_back(milliseconds / launchesPerRepeat);
    return status;
  };
  std::vector<float> ours, theirs;
  for (unsigned i = 0; i < repeats + 2; ++i) {
    if (i == 2) { // the first ones warm up
      ours.clear();
      theirs.clear();
    }
    if (Status status = time([&] { return dispatch.launch(); }, ours); !status)
      return status.error();
    if (Status status = time([&] { return peer.launch(); }, theirs); !status)
      return status.error();
  }
  api.eventDestroy(start);
  api.eventDestroy(stop);
  return Times{median(ours), median(theirs)};
}
