//===- Convolution.cpp - Convolutions of a run ----------------------------===//
#include "runtime/gemm/Convolution.h"

#include "runtime/executor/PlanRun.h"

using namespace bessemer;
using namespace bessemer::runtime;
using namespace bessemer::plan;

static std::string shapeText(const Tensor &tensor) {
  std::string text = "[";
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(tensor.shape[i]);
  return text + "]";
}

Status PlanRun::step(const ConvolutionStep &step) {
  Result<Tensor> input = tensor(step.input), weight = tensor(step.weight),
                 output = tensor(step.output);
  if (!input || !weight || !output)
    return !input ? input.error() : !weight ? weight.error() : output.error();
  const std::vector<int64_t> &in = input->shape, &filter = weight->shape,
                             &out = output->shape;
  if (in[0] != out[0] || filter[0] != out[1] ||
      in[1] != filter[1] * step.groups || filter[0] % step.groups != 0)
    return fail(ErrorKind::InvalidArgument,
                "a convolution of " + shapeText(*input) + " with " +
                    shapeText(*weight) + " in " + std::to_string(step.groups) +
                    " groups does not make " + shapeText(*output));
  if (output->elementCount() == 0)
    return {};
  Convolution convolution;
  convolution.batch = in[0];
  convolution.groups = step.groups;
  convolution.channels = filter[1];
  convolution.filters = filter[0] / step.groups;
  size_t spatial = in.size() - 2, lead = convolution.axes.size() - spatial;
  for (size_t i = 0; i < spatial; ++i)
    convolution.axes[lead + i] = {in[i + 2],         filter[i + 2],
                                  out[i + 2],        step.strides[i],
                                  step.dilations[i], step.paddings[i]};
  convolution.input = input->data;
  convolution.weight = weight->data;
  convolution.output = output->data;
  convolution.dtype = input->dtype;
  return convolve(executor.device->pool(), convolution);
}
