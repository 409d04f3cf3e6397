//===- bsm-cuda.cpp - Runs exported cases on a GPU ------------------------===//
//
//   bsm-cuda CASES.txt CASES.bin [NAME]
//
// One line a case; the exit status is 1 if one fails, 2 without a GPU.
//
//===----------------------------------------------------------------------===//
#include "Bench.h"
#include "CaseFile.h"
#include "Compare.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace bessemer;
using namespace bessemer::testing;
using namespace bessemer::runtime;

namespace {

/// The code of one case.
struct CaseCode final : cuda::PtxSource {
  explicit CaseCode(std::string_view code) : code(code) {}
  Result<std::string> ptx(std::string_view, const Specialisation &,
                          std::string_view) override {
    return std::string(code);
  }
  std::string_view code;
};

class Run {
public:
  Run(Case &test, std::shared_ptr<cuda::CudaDevice> device)
      : test(test), device(std::move(device)) {}
  /// What to print; an Error if the case fails.
  Result<std::string> run();

private:
  Result<std::string> compareExpected(const KernelInfo &info);
  Result<std::string> checkFailure(const Status &status) const;
  Result<std::string> bench(const KernelInfo &info, BoundDispatch &bound,
                            cuda::CudaDispatch &dispatch);

  Case &test;
  std::shared_ptr<cuda::CudaDevice> device;
};

} // namespace

static const Argument *bufferArgument(const KernelInfo &info, unsigned index) {
  for (const Argument &argument : info.arguments)
    if (argument.kind != ArgumentKind::ThreadgroupMemory &&
        argument.index == index)
      return &argument;
  return nullptr;
}

static Error wrong(const std::string &what) {
  return makeError(ErrorKind::Fault, what);
}

Result<std::string> Run::compareExpected(const KernelInfo &info) {
  double largest = 0;
  for (const Expectation &expected : test.expected) {
    const Argument *argument = bufferArgument(info, expected.index);
    auto buffer = test.buffers.find(expected.index);
    if (!argument || buffer == test.buffers.end() ||
        buffer->second.size() != expected.bytes.size())
      return wrong("the case expects a buffer it does not bind");
    Difference difference = compare(
        buffer->second.begin(), expected.bytes.data(), expected.bytes.size(),
        argument->element, expected.relative, expected.absolute);
    if (difference.count)
      return wrong(std::to_string(difference.count) + " of " +
                   std::to_string(difference.elements) + " elements of '" +
                   argument->name + "' differ: " + difference.first);
    largest = std::max(largest, difference.largest);
  }
  char text[64];
  std::snprintf(text, sizeof(text), "largest error %.1e", largest);
  return std::string(text);
}

Result<std::string> Run::bench(const KernelInfo &info, BoundDispatch &bound,
                               cuda::CudaDispatch &dispatch) {
  Peer peer(test, info, bound, dispatch, *device);
  if (Status status = peer.load(); !status)
    return status.error();
  // The last buffer that is written holds the result.
  const Argument *result = nullptr;
  for (const Argument &argument : info.arguments)
    if (argument.access != Access::Read)
      result = &argument;
  if (!result)
    return wrong("the kernel writes nothing");
  Storage &buffer = test.buffers.at(result->index);
  std::string ours(reinterpret_cast<char *>(buffer.begin()), buffer.size());
  std::memset(buffer.begin(), 0xff, buffer.size());
  if (Status status = dispatch.uploadAgain(); !status)
    return status.error();
  if (Status status = peer.launch(); !status)
    return status.error();
  if (Status status = dispatch.download(); !status)
    return status.error();
  Difference difference = compare(ours.data(), buffer.begin(), ours.size(),
                                  result->element, 1e-4, 1e-5);
  if (difference.count > difference.elements * test.outliers)
    return wrong(std::to_string(difference.count) + " of " +
                 std::to_string(difference.elements) +
                 " elements differ from the peer's: " + difference.first);
  Result<Times> times = measure(dispatch, peer, *device);
  if (!times)
    return times.error();
  char text[160];
  std::snprintf(text, sizeof(text),
                "ours %.4f ms  peer %.4f ms  ratio %.3f  (%zu differ)",
                times->ours, times->peer, times->ours / times->peer,
                difference.count);
  return std::string(text);
}

Result<std::string> Run::checkFailure(const Status &status) const {
  if (status)
    return wrong("it did not fail");
  const std::string &message = status.error().message;
  if (message.find(test.failure) == std::string::npos)
    return wrong("it failed with: " + message);
  return "fails: " + message;
}

Result<std::string> Run::run() {
  Result<KernelInfo> info = test.info();
  if (!info)
    return info.error();
  CaseCode code(test.code);
  cuda::CudaKernel kernel(*info, code, device);
  Result<BoundDispatch> bound = bind(*info, test.dispatch(*info));
  if (!bound)
    return bound.error();
  cuda::CudaDispatch dispatch(kernel, *bound);
  if (Status status = dispatch.upload(); !status)
    return status.error();
  if (Status status = dispatch.launch(); !status)
    return status.error();
  Status status = dispatch.download();
  if (!test.failure.empty())
    return checkFailure(status);
  if (!status)
    return status.error();
  Result<std::string> compared = compareExpected(*info);
  if (!compared || test.peer.empty())
    return compared;
  return bench(*info, *bound, dispatch);
}

static std::string readFile(const char *path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

int main(int count, char **arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: bsm-cuda CASES.txt CASES.bin [NAME]\n");
    return 2;
  }
  std::string bytes = readFile(arguments[2]);
  Result<std::vector<Case>> cases = readCases(readFile(arguments[1]), bytes);
  auto device = cuda::CudaDevice::get("cuda:0");
  if (!cases || !device) {
    const Error &error = cases ? device.error() : cases.error();
    std::fprintf(stderr, "error: %s\n", error.message.c_str());
    return 2;
  }
  std::printf("%s, %s\n", (*device)->model().c_str(),
              (*device)->architecture().c_str());
  unsigned run = 0, failed = 0;
  for (Case &test : *cases) {
    if (count > 3 && test.name != arguments[3])
      continue;
    Result<std::string> result = Run(test, *device).run();
    ++run;
    failed += !result;
    std::printf("%s %s: %s\n", result ? "ok  " : "FAIL", test.name.c_str(),
                result ? result->c_str() : result.error().message.c_str());
    std::fflush(stdout);
    test.buffers.clear();
  }
  std::printf("%u passed, %u failed\n", run - failed, failed);
  return failed != 0;
}
