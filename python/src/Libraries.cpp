//===- Libraries.cpp - Compiling Metal source -----------------------------===//
#include "Bindings.h"

#include "bessemer/compiler.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

using namespace bessemer;
using namespace bessemer::python;

static MathMode mathMode(std::string_view name) {
  if (name == "relaxed")
    return MathMode::Relaxed;
  if (name == "fast")
    return MathMode::Fast;
  if (name == "safe")
    return MathMode::Safe;
  raise(makeError(ErrorKind::InvalidArgument,
                  "math is 'relaxed', 'fast' or 'safe', not '" +
                      std::string(name) + "'"));
}

[[noreturn]] static void raiseCompileError(const CompileFailure &failure) {
  nb::object type =
      nb::module_::import_("bessemer.errors").attr("CompileError");
  nb::list diagnostics;
  for (const Diagnostic &diagnostic : failure.diagnostics)
    diagnostics.append(nb::cast(diagnostic));
  nb::object exception = type(toStr(failure.error.message), diagnostics);
  PyErr_SetObject(type.ptr(), exception.ptr());
  nb::raise_python_error();
}

static Library
compileSource(const std::string &source, std::string fileName,
              unsigned firstLine,
              std::vector<std::filesystem::path> includeDirs,
              std::vector<std::pair<std::string, std::string>> defines,
              std::string_view math, std::string language,
              std::map<unsigned, uint64_t> functionConstants) {
  CompileOptions options;
  options.fileName = std::move(fileName);
  options.firstLine = firstLine;
  for (const std::filesystem::path &folder : includeDirs)
    options.includeDirs.push_back(folder.string());
  options.defines = std::move(defines);
  options.math = mathMode(math);
  options.language = std::move(language);
  options.functionConstants = std::move(functionConstants);
  CompileFailure failure;
  auto compileUnlocked = [&] {
    nb::gil_scoped_release unlocked;
    return compile(source, options, &failure);
  };
  Result<Library> library = compileUnlocked();
  if (library)
    return std::move(*library);
  if (library.error().kind != ErrorKind::Compile)
    raise(library.error());
  failure.error = library.error();
  raiseCompileError(failure);
}

/// Text forms as str, "object" as bytes.
static nb::object emit(const Library &library, std::string_view kernel,
                       std::string_view form, std::array<uint32_t, 3> group,
                       std::string_view target, bool completeGroups) {
  auto emitUnlocked = [&] {
    nb::gil_scoped_release unlocked;
    return library.emit(kernel, form, group, target, completeGroups);
  };
  Result<std::string> text = emitUnlocked();
  if (!text)
    raise(text.error());
  if (form == "object")
    return nb::bytes(text->data(), text->size());
  return nb::str(text->data(), text->size());
}

void python::bindLibraries(nb::module_ &module) {
  nb::class_<Library>(module, "Library")
      .def_prop_ro("kernels",
                   [](const Library &l) { return l.reflection().kernels; })
      .def_prop_ro(
          "function_constants",
          [](const Library &l) { return l.reflection().functionConstants; })
      .def_prop_ro("diagnostics",
                   [](const Library &l) { return l.diagnostics(); })
      .def("emit", &emit, nb::arg("kernel"), nb::arg("form"), nb::arg("group"),
           nb::arg("target"), nb::arg("complete_groups"));
  module.def("compile", &compileSource, nb::arg("source"), nb::arg("file_name"),
             nb::arg("first_line"), nb::arg("include_dirs"), nb::arg("defines"),
             nb::arg("math"), nb::arg("language"),
             nb::arg("function_constants"));
}
