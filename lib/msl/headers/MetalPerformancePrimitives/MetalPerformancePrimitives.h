// Metal Performance Primitives.
#pragma once
#include <metal_stdlib>

namespace mpp {
namespace tensor_ops {} // namespace tensor_ops
} // namespace mpp
