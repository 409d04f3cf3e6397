// Metal Performance Primitives.
#pragma once
#include <metal_stdlib>

#define __BSM_MISSING(name)                                                    \
  __attribute__((unavailable("mpp::tensor_ops::" #name                         \
                             " is not supported; use simdgroup_matrix")))

namespace mpp {
namespace tensor_ops {

struct __BSM_MISSING(matmul2d_descriptor) matmul2d_descriptor {
  enum class mode { multiply, multiply_accumulate };
  template <typename... A> constexpr matmul2d_descriptor(A...) {}
};
template <typename...>
struct __BSM_MISSING(matmul2d) matmul2d;
template <typename... A> __BSM_MISSING(reduce_rows) void reduce_rows(A &&...);
template <typename... A>
__BSM_MISSING(reduce_columns) void reduce_columns(A &&...);

} // namespace tensor_ops
} // namespace mpp
#undef __BSM_MISSING
