//===- ElementKernel.h - Source of a kernel over elements -------*- C++ -*-===//
//
// Writes a Metal kernel in which each thread makes one element of a tensor of a
// given shape, from elements of other tensors that broadcast to it. Tensors
// that are dense and of that shape are indexed by the thread; for others the
// thread's index is split by the extents, merged where strides allow it.
// Extents and strides that are known are written into the source.
//
//===----------------------------------------------------------------------===//
#ifndef BESSEMER_CONVERT_PLAN_ELEMENTKERNEL_H
#define BESSEMER_CONVERT_PLAN_ELEMENTKERNEL_H

#include "convert/plan/Context.h"

namespace bessemer {

class ElementKernel {
public:
  ElementKernel(PlanContext &context, RegList shape)
      : context(context), shape(std::move(shape)) {}

  /// The element of `tensor` that belongs to the thread, as stored.
  std::string load(plan::TensorId tensor);
  /// A line of the body.
  void line(const std::string &text) { body += "  " + text + "\n"; }
  void store(plan::TensorId tensor, const std::string &value);
  /// The element's index along `axis` of the shape.
  std::string index(size_t axis);
  /// A dense tensor of another shape, to be indexed by the body.
  std::string buffer(plan::TensorId tensor);
  /// A tensor whose subscripts (innermost first) the kernel checks; what the
  /// run says of a wrong one.
  std::string tensor(mlir::Operation *op, plan::TensorId tensor,
                     bool isWritten);
  void onBadIndex(std::string message) { indexMessage = std::move(message); }
  /// A literal, or an element of the last buffer.
  std::string number(plan::Reg reg);
  /// Functions that the body calls.
  void include(const std::string &text) { helpers = text; }

  /// Adds the dispatch. The kernel's name begins with `hint`.
  void dispatch(const std::string &hint);

private:
  struct Access {
    plan::TensorId tensor;
    RegList strides; ///< For each axis of the shape; 0 repeats.
    bool isWritten;
    bool isChecked = false;
  };
  struct Axis {
    plan::Reg extent;
    RegList strides; ///< For each access that is not by thread.
  };

  std::string access(plan::TensorId tensor, bool isWritten);
  RegList broadcastStrides(plan::TensorId tensor);
  bool followsThread(const RegList &strides);
  std::vector<Axis> mergedAxes();
  std::string offsets();
  std::string parameters();

  PlanContext &context;
  RegList shape;
  std::vector<plan::KernelArg> arguments;
  std::vector<Access> accesses;      ///< One for each buffer.
  std::vector<size_t> split;         ///< Accesses that need the index split.
  std::vector<plan::Reg> unknowns;   ///< Passed in the last buffer.
  std::vector<size_t> wantedIndices; ///< Axes that `index` was asked for.
  std::string body, helpers, indexMessage;
};

} // namespace bessemer

#endif // BESSEMER_CONVERT_PLAN_ELEMENTKERNEL_H
