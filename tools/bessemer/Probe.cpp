//===- Probe.cpp - bessemer probe: where does out[a, b] land? -------------===//
#include "Options.h"

#include "bessemer/kernel.h"

#include <iomanip>
#include <iostream>

using namespace bessemer;
using namespace bessemer::cli;

// The first thread of every threadgroup stamps the group's position.
static constexpr const char *source = R"(
#include <metal_stdlib>
using namespace metal;
kernel void probe(
    tensor<device float, dextents<int, 2>, tensor_handle> out [[buffer(0)]],
    uint2 tid [[thread_position_in_threadgroup]],
    uint2 tgid [[threadgroup_position_in_grid]]) {
  if (tid.x == 0 && tid.y == 0)
    out[tgid.x, tgid.y] = float(100 + 10 * tgid.x + tgid.y);
}
)";

namespace {
struct Options {
  std::vector<uint32_t> grid{8, 4}, group{1, 1};
};
} // namespace

/// Runs the probe; `values` is the torch tensor [rows, columns].
static Status runProbe(const Options &options, uint32_t rows, uint32_t columns,
                       std::vector<float> &values) {
  Result<Library> library = compile(source, {});
  if (!library)
    return library.error();
  Result<Device> device = Device::get("cpu");
  if (!device)
    return device.error();
  Result<Kernel> kernel = Kernel::create(*library, "probe", *device);
  if (!kernel)
    return kernel.error();
  Tensor out;
  out.dtype = DType::F32;
  out.shape = {rows, columns};
  out.data = values.data();
  Dispatch dispatch;
  dispatch.threads = {options.grid[0], options.grid[1], 1};
  dispatch.groupSize = {options.group[0], options.group[1], 1};
  dispatch.arguments = {out};
  return kernel->run(dispatch);
}

static int run(const Options &options) {
  for (const std::vector<uint32_t> *sizes : {&options.grid, &options.group})
    for (uint32_t size : *sizes)
      if (size < 1 || size > 1000)
        return report(makeError(ErrorKind::InvalidArgument,
                                "bessemer probe takes sizes from 1 to 1000"));
  uint32_t columns =
      (options.grid[0] + options.group[0] - 1) / options.group[0];
  uint32_t rows = (options.grid[1] + options.group[1] - 1) / options.group[1];
  std::vector<float> values(size_t(rows) * columns);
  if (Status status = runProbe(options, rows, columns, values); !status)
    return report(status.error());

  std::cout << "A tensor of shape [" << rows << ", " << columns
            << "] in PyTorch has the extents [" << columns << ", " << rows
            << "] in a kernel.\nout[x, y] = 100 + 10 * x + y, with (x, y) = "
               "threadgroup_position_in_grid, gives in NumPy:\n";
  bool reversed = true;
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      float value = values[size_t(row) * columns + column];
      reversed &= value == float(100 + 10 * column + row);
      std::cout << std::setw(5) << value;
    }
    std::cout << "\n";
  }
  std::cout << (reversed ? "out[a, b] in a kernel is numpy[b, a].\n"
                         : "This is not numpy[b, a] = out[a, b].\n");
  return reversed ? Done : Findings;
}

void cli::addProbe(CLI::App &app, Action &action) {
  CLI::App *verb = app.add_subcommand(
      "probe", "Run a kernel that shows how its axes and NumPy's correspond");
  auto options = std::make_shared<Options>();
  addSizes(*verb, "--grid", options->grid, "Threads", 2, 2)->default_str("8,4");
  addSizes(*verb, "--group", options->group, "Threads of a threadgroup", 2, 2)
      ->default_str("1,1");
  verb->callback(
      [options, &action] { action = [options] { return run(*options); }; });
}
