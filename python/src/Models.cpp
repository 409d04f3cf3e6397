//===- Models.cpp - Loading and running assets ----------------------------===//
#include "Bindings.h"

#include "bessemer/model.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

using namespace bessemer;
using namespace bessemer::python;

static std::vector<Tensor> tensorsIn(nb::list list) {
  std::vector<Tensor> tensors;
  for (nb::handle entry : list)
    tensors.push_back(nb::cast<const PyTensor &>(entry).tensor);
  return tensors;
}

static std::vector<PyTensor> runFunction(const Function &function,
                                         nb::list inputs, nb::list states,
                                         const Cancellation *cancellation) {
  std::vector<Tensor> tensors = tensorsIn(inputs),
                      stateTensors = tensorsIn(states);
  auto runUnlocked = [&] {
    nb::gil_scoped_release unlocked;
    Cancellation::Scope scope(cancellation);
    return function.run(tensors, stateTensors);
  };
  std::vector<PyTensor> outputs;
  for (Tensor &tensor : take(runUnlocked()))
    outputs.push_back({std::move(tensor), {}, {}});
  return outputs;
}

void python::bindModels(nb::module_ &module) {
  nb::class_<TensorDescriptor>(module, "TensorDescriptor")
      .def_ro("name", &TensorDescriptor::name)
      .def_prop_ro("dtype",
                   [](const TensorDescriptor &d) {
                     return std::string(dtypeName(d.dtype));
                   })
      .def_ro("shape", &TensorDescriptor::shape);
  nb::class_<Function>(module, "Function")
      .def_prop_ro("name", [](const Function &f) { return f.name(); })
      .def_prop_ro("inputs", [](const Function &f) { return f.inputs(); })
      .def_prop_ro("outputs", [](const Function &f) { return f.outputs(); })
      .def_prop_ro("states", [](const Function &f) { return f.states(); })
      .def("run", &runFunction, nb::arg("inputs"), nb::arg("states"),
           nb::arg("cancellation").none() = nb::none());
  nb::class_<Model>(module, "Model")
      .def_static("load",
                  [](const std::filesystem::path &path, const Device &device) {
                    auto load = [&] {
                      nb::gil_scoped_release unlocked;
                      return Model::load(path, device);
                    };
                    return take(load());
                  })
      .def_prop_ro("function_names", &Model::functionNames)
      .def("function", [](const Model &model, const std::string &name) {
        auto load = [&] {
          nb::gil_scoped_release unlocked;
          return model.function(name);
        };
        return take(load());
      });
}
