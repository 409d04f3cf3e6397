//===- ConfigurationTest.cpp - Every shape of code against the reference --===//
//
// Each kernel of divergence.metal, compiled for many lanes in flight, part
// widths and group shapes, must give what the interpreter gives.
//
//===----------------------------------------------------------------------===//

#include "codegen/cpu/Compile.h"
#include "codegen/interp/Interpreter.h"
#include "msl/Compile.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <cmath>
#include <dlfcn.h>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <sys/mman.h>
#include <unistd.h>

using namespace bessemer;

namespace {

using Shape = std::array<uint32_t, 3>;

struct Case {
  const char *kernel;
  Shape grid;
  Shape group;
};

// Complete groups, partial ones, groups that are no multiple of a chunk.
const Case cases[] = {
    {"add_guarded", {1024, 1, 1}, {256, 1, 1}},
    {"add_guarded", {1000, 1, 1}, {96, 1, 1}},
    {"nested_loops", {1000, 1, 1}, {256, 1, 1}},
    {"nested_loops", {333, 1, 1}, {100, 1, 1}},
    {"return_before_barrier", {1000, 1, 1}, {256, 1, 1}},
    {"return_before_barrier", {300, 1, 1}, {100, 1, 1}},
    {"barriers_in_loop", {1024, 1, 1}, {256, 1, 1}},
    {"barriers_in_loop", {500, 1, 1}, {96, 1, 1}},
    {"tree_reduction", {1024, 1, 1}, {256, 1, 1}},
    {"tree_reduction", {1000, 1, 1}, {512, 1, 1}},
    {"masked_simd", {1024, 1, 1}, {256, 1, 1}},
    {"masked_simd", {1000, 1, 1}, {96, 1, 1}},
    {"half_gather", {1000, 1, 1}, {256, 1, 1}},
    {"two_dimensions", {52, 37, 1}, {16, 16, 1}},
    {"two_dimensions", {52, 37, 1}, {8, 4, 1}},
    {"two_dimensions", {40, 21, 1}, {12, 5, 1}},
    {"numbering", {52, 20, 1}, {16, 8, 1}},
    {"numbering", {20, 9, 5}, {8, 4, 4}},
    {"numbering", {30, 7, 1}, {5, 5, 1}},
};

constexpr size_t elements = 4096; ///< Of each buffer.
constexpr unsigned seed = 20240607;

/// A launch with its buffers: a, b, out, n.
class Launch {
public:
  explicit Launch(const Case &test)
      : a(elements), b(elements), out(elements, -1.0f) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> values(-1, 1);
    for (std::vector<float> *buffer : {&a, &b})
      for (float &value : *buffer)
        value = values(random);
    uint64_t threads = uint64_t(test.grid[0]) * test.grid[1] * test.grid[2];
    n = threads - threads % 7;
    launch.version = BSM_LAUNCH_VERSION;
    launch.buffers[0] = {a.data(), a.size() * 4};
    launch.buffers[1] = {b.data(), b.size() * 4};
    launch.buffers[2] = {out.data(), out.size() * 4};
    launch.buffers[3] = {&n, sizeof(n)};
    for (unsigned axis = 0; axis < 3; ++axis) {
      launch.threads_per_grid[axis] = test.grid[axis];
      launch.threads_per_threadgroup[axis] = test.group[axis];
      launch.threadgroups_per_grid[axis] =
          (test.grid[axis] + test.group[axis] - 1) / test.group[axis];
      groups *= launch.threadgroups_per_grid[axis];
    }
    launch.services = &services;
  }
  Launch(const Launch &) = delete;

  bsm_launch launch{};
  uint64_t groups = 1;
  std::vector<float> a, b, out;

private:
  bsm_services services{};
  uint32_t n = 0;
};

/// A kernel library loaded from memory.
class LoadedKernel {
public:
  explicit LoadedKernel(const std::string &library) {
    int file = memfd_create("kernel", MFD_CLOEXEC);
    if (write(file, library.data(), library.size()) ==
        static_cast<ssize_t>(library.size())) {
      std::string path = "/proc/self/fd/" + std::to_string(file);
      handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    close(file);
    if (handle)
      record = static_cast<const bsm_library *>(dlsym(handle, "bsm_library"));
  }
  ~LoadedKernel() {
    if (handle)
      dlclose(handle);
  }
  LoadedKernel(const LoadedKernel &) = delete;

  const bsm_library *record = nullptr;

private:
  void *handle = nullptr;
};

/// Runs all groups with memory that was never zero.
int32_t runAll(const bsm_kernel &kernel, Launch &launch) {
  auto block = [](uint64_t bytes) {
    uint64_t padded = (bytes + 63) / 64 * 64 + 64;
    void *memory = std::aligned_alloc(64, padded);
    std::memset(memory, 0xcd, padded);
    return memory;
  };
  bsm_worker worker{block(kernel.threadgroup_bytes),
                    block(kernel.context_bytes)};
  int32_t status = kernel.run(&launch.launch, &worker, 0, launch.groups);
  std::free(worker.threadgroup_memory);
  std::free(worker.context);
  return status;
}

std::string readFile(const std::string &path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The module of divergence.metal, compiled once.
class ConfigurationTest : public testing::TestWithParam<const Case *> {
protected:
  static void SetUpTestSuite() {
    std::string path = BESSEMER_TEST_KERNELS "/divergence.metal";
    CompileOptions options;
    options.fileName = path;
    options.math = MathMode::Safe;
    std::vector<Diagnostic> diagnostics;
    auto compiled =
        msl::compile(readFile(path), options, context(), diagnostics);
    ASSERT_TRUE(compiled) << compiled.error().message;
    source() = std::move(*compiled);
  }
  static void TearDownTestSuite() { source().module.reset(); }

  static llvm::LLVMContext &context() {
    static llvm::LLVMContext instance;
    return instance;
  }
  static msl::CompiledSource &source() {
    static msl::CompiledSource instance;
    return instance;
  }

  void check(const codegen::cpu::Options &options,
             const std::vector<float> &expected);
};

void ConfigurationTest::check(const codegen::cpu::Options &options,
                              const std::vector<float> &expected) {
  const Case &test = *GetParam();
  SCOPED_TRACE("lanes " + std::to_string(options.lanesInFlight) + ", part " +
               std::to_string(options.partLanes) + ", group " +
               std::to_string(options.group[0]) + " seed " +
               std::to_string(seed));
  const KernelInfo *kernel = source().reflection.find(test.kernel);
  Result<std::string> library =
      codegen::cpu::compileKernel(*source().module, *kernel, options);
  ASSERT_TRUE(library) << library.error().message;
  LoadedKernel loaded(*library);
  ASSERT_TRUE(loaded.record) << dlerror();
  ASSERT_EQ(loaded.record->magic, BSM_LIBRARY_MAGIC);
  const bsm_kernel &record = loaded.record->kernels[0];
  EXPECT_STREQ(record.name, test.kernel);
  Launch launch(test);
  ASSERT_EQ(runAll(record, launch), BSM_RUN_DONE);
  size_t wrong = 0;
  for (size_t i = 0; i < elements; ++i) {
    uint32_t got, want;
    std::memcpy(&got, &launch.out[i], 4);
    std::memcpy(&want, &expected[i], 4);
    if (got == want)
      continue;
    if (++wrong <= 3)
      ADD_FAILURE() << "element " << i << " is " << launch.out[i]
                    << ", expected " << expected[i];
  }
  EXPECT_EQ(wrong, 0u);
}

TEST_P(ConfigurationTest, EqualsTheInterpreter) {
  const Case &test = *GetParam();
  const KernelInfo *kernel = source().reflection.find(test.kernel);
  ASSERT_TRUE(kernel);
  Launch reference(test);
  Status status =
      codegen::interp::run(*source().module, *kernel, reference.launch);
  ASSERT_TRUE(status) << status.error().message;
  codegen::cpu::Options options;
  // Every chunk size with every part width, a third of them for each case.
  size_t number = &test - cases;
  unsigned lanes[] = {32, 64, 256}, parts[] = {4, 8, 16};
  for (unsigned i = 0; i < 3; ++i) {
    options.lanesInFlight = lanes[i];
    options.partLanes = parts[(i + number) % 3];
    options.group = test.group;
    check(options, reference.out);
  }
  // The rule's own choice, and the body for any shape.
  options.partLanes = options.lanesInFlight = 0;
  check(options, reference.out);
  options.group = {0, 0, 0};
  check(options, reference.out);
}

std::vector<const Case *> caseAddresses() {
  std::vector<const Case *> result;
  for (const Case &test : cases)
    result.push_back(&test);
  return result;
}

std::string nameOf(const testing::TestParamInfo<const Case *> &info) {
  std::string name = info.param->kernel;
  for (uint32_t size : info.param->group)
    name += "_" + std::to_string(size);
  return name;
}

INSTANTIATE_TEST_SUITE_P(Divergence, ConfigurationTest,
                         testing::ValuesIn(caseAddresses()), nameOf);

// Code for a machine that this one is not: compiled, not run.
TEST_P(ConfigurationTest, CompilesForOtherMachines) {
  const Case &test = *GetParam();
  codegen::cpu::Options options;
  options.group = test.group;
  options.cpu = (&test - cases) % 2 ? "x86-64-v2" : "x86-64-v4";
  Result<std::string> library = codegen::cpu::compileKernel(
      *source().module, *source().reflection.find(test.kernel), options);
  EXPECT_TRUE(library) << options.cpu << ": "
                       << (library ? "" : library.error().message);
}

} // namespace
