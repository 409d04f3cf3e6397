//===- Tensors.cpp - Memory of Python objects as tensors ------------------===//
#include "Bindings.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

using namespace bessemer;
using namespace bessemer::python;

namespace {

struct DLPackType {
  DType dtype;
  nb::dlpack::dtype_code code;
  uint8_t bits;
};

constexpr DLPackType dlpackTypes[] = {
    {DType::Bool, nb::dlpack::dtype_code::Bool, 8},
    {DType::I8, nb::dlpack::dtype_code::Int, 8},
    {DType::U8, nb::dlpack::dtype_code::UInt, 8},
    {DType::I16, nb::dlpack::dtype_code::Int, 16},
    {DType::U16, nb::dlpack::dtype_code::UInt, 16},
    {DType::I32, nb::dlpack::dtype_code::Int, 32},
    {DType::U32, nb::dlpack::dtype_code::UInt, 32},
    {DType::I64, nb::dlpack::dtype_code::Int, 64},
    {DType::U64, nb::dlpack::dtype_code::UInt, 64},
    {DType::F16, nb::dlpack::dtype_code::Float, 16},
    {DType::BF16, nb::dlpack::dtype_code::Bfloat, 16},
    {DType::F32, nb::dlpack::dtype_code::Float, 32},
    {DType::F64, nb::dlpack::dtype_code::Float, 64},
};

DType fromDLPack(nb::dlpack::dtype type) {
  for (const DLPackType &entry : dlpackTypes)
    if (static_cast<uint8_t>(entry.code) == type.code &&
        entry.bits == type.bits && type.lanes == 1)
      return entry.dtype;
  return DType::Invalid;
}

nb::dlpack::dtype toDLPack(DType dtype) {
  for (const DLPackType &entry : dlpackTypes)
    if (entry.dtype == dtype)
      return {static_cast<uint8_t>(entry.code), entry.bits, 1};
  return {0, 0, 0};
}

template <typename Array> PyTensor fromArray(Array array, bool readOnly) {
  if (array.device_type() != nb::device::cpu::value)
    raise(makeError(ErrorKind::InvalidArgument,
                    "the array lies on another device; copy it to the CPU"));
  DType dtype = fromDLPack(array.dtype());
  if (dtype == DType::Invalid)
    raise(makeError(ErrorKind::InvalidArgument,
                    "arrays of this element type are not supported"));
  PyTensor result;
  result.tensor.dtype = dtype;
  result.tensor.data =
      const_cast<void *>(static_cast<const void *>(array.data()));
  result.tensor.readOnly = readOnly;
  for (size_t i = 0; i < array.ndim(); ++i) {
    result.tensor.shape.push_back(static_cast<int64_t>(array.shape(i)));
    result.tensor.strides.push_back(array.stride(i));
  }
  result.exported = std::make_shared<Array>(std::move(array));
  return result;
}

/// Any object with __dlpack__ or the buffer protocol, without a copy.
PyTensor importArray(nb::handle object) {
  nb::ndarray<> writable;
  if (nb::try_cast(object, writable, false))
    return fromArray(std::move(writable), false);
  nb::ndarray<nb::ro> readOnly;
  if (nb::try_cast(object, readOnly, false))
    return fromArray(std::move(readOnly), true);
  throw nb::type_error("the object offers neither DLPack nor a buffer");
}

PyTensor viewMemory(uintptr_t address, std::string_view dtype,
                    std::vector<int64_t> shape, std::vector<int64_t> strides,
                    bool readOnly, nb::object owner) {
  PyTensor result;
  result.tensor.dtype = dtypeFromName(dtype);
  if (result.tensor.dtype == DType::Invalid)
    raise(makeError(ErrorKind::InvalidArgument, "element type '" +
                                                    std::string(dtype) +
                                                    "' is not supported"));
  result.tensor.shape = std::move(shape);
  result.tensor.strides = std::move(strides);
  result.tensor.data = reinterpret_cast<void *>(address);
  result.tensor.readOnly = readOnly;
  result.keepAlive = std::move(owner);
  return result;
}

/// The same memory as a NumPy array; bfloat16 as its 16-bit patterns.
nb::object toNumPy(nb::handle self) {
  const Tensor &tensor = nb::cast<const PyTensor &>(self).tensor;
  std::vector<size_t> shape(tensor.shape.begin(), tensor.shape.end());
  DType dtype = tensor.dtype == DType::BF16 ? DType::U16 : tensor.dtype;
  // NumPy refuses a null pointer; an empty array needs no memory.
  static char nothing;
  void *data = tensor.data ? tensor.data : &nothing;
  nb::ndarray<nb::numpy> array(data, shape.size(), shape.data(), self,
                               tensor.strides.empty() ? nullptr
                                                      : tensor.strides.data(),
                               toDLPack(dtype));
  return nb::cast(array, nb::rv_policy::reference);
}

} // namespace

void python::bindTensors(nb::module_ &module) {
  nb::class_<PyTensor>(module, "Tensor")
      .def_static("from_dlpack", &importArray, nb::arg("object"))
      .def_static("view", &viewMemory, nb::arg("address"), nb::arg("dtype"),
                  nb::arg("shape"), nb::arg("strides"), nb::arg("read_only"),
                  nb::arg("owner"))
      .def("numpy", [](nb::handle_t<PyTensor> self) { return toNumPy(self); })
      .def_prop_ro("dtype",
                   [](const PyTensor &t) {
                     return std::string(dtypeName(t.tensor.dtype));
                   })
      .def_prop_ro("shape", [](const PyTensor &t) { return t.tensor.shape; });
}
