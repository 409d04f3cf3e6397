//===- Programs.cpp - Building programs -----------------------------------===//
#include "Bindings.h"

#include "bessemer/program.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

using namespace bessemer;
using namespace bessemer::python;

static Block
addGraph(Program &program, const std::string &name,
         const std::vector<std::pair<std::string, std::string>> &inputs) {
  std::vector<GraphInput> graphInputs;
  for (const auto &[inputName, type] : inputs)
    graphInputs.push_back({inputName, type});
  return take(program.addGraph(name, graphInputs));
}

/// The results of a new operation.
static std::vector<Value>
createOperation(Program &program, Block block, const std::string &name,
                const std::vector<Value> &operands,
                const std::vector<std::string> &resultTypes,
                const std::string &attributes, const std::string &location) {
  Operation operation = take(
      program.create(block, name, operands, resultTypes, attributes, location));
  std::vector<Value> results;
  for (unsigned i = 0; i < resultTypes.size(); ++i)
    results.push_back(program.result(operation, i));
  return results;
}

/// The results and the blocks of a new operation with regions.
static std::pair<std::vector<Value>, std::vector<Block>>
createWithRegions(Program &program, Block block, const std::string &name,
                  const std::vector<Value> &operands,
                  const std::vector<std::string> &resultTypes,
                  const std::string &location, unsigned regions) {
  Operation operation = take(program.create(block, name, operands, resultTypes,
                                            "{}", location, regions));
  std::vector<Value> results;
  for (unsigned i = 0; i < resultTypes.size(); ++i)
    results.push_back(program.result(operation, i));
  std::vector<Block> blocks;
  for (unsigned i = 0; i < regions; ++i)
    blocks.push_back(program.region(operation, i));
  return {results, blocks};
}

/// (name, min, max or None, [(input, axis, factor, offset), ...])
using PyDimension =
    std::tuple<std::string, int64_t, std::optional<int64_t>,
               std::vector<std::tuple<uint32_t, uint32_t, int64_t, int64_t>>>;

static void setDimensions(Program &program, const std::string &graph,
                          const std::vector<PyDimension> &dimensions) {
  std::vector<GraphDimension> list;
  for (const auto &[name, min, max, uses] : dimensions) {
    GraphDimension &dimension = list.emplace_back();
    dimension.name = name;
    dimension.min = min;
    dimension.max = max;
    for (auto [input, axis, factor, offset] : uses)
      dimension.uses.push_back({input, axis, factor, offset});
  }
  check(program.setDimensions(graph, list));
}

static Value addConstant(Program &program, Block block, nb::handle data) {
  const Tensor &tensor = nb::cast<const PyTensor &>(data).tensor;
  if (!tensor.isDense())
    raise(makeError(ErrorKind::InvalidArgument,
                    "constants are dense: make the array contiguous first"));
  size_t bytes =
      static_cast<size_t>(tensor.elementCount()) * dtypeSize(tensor.dtype);
  return take(
      program.constant(block, tensor.dtype, tensor.shape, tensor.data, bytes));
}

static void saveProgram(const Program &program,
                        const std::filesystem::path &path, std::string author,
                        std::string license, std::string description,
                        std::map<std::string, std::string> creatorDefined) {
  AssetMetadata metadata;
  metadata.author = std::move(author);
  metadata.license = std::move(license);
  metadata.description = std::move(description);
  metadata.creatorDefined = std::move(creatorDefined);
  auto save = [&] {
    nb::gil_scoped_release unlocked;
    return program.save(path, metadata);
  };
  check(save());
}

void python::bindPrograms(nb::module_ &module) {
  nb::class_<Value>(module, "Value");
  nb::class_<Block>(module, "Block");
  module.def("has_torch_lowering", [](const std::string &target) {
    return take(Program::hasTorchLowering(target));
  });
  nb::class_<Program>(module, "Program")
      .def_static("create", [] { return take(Program::create()); })
      .def_static(
          "parse",
          [](const std::string &text) { return take(Program::parse(text)); })
      .def_static("load",
                  [](const std::filesystem::path &path) {
                    return take(Program::load(path));
                  })
      .def("add_graph", &addGraph, nb::arg("name"), nb::arg("inputs"),
           nb::keep_alive<0, 1>())
      .def("input", &Program::input, nb::keep_alive<0, 1>())
      .def("set_outputs",
           [](Program &program, Block graph, const std::vector<Value> &values,
              const std::vector<std::string> &names) {
             check(program.setOutputs(graph, values, names));
           })
      .def("create_operation", &createOperation, nb::arg("block"),
           nb::arg("name"), nb::arg("operands"), nb::arg("result_types"),
           nb::arg("attributes") = "{}", nb::arg("location") = "")
      .def("create_with_regions", &createWithRegions, nb::arg("block"),
           nb::arg("name"), nb::arg("operands"), nb::arg("result_types"),
           nb::arg("location"), nb::arg("regions"))
      .def("add_argument",
           [](Program &program, Block block, const std::string &type) {
             return take(program.addArgument(block, type));
           })
      .def("set_dimensions", &setDimensions)
      .def("constant", &addConstant, nb::keep_alive<0, 1>())
      .def("type_of", &Program::typeOf)
      .def("lower_torch",
           [](Program &program) {
             auto lower = [&] {
               nb::gil_scoped_release unlocked;
               return program.lowerTorch();
             };
             check(lower());
           })
      .def("verify", [](const Program &program) { check(program.verify()); })
      .def("print", &Program::print)
      .def("save", &saveProgram, nb::arg("path"), nb::arg("author") = "",
           nb::arg("license") = "", nb::arg("description") = "",
           nb::arg("creator_defined") = std::map<std::string, std::string>());
}
