//===- Products.cpp - Matrix products and copies of a run -----------------===//
#include "runtime/StridedCopy.h"
#include "runtime/executor/PlanRun.h"

#include <algorithm>

using namespace bessemer;
using namespace bessemer::runtime;
using namespace bessemer::plan;

static std::string describe(const Tensor &tensor) {
  std::string text(dtypeName(tensor.dtype));
  text += "[";
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(tensor.shape[i]);
  return text + "]";
}

static void makeStridesExplicit(Tensor &tensor) {
  if (!tensor.strides.empty())
    return;
  tensor.strides.resize(tensor.shape.size());
  int64_t dense = 1;
  for (size_t i = tensor.shape.size(); i-- > 0; dense *= tensor.shape[i])
    tensor.strides[i] = dense;
}

namespace {
/// One factor of a batched product: its matrix and its batch dimensions.
struct Factor {
  Tensor tensor;
  int64_t rows, columns, rowStride, columnStride;

  Factor(Tensor given, bool transposed) : tensor(std::move(given)) {
    makeStridesExplicit(tensor);
    size_t rank = tensor.shape.size();
    size_t row = rank - (transposed ? 1 : 2), column = rank * 2 - 3 - row;
    rows = tensor.shape[row];
    columns = tensor.shape[column];
    rowStride = tensor.strides[row];
    columnStride = tensor.strides[column];
  }
  /// Batch dimension `i` of `count`, counted as broadcasting aligns them: a
  /// missing one has one element.
  int64_t extent(size_t i, size_t count) const {
    size_t own = tensor.shape.size() - 2;
    return i + own < count ? 1 : tensor.shape[i + own - count];
  }
  int64_t stride(size_t i, size_t count) const {
    size_t own = tensor.shape.size() - 2;
    return extent(i, count) == 1 ? 0 : tensor.strides[i + own - count];
  }
  GemmOperand at(int64_t element) const {
    auto *data = static_cast<const std::byte *>(tensor.data) +
                 element * int64_t(dtypeSize(tensor.dtype));
    return {data, tensor.dtype, rowStride, columnStride};
  }
};
} // namespace

/// Do the shapes make a product of shape `c`?
static bool shapesFit(const Factor &a, const Factor &b, const Tensor &c) {
  size_t batch = c.shape.size() - 2;
  if (a.columns != b.rows || c.shape[batch] != a.rows ||
      c.shape[batch + 1] != b.columns)
    return false;
  for (size_t i = 0; i < batch; ++i) {
    int64_t left = a.extent(i, batch), right = b.extent(i, batch);
    if ((left != right && left != 1 && right != 1) ||
        c.shape[i] != (left == 1 ? right : left))
      return false;
  }
  return true;
}

/// One problem for each element of the batch dimensions.
static std::vector<GemmProblem> batchOf(const Factor &a, const Factor &b,
                                        const Tensor &c) {
  size_t dims = c.shape.size() - 2;
  int64_t count = 1;
  for (size_t i = 0; i < dims; ++i)
    count *= c.shape[i];
  std::vector<GemmProblem> problems;
  for (int64_t batch = 0; batch < count; ++batch) {
    int64_t rest = batch, offsetA = 0, offsetB = 0;
    for (size_t i = dims; i-- > 0; rest /= c.shape[i]) {
      offsetA += rest % c.shape[i] * a.stride(i, dims);
      offsetB += rest % c.shape[i] * b.stride(i, dims);
    }
    GemmProblem problem{a.rows,        b.columns, a.columns, a.at(offsetA),
                        b.at(offsetB), nullptr,   c.dtype,   {}};
    problem.c = static_cast<std::byte *>(c.data) +
                batch * a.rows * b.columns * int64_t(dtypeSize(c.dtype));
    problems.push_back(problem);
  }
  return problems;
}

Status PlanRun::step(const GemmStep &step) {
  Result<Tensor> a = tensor(step.a), b = tensor(step.b), c = tensor(step.c);
  if (!a || !b || !c)
    return !a ? a.error() : !b ? b.error() : c.error();
  Factor left(*a, step.transposeA), right(*b, step.transposeB);
  if (!shapesFit(left, right, *c))
    return fail(ErrorKind::InvalidArgument,
                "a matrix product of " + describe(*a) + " and " + describe(*b) +
                    " does not make " + describe(*c));
  if (!c->isDense())
    return fail(ErrorKind::Internal, "a matrix product into a view");
  if (c->elementCount() == 0)
    return {};
  std::vector<GemmProblem> problems = batchOf(left, right, *c);
  if (step.hasBias) {
    Result<Tensor> bias = tensor(step.bias);
    if (!bias)
      return bias.error();
    makeStridesExplicit(*bias);
    if (bias->shape[0] != right.columns)
      return fail(ErrorKind::InvalidArgument, "a bias of " + describe(*bias) +
                                                  " does not fit " +
                                                  describe(*c));
    for (GemmProblem &problem : problems)
      problem.bias = {bias->data, bias->dtype, 0, bias->strides[0]};
  }
  return GemmProvider::ofHost().run(executor.device->pool(), problems);
}

Status PlanRun::step(const CopyStep &step) {
  Result<Tensor> from = tensor(step.from), to = tensor(step.to);
  if (!from || !to)
    return from ? to.error() : from.error();
  if (from->shape != to->shape)
    return fail(ErrorKind::InvalidArgument,
                "a copy of " + describe(*from) + " into " + describe(*to));
  copyStrided(executor.device->pool(), *from, *to);
  return {};
}
