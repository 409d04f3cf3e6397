// Functors as a contributor to PyTorch writes them.
#include <c10/metal/indexing.h>
#include <c10/metal/special_math.h>
#include <metal_stdlib>
using namespace metal;
using namespace c10::metal;

struct neg_functor {
  template <typename T> T operator()(const T x) { return -x; }
};
struct erf_functor {
  template <typename T>
  enable_if_t<is_floating_point_v<T>, T> operator()(const T x) {
    return T(c10::metal::erf(x));
  }
  template <typename T>
  enable_if_t<is_integral_v<T>, float> operator()(const T x) {
    return c10::metal::erf(float(x));
  }
};
struct maximum_functor {
  template <typename T> T operator()(const T a, const T b) {
    return c10::metal::max(a, b);
  }
};
struct xlogy_functor {
  template <typename T>
  enable_if_t<is_floating_point_v<T>, T> operator()(const T a, const T b) {
    return T(c10::metal::xlogy(a, b));
  }
};

REGISTER_UNARY_OP(neg, float, float);
REGISTER_UNARY_OP(neg, bfloat, bfloat);
REGISTER_UNARY_OP(neg, float2, float2);
REGISTER_UNARY_OP(neg, long, long);
REGISTER_UNARY_OP(erf, half, half);
REGISTER_UNARY_OP(erf, int, float);
REGISTER_BINARY_OP(maximum, float, float);
REGISTER_BINARY_OP(maximum, uchar, uchar);
REGISTER_OPMATH_BINARY_OP(xlogy, half, half);
