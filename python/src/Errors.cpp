//===- Errors.cpp - Errors as Python exceptions, Ctrl-C -------------------===//
#include "Bindings.h"

#include "bessemer/process.h"

using namespace bessemer;
using namespace bessemer::python;

static const char *kindName(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::InvalidArgument:
    return "InvalidArgument";
  case ErrorKind::NotFound:
    return "NotFound";
  case ErrorKind::Compile:
    return "Compile";
  case ErrorKind::Corrupt:
    return "Corrupt";
  case ErrorKind::Fault:
    return "Fault";
  case ErrorKind::Interrupted:
    return "Interrupted";
  case ErrorKind::Unsupported:
    return "Unsupported";
  case ErrorKind::Internal:
    return "Internal";
  }
  return "Internal";
}

nb::object python::toStr(std::string_view text) {
  PyObject *string = PyUnicode_DecodeUTF8(
      text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
  if (!string)
    nb::raise_python_error();
  return nb::steal(string);
}

void python::raise(const Error &error) {
  // A Python signal handler that raised during the run comes first.
  if (error.kind == ErrorKind::Interrupted && PyErr_Occurred())
    nb::raise_python_error();
  PyErr_Clear();
  nb::object exception =
      nb::module_::import_("bessemer.errors")
          .attr("make")(kindName(error.kind), toStr(error.message));
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(exception.ptr())),
                  exception.ptr());
  nb::raise_python_error();
}

static thread_local std::shared_ptr<std::atomic<bool>> cancelled;

Cancellation::Scope::Scope(const Cancellation *cancellation)
    : outer(std::move(cancelled)) {
  cancelled = cancellation ? cancellation->flag : nullptr;
}

Cancellation::Scope::~Scope() { cancelled = std::move(outer); }

/// Runs pending signal handlers; on the main thread Ctrl-C raises there.
static bool interrupted() {
  if (cancelled && *cancelled)
    return true;
  if (!Py_IsInitialized())
    return false;
  nb::gil_scoped_acquire gil;
  return PyErr_CheckSignals() != 0;
}

void python::bindErrors(nb::module_ &module) {
  nb::class_<Cancellation>(module, "Cancellation")
      .def(nb::init<>())
      .def("cancel", &Cancellation::cancel);
  setInterruptCheck(&interrupted);
}
