//===- FakeCode.h - Kernels without a compiler ------------------*- C++ -*-===//
#ifndef BESSEMER_TESTS_RUNTIME_FAKECODE_H
#define BESSEMER_TESTS_RUNTIME_FAKECODE_H

#include "bessemer/kernel.h"
#include "runtime/CpuKernel.h"

#include <atomic>
#include <fstream>
#include <iterator>

namespace bessemer::test {

/// The bytes of FakeKernels.cpp's shared object, whatever is asked.
class FakeCode : public runtime::CodeSource {
public:
  Result<std::string> object(std::string_view,
                             const runtime::Specialisation &) override {
    ++calls;
    std::ifstream file(BESSEMER_FAKE_KERNELS, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  std::atomic<unsigned> calls{0};
};

inline Argument bufferArgument(std::string name, unsigned index,
                               DType type = DType::F32,
                               Access access = Access::ReadWrite) {
  Argument argument;
  argument.name = std::move(name);
  argument.index = index;
  argument.access = access;
  argument.element = type;
  argument.typeName = dtypeMetalName(type);
  argument.elementSize = argument.alignment = dtypeSize(type);
  return argument;
}

inline KernelInfo kernelInfo(std::string name,
                             std::vector<Argument> arguments) {
  KernelInfo info;
  info.name = info.symbol = std::move(name);
  info.arguments = std::move(arguments);
  info.location = {"kernels.metal", 3, 1};
  return info;
}

inline KernelInfo saxpyInfo() {
  Argument a = bufferArgument("a", 2, DType::F32, Access::Read);
  a.space = AddressSpace::Constant;
  a.isReference = true;
  return kernelInfo("saxpy", {bufferArgument("x", 0, DType::F32, Access::Read),
                              bufferArgument("y", 1), a});
}

template <typename T>
Tensor tensorOf(std::vector<T> &data, DType type = DType::F32) {
  return Tensor{type, {int64_t(data.size())}, {}, data.data(), false, nullptr};
}

template <typename T> InlineBytes bytesOf(T value) {
  auto *bytes = reinterpret_cast<const std::byte *>(&value);
  return {{bytes, bytes + sizeof(T)}};
}

} // namespace bessemer::test

#endif // BESSEMER_TESTS_RUNTIME_FAKECODE_H
