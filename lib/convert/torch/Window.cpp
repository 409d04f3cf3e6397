//===- Window.cpp - Convolutions and pooling ------------------------------===//
//
// coreai windows have no padding: a coreai.pad comes first. What slides over
// one axis becomes two axes, one of extent 1.
//
//===----------------------------------------------------------------------===//
#include "convert/torch/Composite.h"

#include "ir/dialect/CoreAI.h"

#include <cmath>

using namespace bessemer;
using namespace mlir;

/// As many numbers as there are spatial axes; one stands for all.
static SmallVector<int64_t> perAxis(SmallVector<int64_t> values, size_t count) {
  if (values.size() == 1)
    values.resize(count, values.front());
  return values;
}

/// Pads the spatial axes on both sides.
static Value pad(Call &call, Value value, ArrayRef<int64_t> amounts,
                 double filler) {
  if (!value || llvm::all_of(amounts, [](int64_t n) { return n == 0; }))
    return value;
  SmallVector<int64_t> padding(4, 0);
  for (int64_t amount : amounts)
    padding.append(2, amount);
  Builder &builder = call.getBuilder();
  NamedAttribute mode(builder.getStringAttr("mode"),
                      coreai::PadModeAttr::get(builder.getContext(),
                                               coreai::PadMode::Constant));
  return call.op(
      "pad",
      {value, call.ui32Vector(padding), call.number(filler, elementOf(value))},
      mode);
}

static int64_t rankOf(Value value) {
  return value ? tensorType(value).getRank() : 0;
}

/// input, weight, bias, stride, padding, dilation, transposed, output_padding,
/// groups
static void lowerConvolution(Call &call) {
  Value value = call.tensor(0), weight = call.tensor(1);
  if (call.boolean(6, false)) {
    call.fail("transposed convolutions are not supported");
    return;
  }
  int64_t spatial = rankOf(weight) - 2;
  if (spatial < 1 || spatial > 3 || rankOf(value) != spatial + 2) {
    call.fail("needs an input and a weight of rank 3, 4 or 5");
    return;
  }
  SmallVector<int64_t> stride = perAxis(call.integers(3), spatial),
                       padding = perAxis(call.integers(4), spatial),
                       dilation = perAxis(call.integers(5), spatial);
  value = pad(call, value, padding, 0);
  if (spatial == 1) {
    value = call.op("expand_dims", {value, call.si32Vector({2})});
    weight = call.op("expand_dims", {weight, call.si32Vector({2})});
    stride.insert(stride.begin(), 1);
    dilation.insert(dilation.begin(), 1);
  }
  Value result = call.op(
      spatial == 3 ? "conv3d" : "conv2d",
      {value, weight, call.ui32Vector(stride), call.ui32Vector(dilation),
       call.si32(call.integer(8, std::optional(int64_t(1))))});
  if (spatial == 1)
    result = call.op("shrink_dims", {result, call.si32Vector({2})});
  if (!call.isNone(2)) {
    Value bias = call.tensor(2);
    SmallVector<int64_t> shape(spatial + 1, 1);
    shape.front() = bias ? tensorType(bias).getDimSize(0) : 1;
    result = call.broadcasting("add", {result, call.reshape(bias, shape)});
  }
  call.replace(result);
}

/// input, kernel_size, stride, padding, dilation, ceil_mode
static void lowerMaxPool(Call &call, unsigned spatial) {
  Value value = call.tensor(0);
  if (rankOf(value) != spatial + 2) {
    call.fail("needs an input with a batch dimension");
    return;
  }
  if (call.isResultUsed(1)) {
    call.fail("the indices of the maxima are not supported");
    return;
  }
  SmallVector<int64_t> kernel = perAxis(call.integers(1), spatial);
  SmallVector<int64_t> stride = kernel, padding(spatial, 0),
                       dilation(spatial, 1);
  if (!call.isNone(2) && !call.integers(2).empty())
    stride = perAxis(call.integers(2), spatial);
  if (!call.isNone(3))
    padding = perAxis(call.integers(3), spatial);
  if (!call.isNone(4))
    dilation = perAxis(call.integers(4), spatial);
  value = pad(call, value, padding, -HUGE_VAL);
  Value result =
      call.op(spatial == 3 ? "max_pool_3d" : "max_pool_2d",
              {value, call.ui32Vector(kernel), call.ui32Vector(stride),
               call.ui32Vector(dilation), call.i1(call.boolean(5, false))});
  SmallVector<Value> results{result};
  // Nothing uses the indices: any value of their type and shape will do.
  if (call.resultCount() == 2)
    results.push_back(call.cast(result, call.resultElement(1)));
  call.replace(results);
}

/// input, kernel_size, stride, padding, ceil_mode, count_include_pad,
/// divisor_override
static void lowerMeanPool(Call &call, unsigned spatial) {
  Value value = call.tensor(0);
  SmallVector<int64_t> kernel = perAxis(call.integers(1), spatial);
  SmallVector<int64_t> stride = kernel, padding(spatial, 0);
  if (!call.isNone(2) && !call.integers(2).empty())
    stride = perAxis(call.integers(2), spatial);
  if (!call.isNone(3))
    padding = perAxis(call.integers(3), spatial);
  bool isPadded = llvm::any_of(padding, [](int64_t n) { return n != 0; });
  if (rankOf(value) != spatial + 2 || call.boolean(4, false) ||
      (isPadded && !call.boolean(5, true))) {
    call.fail("needs a batch dimension, no ceil_mode, and counts padding");
    return;
  }
  int64_t count = 1;
  for (int64_t extent : kernel)
    count *= extent;
  Value sum = call.op(spatial == 3 ? "sum_pool_3d" : "sum_pool_2d",
                      {pad(call, value, padding, 0), call.ui32Vector(kernel),
                       call.ui32Vector(stride),
                       call.ui32Vector(SmallVector<int64_t>(spatial, 1))});
  double divisor =
      static_cast<double>(call.integer(6, std::optional<int64_t>(count)));
  call.replace(call.broadcasting(
      "divide", {sum, call.number(divisor, call.resultElement())}));
}

void bessemer::addWindowLowerings(LoweringTable &table) {
  table["aten.convolution.default"] = lowerConvolution;
  for (unsigned spatial : {2u, 3u}) {
    std::string axes = std::to_string(spatial) + "d";
    Lowering max = [=](Call &call) { lowerMaxPool(call, spatial); };
    table["aten.max_pool" + axes + "_with_indices.default"] = max;
    table["aten.max_pool" + axes + ".default"] = max;
    table["aten.avg_pool" + axes + ".default"] = [=](Call &call) {
      lowerMeanPool(call, spatial);
    };
  }
}
