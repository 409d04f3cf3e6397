//===- Module.cpp - The extension module bessemer._bessemer ---------------===//
#include "Bindings.h"

#include "bessemer/process.h"

#include <nanobind/stl/string_view.h>

using namespace bessemer;
namespace nb = nanobind;

NB_MODULE(_bessemer, module) {
  // PyTorch and the default device outlive the interpreter's last collection.
  nb::set_leak_warnings(false);
  module.def("version", &version);
  python::bindErrors(module);
  python::bindTensors(module);
  python::bindReflection(module);
  python::bindLibraries(module);
  python::bindKernels(module);
  python::bindModels(module);
  python::bindPrograms(module);
}
