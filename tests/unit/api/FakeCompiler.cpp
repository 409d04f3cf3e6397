//===- FakeCompiler.cpp - A compiler half without a compiler --------------===//
//
// Answers the C interface with fixed tables: its one kernel is saxpy, its code
// that of FakeKernels.cpp, its programs are texts. It counts what it is asked.
//
//===----------------------------------------------------------------------===//
#include "bessemer/abi/compiler.h"
#include "bessemer/abi/launch.h"
#include "plan/Serialize.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>

using namespace bessemer;

struct bsm_ir_library {
  std::string source;
};
struct bsm_ir_program {
  std::string text;
};

/// Calls of compile_source, generate_cpu and program_plan.
extern "C" __attribute__((visibility("default"))) unsigned fakeCompilerCalls[3];
unsigned fakeCompilerCalls[3];
static std::mutex mutex;

static bsm_string copy(std::string_view text) {
  auto *data = static_cast<char *>(std::malloc(text.size() + 1));
  std::memcpy(data, text.data(), text.size());
  return {data, text.size()};
}

static std::string view(bsm_text text) { return {text.data, text.size}; }

static bsm_status fail(ErrorKind kind, std::string_view what,
                       bsm_string *message) {
  *message = copy(what);
  return 1 + int(kind);
}

static void count(unsigned which) {
  std::lock_guard lock(mutex);
  ++fakeCompilerCalls[which];
}

static Argument argument(const char *name, unsigned index, Access access) {
  Argument a;
  a.name = name;
  a.index = index;
  a.access = access;
  a.typeName = "float";
  a.element = DType::F32;
  a.elementSize = a.alignment = 4;
  return a;
}

static Reflection saxpyReflection() {
  KernelInfo info;
  info.name = info.symbol = "saxpy";
  info.arguments = {argument("x", 0, Access::Read),
                    argument("y", 1, Access::ReadWrite),
                    argument("a", 2, Access::Read)};
  info.arguments[2].isReference = true;
  return {{info}, {}};
}

static bsm_status compileSource(bsm_text source,
                                const bsm_compile_options *options,
                                bsm_ir_library **library,
                                bsm_string *reflection, bsm_string *diagnostics,
                                bsm_string *message) {
  count(0);
  std::string text = view(source);
  if (text.find("broken") != std::string::npos) {
    Diagnostic d;
    d.message = "unknown type name 'broken'";
    d.location = {view(options->file_name), options->first_line, 1};
    *diagnostics = copy(toJson({d}));
    return fail(ErrorKind::Compile, toString(d), message);
  }
  *reflection = copy(toJson(saxpyReflection()));
  *diagnostics = copy("[]");
  *library = new bsm_ir_library{text};
  return 0;
}

static bsm_status generateCpu(bsm_ir_library *, bsm_text,
                              const bsm_cpu_options *, bsm_string *object,
                              bsm_string *) {
  count(1);
  std::ifstream file(BESSEMER_FAKE_KERNELS, std::ios::binary);
  *object = copy(std::string(std::istreambuf_iterator<char>(file), {}));
  return 0;
}

static bsm_status emit(bsm_ir_library *library, bsm_text,
                       const bsm_cpu_options *, bsm_text form, bsm_string *text,
                       bsm_string *message) {
  if (view(form) != "ir")
    return fail(ErrorKind::InvalidArgument, "unknown form", message);
  *text = copy("ir of " + library->source);
  return 0;
}

static bsm_status interpret(bsm_ir_library *, bsm_text, const void *launch,
                            bsm_string *) {
  auto &l = *static_cast<const bsm_launch *>(launch);
  auto *x = static_cast<float *>(l.buffers[0].address);
  auto *y = static_cast<float *>(l.buffers[1].address);
  float a = *static_cast<float *>(l.buffers[2].address);
  for (uint32_t i = 0; i < l.threads_per_grid[0]; ++i)
    y[i] += a * x[i];
  return 0;
}

static bsm_status programFrom(bsm_text text, bsm_ir_program **program,
                              bsm_string *message) {
  std::string source = view(text);
  if (source.find("broken") != std::string::npos)
    return fail(ErrorKind::InvalidArgument, "1:1: error: broken", message);
  *program = new bsm_ir_program{source};
  return 0;
}

static bsm_status verifyProgram(bsm_ir_program *program, bsm_string *message) {
  if (program->text.find("invalid") != std::string::npos)
    return fail(ErrorKind::InvalidArgument, "op is invalid", message);
  return 0;
}

static bsm_status printProgram(bsm_ir_program *program, bsm_string *text,
                               bsm_string *) {
  *text = copy(program->text);
  return 0;
}

static bsm_status addGraph(bsm_ir_program *program, bsm_text name,
                           const bsm_text *names, const bsm_text *types,
                           size_t count, void **block, bsm_string *) {
  program->text += "graph " + view(name) + "(";
  for (size_t i = 0; i < count; ++i)
    program->text += view(names[i]) + ": " + view(types[i]);
  program->text += ")";
  *block = program;
  return 0;
}

static bsm_status functions(bsm_ir_program *, bsm_string *json, bsm_string *) {
  *json = copy(R"([{"name": "main",
    "inputs": [{"name": "x", "dtype": "float32", "shape": [-1],
                "extents": ["n"]}],
    "outputs": [{"name": "y", "dtype": "float32", "shape": [-1],
                 "extents": ["?"]}],
    "states": [],
    "dimensions": [{"name": "n", "min": 2, "max": null}]}])");
  return 0;
}

static bsm_status checkKernels(bsm_ir_program *, bsm_string *json,
                               bsm_string *) {
  *json = copy(R"([{"kernel": "k", "message": "k.metal:1:1: error: bad",
                    "diagnostics": []}])");
  return 0;
}

/// y = copy of x, then y += 2 * x by two kernels of one source.
static plan::Plan examplePlan(const std::string &source) {
  plan::Plan p;
  p.function = "main";
  p.registerCount = 3;
  p.tensors = {{DType::F32, {0}, {}, plan::Storage::Input, 0},
               {DType::F32, {0}, {}, plan::Storage::Output, 0}};
  p.inputs = {{"x", 0, {-1}}};
  p.outputs = {{"y", 1, {-1}}};
  p.sources = {{source, "model.metal", 1, "", {}}};
  plan::DispatchStep dispatch{0,
                              "saxpy",
                              {plan::BufferArg{0}, plan::BufferArg{1},
                               plan::BytesArg{{0, 0, 0x80, 0x3f}}}, // 1.0f
                              {0, 1, 1},
                              {2, 1, 1}};
  using plan::ScalarOp;
  p.steps = {plan::ScalarStep{ScalarOp::Dim, 0, 0, 0, 0},
             plan::ScalarStep{ScalarOp::Constant, 1, 0, 0, 1},
             plan::ScalarStep{ScalarOp::Constant, 2, 0, 0, 64},
             plan::CopyStep{0, 1},
             dispatch,
             dispatch};
  return p;
}

static bsm_status planOf(bsm_ir_program *program, bsm_text, bsm_string *bytes,
                         bsm_string *) {
  count(2);
  *bytes = copy(plan::serialize(examplePlan(program->text)));
  return 0;
}

extern "C" __attribute__((visibility("default"))) const bsm_compiler_api *
bsm_compiler_entry(void) {
  static const bsm_compiler_api api = [] {
    bsm_compiler_api table{};
    table.abi = BSM_COMPILER_ABI;
    table.build_id = {"fake", 4};
    table.free_string = [](bsm_string string) { std::free(string.data); };
    table.set_interrupt_check = [](int32_t (*)()) {};
    table.compile_source = compileSource;
    table.release_library = [](bsm_ir_library *library) { delete library; };
    table.generate_cpu = generateCpu;
    table.emit = emit;
    table.interpret = interpret;
    table.program_create = [](bsm_ir_program **program, bsm_string *) {
      *program = new bsm_ir_program;
      return bsm_status(0);
    };
    table.program_parse = programFrom;
    table.program_from_bytecode = programFrom;
    table.program_release = [](bsm_ir_program *program) { delete program; };
    table.program_add_graph = addGraph;
    table.program_verify = verifyProgram;
    table.program_print = printProgram;
    table.program_bytecode = printProgram;
    table.program_functions = functions;
    table.program_check_kernels = checkKernels;
    table.program_plan = planOf;
    return table;
  }();
  return &api;
}
