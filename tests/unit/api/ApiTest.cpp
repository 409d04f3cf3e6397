//===- ApiTest.cpp - The public library against a fake compiler -----------===//
#include "bessemer/model.h"
#include "bessemer/process.h"
#include "bessemer/program.h"

#include "../TemporaryFolder.h"
#include "../ThreadSanitizer.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <thread>

using namespace bessemer;
using namespace bessemer::test;

namespace {
/// The cache folder of this process; the library reads the variables once.
struct Environment {
  Environment() {
    ::setenv("BESSEMER_CACHE", (folder.path / "cache").c_str(), 1);
    ::setenv("BESSEMER_COMPILER", BESSEMER_FAKE_COMPILER, 1);
  }
  TemporaryFolder folder;
} environment;

struct Api : testing::Test {
  Device device = *Device::get("cpu", 2);
  /// How often the fake compiled a source, generated code, made a plan.
  unsigned calls(unsigned which) {
    void *handle = dlopen(BESSEMER_FAKE_COMPILER, RTLD_NOW | RTLD_LOCAL);
    auto *counts = static_cast<unsigned *>(dlsym(handle, "fakeCompilerCalls"));
    unsigned count = counts[which];
    dlclose(handle);
    return count;
  }
  /// y = 1 + 3 * 2 on 100 elements.
  Dispatch saxpy(std::vector<float> &x, std::vector<float> &y) {
    x.assign(100, 2);
    y.assign(100, 1);
    Dispatch dispatch;
    dispatch.threads = Dim3{100, 1, 1};
    dispatch.groupSize = {32, 1, 1};
    float a = 3;
    auto *bytes = reinterpret_cast<std::byte *>(&a);
    dispatch.arguments = {Tensor{DType::F32, {100}, {}, x.data()},
                          Tensor{DType::F32, {100}, {}, y.data()},
                          InlineBytes{{bytes, bytes + 4}}};
    return dispatch;
  }
  std::vector<float> x, y;
};
} // namespace

TEST_F(Api, CompilesAndRuns) {
  Result<Library> library = compile("kernel void saxpy() {}", {});
  ASSERT_TRUE(library) << library.error().message;
  ASSERT_EQ(library->reflection().kernels.size(), 1u);
  Result<Kernel> kernel = Kernel::create(*library, "saxpy", device);
  ASSERT_TRUE(kernel);
  Dispatch dispatch = saxpy(x, y);
  Status status = kernel->run(dispatch);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(y, std::vector<float>(100, 7));
  ASSERT_TRUE(kernel->interpret(dispatch));
  EXPECT_EQ(y, std::vector<float>(100, 13));
  Result<std::string> ir = library->emit("saxpy", "ir");
  ASSERT_TRUE(ir);
  EXPECT_EQ(*ir, "ir of kernel void saxpy() {}");
  EXPECT_FALSE(library->emit("saxpy", "poem"));
}

TEST_F(Api, NamesWhatThereIs) {
  Result<Library> library = compile("kernel void saxpy() {}", {});
  Result<Kernel> kernel = Kernel::create(*library, "sapxy", device);
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().kind, ErrorKind::NotFound);
  EXPECT_EQ(kernel.error().message, "no kernel named 'sapxy'; there is: saxpy");
  Result<Device> device = Device::get("tpu");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().message, "no device named 'tpu'; there is: cpu");
}

TEST_F(Api, CompileErrorsCarryDiagnostics) {
  CompileOptions options;
  options.fileName = "a.metal";
  options.firstLine = 7;
  CompileFailure failure;
  Result<Library> library = compile("broken x;", options, &failure);
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().kind, ErrorKind::Compile);
  EXPECT_EQ(library.error().message,
            "a.metal:7:1: error: unknown type name 'broken'");
  ASSERT_EQ(failure.diagnostics.size(), 1u);
  EXPECT_EQ(failure.diagnostics[0].location.line, 7u);
  EXPECT_EQ(failure.error.message, library.error().message);
}

TEST_F(Api, TheCacheSparesTheCompiler) {
  const char *source = "kernel void saxpy() { /* cached */ }";
  unsigned sources = calls(0), bodies = calls(1);
  for (int i = 0; i < 3; ++i) {
    Result<Library> library = compile(source, {});
    Result<Kernel> kernel = Kernel::create(*library, "saxpy", device);
    ASSERT_TRUE(kernel->run(saxpy(x, y)));
    EXPECT_EQ(y, std::vector<float>(100, 7));
  }
  EXPECT_EQ(calls(0), sources + 1);
  EXPECT_EQ(calls(1), bodies + 1);
  // Other options, other code.
  CompileOptions safe;
  safe.math = MathMode::Safe;
  ASSERT_TRUE(compile(source, safe));
  EXPECT_EQ(calls(0), sources + 2);
  // A damaged cache is none.
  CacheStatistics statistics = cacheStatistics();
  EXPECT_GE(statistics.entries, 2u);
  for (auto &entry : std::filesystem::directory_iterator(statistics.directory))
    writeFile(entry.path(), "damaged");
  Result<Library> library = compile(source, {});
  ASSERT_TRUE(library);
  ASSERT_TRUE(Kernel::create(*library, "saxpy", device)->run(saxpy(x, y)));
  EXPECT_EQ(calls(0), sources + 3);
  EXPECT_TRUE(clearCache());
  EXPECT_EQ(cacheStatistics().entries, 0u);
}

TEST_F(Api, FilesOfTheUserAreReadEveryTime) {
  const char *source = "#include \"mine.h\"\nkernel void saxpy() {}";
  unsigned sources = calls(0), bodies = calls(1);
  for (int i = 0; i < 2; ++i) {
    Result<Library> library = compile(source, {});
    ASSERT_TRUE(Kernel::create(*library, "saxpy", device)->run(saxpy(x, y)));
  }
  EXPECT_EQ(calls(0), sources + 2);
  EXPECT_EQ(calls(1), bodies + 1); // by the kernel IR
  // The compiler's own headers do not count as such.
  unsigned before = calls(0);
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(
        compile("# include <metal_stdlib>\nkernel void saxpy() {}", {}));
  EXPECT_EQ(calls(0), before + 1);
}

TEST_F(Api, ManyThreadsCompileAndRun) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      std::vector<float> x, y;
      for (int i = 0; i < 20; ++i) {
        std::string source =
            "kernel void saxpy() {} //" + std::to_string((i + t) % 5);
        Result<Library> library = compile(source, {});
        ASSERT_TRUE(library);
        Result<Kernel> kernel = Kernel::create(*library, "saxpy", device);
        Status status = kernel->run(saxpy(x, y));
        ASSERT_TRUE(status) << status.error().message;
        EXPECT_EQ(y, std::vector<float>(100, 7));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(Api, ProgramsAreForwarded) {
  Result<Program> program = Program::create();
  ASSERT_TRUE(program) << program.error().message;
  Result<Block> block = program->addGraph("main", {{"x", "tensor<4xf32>"}});
  ASSERT_TRUE(block);
  EXPECT_EQ(program->print(), "graph main(x: tensor<4xf32>)");
  Status outputs = program->setOutputs(*block, {{}}, {});
  ASSERT_FALSE(outputs);
  EXPECT_NE(outputs.error().message.find("1 results but 0 result names"),
            std::string::npos);
  std::vector<CompileFailure> failures = program->checkKernels();
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].error.message, "k.metal:1:1: error: bad");
  Result<Program> broken = Program::parse("broken");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().kind, ErrorKind::InvalidArgument);
  EXPECT_EQ(broken.error().message, "1:1: error: broken");
}

TEST_F(Api, ModelsRunAndOutliveTheirHandles) {
  std::filesystem::path path = environment.folder.path / "net.aimodel";
  Result<Program> invalid = Program::parse("invalid");
  EXPECT_FALSE(invalid->save(path, {}));
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE(
      Program::parse("kernel void saxpy() {} // model")->save(path, {}));
  EXPECT_TRUE(Program::load(path));
  unsigned plans = calls(2), sources = calls(0);
  std::optional<Function> function;
  for (int i = 0; i < 2; ++i) { // the second time from the cache
    Result<Model> model = Model::load(path, device);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->functionNames(), std::vector<std::string>{"main"});
    Result<Function> loaded = model->function("main");
    ASSERT_TRUE(loaded) << loaded.error().message;
    function = std::move(*loaded);
    Result<Function> unknown = model->function("nope");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message,
              "no function named 'nope'; there is: main");
  }
  EXPECT_EQ(calls(2), plans + 1);
  EXPECT_EQ(calls(0), sources + 1);
  EXPECT_EQ(function->inputs()[0].shape, std::vector<int64_t>{-1});
  std::vector<float> x(130, 5);
  auto results = function->run({Tensor{DType::F32, {130}, {}, x.data()}});
  ASSERT_TRUE(results) << results.error().message;
  auto *y = static_cast<float *>((*results)[0].data);
  EXPECT_EQ(std::vector<float>(y, y + 130), std::vector<float>(130, 15));
}

TEST_F(Api, AMissingCompilerIsSaid) {
  // In a new process: this one has loaded the fake.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ::setenv("BESSEMER_COMPILER", "/nonexistent/compiler.so", 1);
        Result<Library> library = compile("kernel void none() {}", {});
        bool said = !library &&
                    library.error().kind == ErrorKind::Unsupported &&
                    library.error().message.find("BESSEMER_COMPILER") !=
                        std::string::npos;
        std::_Exit(said ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}
