//===- Reflection.cpp - Diagnostics, arguments, kernels as objects --------===//
#include "Bindings.h"

#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

using namespace bessemer;
using namespace bessemer::python;

static const char *severityName(Diagnostic::Severity severity) {
  switch (severity) {
  case Diagnostic::Severity::Error:
    return "error";
  case Diagnostic::Severity::Warning:
    return "warning";
  case Diagnostic::Severity::Note:
    return "note";
  }
  return "error";
}

static Diagnostic::Severity severityFromName(const std::string &name) {
  if (name == "warning")
    return Diagnostic::Severity::Warning;
  if (name == "note")
    return Diagnostic::Severity::Note;
  return Diagnostic::Severity::Error;
}

/// "device float4 *x [[buffer(0)]]", as a user would write it.
static std::string declaration(const Argument &a) {
  std::string text;
  if (a.kind == ArgumentKind::Tensor) {
    text = "tensor<" + std::string(spellingOf(a.space)) + " " + a.typeName +
           ", rank " + std::to_string(a.rank) + "> ";
  } else {
    text = std::string(spellingOf(a.space)) + " ";
    if (a.access == Access::Read && a.space == AddressSpace::Device)
      text += "const ";
    text += a.typeName + (a.isReference ? " &" : " *");
  }
  const char *attribute =
      a.kind == ArgumentKind::ThreadgroupMemory ? "threadgroup" : "buffer";
  return text + a.name + " [[" + attribute + "(" + std::to_string(a.index) +
         ")]]";
}

static void bindDiagnostics(nb::module_ &module) {
  nb::class_<Diagnostic>(module, "Diagnostic",
                         "A message of the compiler and where it belongs")
      .def(
          "__init__",
          [](Diagnostic *self, const std::string &severity, std::string message,
             std::string file, unsigned line, unsigned column,
             std::string sourceLine) {
            new (self) Diagnostic{severityFromName(severity),
                                  std::move(message),
                                  {std::move(file), line, column},
                                  std::move(sourceLine),
                                  {0, 0},
                                  {}};
          },
          nb::arg("severity"), nb::arg("message"), nb::arg("file") = "",
          nb::arg("line") = 0, nb::arg("column") = 0,
          nb::arg("source_line") = "")
      .def_prop_ro("severity",
                   [](const Diagnostic &d) { return severityName(d.severity); })
      .def_ro("message", &Diagnostic::message)
      .def_prop_ro("file", [](const Diagnostic &d) { return d.location.file; })
      .def_prop_ro("line", [](const Diagnostic &d) { return d.location.line; })
      .def_prop_ro("column",
                   [](const Diagnostic &d) { return d.location.column; })
      .def_ro("source_line", &Diagnostic::sourceLine)
      .def_ro("range", &Diagnostic::range)
      .def_ro("fix_its", &Diagnostic::fixIts)
      .def("__str__", [](const Diagnostic &d) { return toString(d); })
      .def("__repr__", [](const Diagnostic &d) {
        return "<Diagnostic " + d.location.file + ":" +
               std::to_string(d.location.line) + ":" +
               std::to_string(d.location.column) + ": " +
               severityName(d.severity) + ": " + d.message + ">";
      });
}

void python::bindReflection(nb::module_ &module) {
  bindDiagnostics(module);
  nb::class_<Argument>(module, "Argument")
      .def_ro("name", &Argument::name)
      .def_prop_ro(
          "kind",
          [](const Argument &a) { return std::string(spellingOf(a.kind)); })
      .def_ro("index", &Argument::index)
      .def_ro("type_name", &Argument::typeName)
      .def_prop_ro(
          "element_type",
          [](const Argument &a) { return std::string(dtypeName(a.element)); })
      .def_ro("vector_width", &Argument::vectorWidth)
      .def_ro("size", &Argument::elementSize)
      .def_ro("alignment", &Argument::alignment)
      .def_prop_ro(
          "access",
          [](const Argument &a) { return std::string(spellingOf(a.access)); })
      .def_prop_ro(
          "address_space",
          [](const Argument &a) { return std::string(spellingOf(a.space)); })
      .def_ro("is_reference", &Argument::isReference)
      .def_ro("rank", &Argument::rank)
      .def_prop_ro("line", [](const Argument &a) { return a.location.line; })
      .def("__repr__",
           [](const Argument &a) { return "<" + declaration(a) + ">"; })
      .def("__str__", &declaration);
  nb::class_<KernelInfo>(module, "KernelInfo")
      .def_ro("name", &KernelInfo::name)
      .def_ro("arguments", &KernelInfo::arguments)
      .def_ro("max_threads_per_threadgroup",
              &KernelInfo::maxThreadsPerThreadgroup)
      .def_ro("thread_execution_width", &KernelInfo::threadExecutionWidth)
      .def_ro("static_threadgroup_memory",
              &KernelInfo::staticThreadgroupMemory);
  nb::class_<FunctionConstant>(module, "FunctionConstant")
      .def_ro("name", &FunctionConstant::name)
      .def_ro("index", &FunctionConstant::index)
      .def_prop_ro("type", [](const FunctionConstant &c) {
        return std::string(dtypeName(c.type));
      });
}
