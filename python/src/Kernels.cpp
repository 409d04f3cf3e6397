//===- Kernels.cpp - Devices and dispatches -------------------------------===//
#include "Bindings.h"

#include "bessemer/kernel.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

using namespace bessemer;
using namespace bessemer::python;

/// None: a gap; Tensor: a buffer or tensor; bytes: an inline value.
static KernelArgument toArgument(nb::handle object) {
  if (object.is_none())
    return std::monostate{};
  if (nb::isinstance<nb::bytes>(object)) {
    auto bytes = nb::borrow<nb::bytes>(object);
    auto *first = static_cast<const std::byte *>(bytes.data());
    return InlineBytes{{first, first + bytes.size()}};
  }
  return nb::cast<const PyTensor &>(object).tensor;
}

static void runKernel(const Kernel &kernel, nb::list arguments,
                      std::optional<Dim3> threads, std::optional<Dim3> groups,
                      Dim3 groupSize,
                      std::map<unsigned, uint32_t> threadgroupMemory,
                      bool interpret) {
  Dispatch dispatch;
  dispatch.threads = threads;
  dispatch.groups = groups;
  dispatch.groupSize = groupSize;
  dispatch.threadgroupMemory = std::move(threadgroupMemory);
  for (nb::handle argument : arguments)
    dispatch.arguments.push_back(toArgument(argument));
  auto runUnlocked = [&] {
    nb::gil_scoped_release unlocked;
    return interpret ? kernel.interpret(dispatch) : kernel.run(dispatch);
  };
  check(runUnlocked());
}

void python::bindKernels(nb::module_ &module) {
  nb::class_<Device>(module, "Device");
  module.def("device_names", &Device::names);
  module.def("device", [](std::string_view name, unsigned threads) {
    return take(Device::get(name, threads));
  });
  nb::class_<Kernel>(module, "Kernel")
      .def_static("create",
                  [](const Library &library, const std::string &name,
                     const Device &device) {
                    auto create = [&] {
                      nb::gil_scoped_release unlocked;
                      return Kernel::create(library, name, device);
                    };
                    return take(create());
                  })
      .def_prop_ro("info", [](const Kernel &k) { return k.info(); })
      .def("run", &runKernel, nb::arg("arguments"), nb::arg("threads").none(),
           nb::arg("groups").none(), nb::arg("group_size"),
           nb::arg("threadgroup_memory"), nb::arg("interpret") = false);
}
