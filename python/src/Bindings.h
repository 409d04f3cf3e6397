//===- Bindings.h - What the files of the extension share -------*- C++ -*-===//
#ifndef BESSEMER_PYTHON_BINDINGS_H
#define BESSEMER_PYTHON_BINDINGS_H

#include "bessemer/result.h"
#include "bessemer/tensor.h"

#include <nanobind/nanobind.h>

#include <atomic>
#include <memory>

namespace bessemer::python {

namespace nb = nanobind;

void bindErrors(nb::module_ &module);
void bindTensors(nb::module_ &module);
void bindReflection(nb::module_ &module);
void bindLibraries(nb::module_ &module);
void bindKernels(nb::module_ &module);
void bindModels(nb::module_ &module);
void bindPrograms(nb::module_ &module);

/// Any text as a str: messages may quote files that are not UTF-8, whose bytes
/// become "\\xff".
nb::object toStr(std::string_view text);

/// Raises the Python exception for an Error (bessemer.errors.make).
[[noreturn]] void raise(const Error &error);

template <typename T> T take(Result<T> result) {
  if (!result)
    raise(result.error());
  return std::move(*result);
}

inline void check(const Status &status) {
  if (!status)
    raise(status.error());
}

/// A tensor and what keeps its memory: a Python object, an imported array, or
/// the tensor's own owner.
struct PyTensor {
  Tensor tensor;
  nb::object keepAlive;
  std::shared_ptr<void> exported;
};

/// Lets another thread stop a run: the interrupt check of the thread that
/// dispatches looks at it.
class Cancellation {
public:
  void cancel() { *flag = true; }

  /// While it lives, the current thread's runs obey the cancellation.
  class Scope {
  public:
    explicit Scope(const Cancellation *cancellation);
    ~Scope();

  private:
    std::shared_ptr<std::atomic<bool>> outer;
  };

private:
  std::shared_ptr<std::atomic<bool>> flag =
      std::make_shared<std::atomic<bool>>(false);
};

} // namespace bessemer::python

#endif // BESSEMER_PYTHON_BINDINGS_H
