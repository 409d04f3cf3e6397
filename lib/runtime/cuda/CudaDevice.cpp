//===- CudaDevice.cpp - One NVIDIA GPU ------------------------------------===//
#include "runtime/cuda/CudaDevice.h"

#include <charconv>
#include <map>
#include <mutex>

using namespace bessemer;
using namespace bessemer::runtime::cuda;

// CUdevice_attribute
static constexpr int computeCapabilityMajor = 75;
static constexpr int computeCapabilityMinor = 76;

static int deviceCount(const Driver &driver) {
  int count = 0;
  return driver.deviceGetCount(&count) == 0 ? count : 0;
}

std::vector<std::string> CudaDevice::names() {
  std::vector<std::string> names;
  if (Result<const Driver *> driver = Driver::get())
    for (int i = 0, count = deviceCount(**driver); i < count; ++i)
      names.push_back("cuda:" + std::to_string(i));
  return names;
}

CudaDevice::~CudaDevice() {
  if (context)
    api.primaryContextRelease(device);
}

Status CudaDevice::open() {
  std::string doing = "opening " + name();
  if (Status status = api.check(api.deviceGet(&device, ordinal), doing);
      !status)
    return status;
  char text[128] = "";
  int major = 0, minor = 0;
  api.deviceGetName(text, sizeof(text), device);
  api.deviceGetAttribute(&major, computeCapabilityMajor, device);
  api.deviceGetAttribute(&minor, computeCapabilityMinor, device);
  theModel = text;
  theArchitecture = "sm_" + std::to_string(major * 10 + minor);
  if (major < 8)
    return makeError(ErrorKind::Unsupported,
                     name() + " (" + theModel + ", " + theArchitecture +
                         ") is too old; kernels need sm_80 or newer");
  return api.check(api.primaryContextRetain(&context, device), doing);
}

Result<std::shared_ptr<CudaDevice>> CudaDevice::get(std::string_view name) {
  Result<const Driver *> driver = Driver::get();
  if (!driver)
    return driver.error();
  std::string_view number = name.substr(std::min<size_t>(name.size(), 5));
  int ordinal = -1;
  auto [end, code] =
      std::from_chars(number.data(), number.data() + number.size(), ordinal);
  int count = deviceCount(**driver);
  if (!name.starts_with("cuda:") || code != std::errc() ||
      end != number.data() + number.size() || ordinal < 0 || ordinal >= count)
    return makeError(ErrorKind::NotFound,
                     "no device named '" + std::string(name) + "'; there " +
                         (count == 1 ? "is: cuda:0"
                                     : "are " + std::to_string(count) +
                                           " GPUs, cuda:0 and on"));
  static std::mutex mutex;
  // Never destroyed: threads may run during static destruction.
  static auto &devices = *new std::map<int, std::weak_ptr<CudaDevice>>;
  std::lock_guard lock(mutex);
  std::shared_ptr<CudaDevice> device = devices[ordinal].lock();
  if (device)
    return device;
  device.reset(new CudaDevice(**driver, ordinal));
  if (Status status = device->open(); !status)
    return status.error();
  devices[ordinal] = device;
  return device;
}
