// A functor for each function of c10/metal that has an operator in ATen, and for
// operators of Metal's own, over every element type.
#include <c10/metal/expm1f.h>
#include <c10/metal/igamma.h>
#include <c10/metal/indexing.h>
#include <c10/metal/special_math.h>
#include <metal_stdlib>
using namespace metal;

#define UNARY(NAME, CALL)                                                      \
  struct NAME##_functor {                                                      \
    template <typename T>                                                      \
    enable_if_t<is_floating_point_v<T>, T> operator()(const T t) {             \
      const float x = float(t);                                                \
      return T(CALL);                                                          \
    }                                                                          \
    template <typename T>                                                      \
    enable_if_t<is_integral_v<T>, float> operator()(const T t) {               \
      const float x = float(t);                                                \
      return CALL;                                                             \
    }                                                                          \
  };                                                                           \
  REGISTER_UNARY_OP(NAME, float, float);                                       \
  REGISTER_UNARY_OP(NAME, half, half);                                         \
  REGISTER_UNARY_OP(NAME, bfloat, bfloat);                                     \
  REGISTER_UNARY_OP(NAME, long, float);                                        \
  REGISTER_UNARY_OP(NAME, int, float);                                         \
  REGISTER_UNARY_OP(NAME, short, float);                                       \
  REGISTER_UNARY_OP(NAME, char, float);                                        \
  REGISTER_UNARY_OP(NAME, uchar, float);                                       \
  REGISTER_UNARY_OP(NAME, bool, float)

UNARY(bessel_j0, c10::metal::bessel_j0_forward(x));
UNARY(bessel_j1, c10::metal::bessel_j1_forward(x));
UNARY(bessel_y0, c10::metal::bessel_y0_forward(x));
UNARY(bessel_y1, c10::metal::bessel_y1_forward(x));
UNARY(digamma, c10::metal::digamma(x));
UNARY(entr, c10::metal::entr(x));
UNARY(erf, c10::metal::erf(x));
UNARY(erfc, c10::metal::erfc(x));
UNARY(erfcx, c10::metal::erfcx(x));
UNARY(erfinv, c10::metal::erfinv(x));
UNARY(expm1, c10::metal::expm1f(x));
UNARY(i0, c10::metal::i0(x));
UNARY(i0e, c10::metal::i0e(x));
UNARY(i1, c10::metal::i1(x));
UNARY(i1e, c10::metal::i1e(x));
UNARY(log1p, c10::metal::log1p(x));
UNARY(log_gamma, c10::metal::log_gamma(x));
UNARY(modified_bessel_i0, c10::metal::modified_bessel_i0_forward(x));
UNARY(modified_bessel_i1, c10::metal::modified_bessel_i1_forward(x));
UNARY(modified_bessel_k0, c10::metal::modified_bessel_k0_forward(x));
UNARY(modified_bessel_k1, c10::metal::modified_bessel_k1_forward(x));
UNARY(scaled_modified_bessel_k0, c10::metal::scaled_modified_bessel_k0_forward(x));
UNARY(scaled_modified_bessel_k1, c10::metal::scaled_modified_bessel_k1_forward(x));
UNARY(sinc, c10::metal::sinc(x));
UNARY(spherical_bessel_j0, c10::metal::spherical_bessel_j0(x));
UNARY(trigamma, c10::metal::trigamma(x));

UNARY(acos, precise::acos(x));
UNARY(acosh, precise::acosh(x));
UNARY(asin, precise::asin(x));
UNARY(asinh, precise::asinh(x));
UNARY(atan, precise::atan(x));
UNARY(atanh, precise::atanh(x));
UNARY(cos, precise::cos(x));
UNARY(cosh, precise::cosh(x));
UNARY(exp, precise::exp(x));
UNARY(exp2, precise::exp2(x));
UNARY(log, precise::log(x));
UNARY(log10, precise::log10(x));
UNARY(log2, precise::log2(x));
UNARY(reciprocal, 1 / x);
UNARY(rsqrt, precise::rsqrt(x));
UNARY(sigmoid, 1 / (1 + precise::exp(-x)));
UNARY(sin, precise::sin(x));
UNARY(sinh, precise::sinh(x));
UNARY(sqrt, precise::sqrt(x));
UNARY(tan, precise::tan(x));
UNARY(tanh, precise::tanh(x));

#define SAME(NAME, CALL)                                                       \
  struct NAME##_functor {                                                      \
    template <typename T> T operator()(const T x) { return T(CALL); }          \
  };                                                                           \
  REGISTER_UNARY_OP(NAME, float, float);                                       \
  REGISTER_UNARY_OP(NAME, half, half);                                         \
  REGISTER_UNARY_OP(NAME, bfloat, bfloat);                                     \
  REGISTER_UNARY_OP(NAME, long, long);                                         \
  REGISTER_UNARY_OP(NAME, int, int);                                           \
  REGISTER_UNARY_OP(NAME, short, short);                                       \
  REGISTER_UNARY_OP(NAME, char, char);                                         \
  REGISTER_UNARY_OP(NAME, uchar, uchar)

SAME(neg, -x);
SAME(square, x *x);
SAME(sign, (x > 0) - (x < 0));

struct conj_physical_functor {
  template <typename T> T operator()(const T x) { return c10::metal::conj(x); }
};
REGISTER_UNARY_OP(conj_physical, float2, float2);
REGISTER_UNARY_OP(conj_physical, half2, half2);

#define OPMATH(NAME, CALL)                                                     \
  struct NAME##_functor {                                                      \
    template <typename T>                                                      \
    enable_if_t<is_floating_point_v<T>, T> operator()(const T a, const T b) {  \
      return T(CALL);                                                          \
    }                                                                          \
    template <typename T>                                                      \
    enable_if_t<is_integral_v<T>, float> operator()(const T t, const T u) {    \
      const float a = float(t), b = float(u);                                  \
      return CALL;                                                             \
    }                                                                          \
  };                                                                           \
  REGISTER_OPMATH_BINARY_OP(NAME, float, float);                               \
  REGISTER_OPMATH_BINARY_OP(NAME, half, half);                                 \
  REGISTER_OPMATH_BINARY_OP(NAME, bfloat, bfloat);                             \
  REGISTER_BINARY_OP(NAME, long, float);                                       \
  REGISTER_BINARY_OP(NAME, int, float);                                        \
  REGISTER_BINARY_OP(NAME, short, float);                                      \
  REGISTER_BINARY_OP(NAME, char, float);                                       \
  REGISTER_BINARY_OP(NAME, uchar, float);                                      \
  REGISTER_BINARY_OP(NAME, bool, float)

OPMATH(chebyshev_polynomial_t, c10::metal::chebyshev_polynomial_t_forward(a, b));
OPMATH(chebyshev_polynomial_u, c10::metal::chebyshev_polynomial_u_forward(a, b));
OPMATH(chebyshev_polynomial_v, c10::metal::chebyshev_polynomial_v_forward(a, b));
OPMATH(chebyshev_polynomial_w, c10::metal::chebyshev_polynomial_w_forward(a, b));
OPMATH(hermite_polynomial_h, c10::metal::hermite_polynomial_h_forward(a, b));
OPMATH(hermite_polynomial_he, c10::metal::hermite_polynomial_he_forward(a, b));
OPMATH(shifted_chebyshev_polynomial_t,
       c10::metal::shifted_chebyshev_polynomial_t_forward(a, b));
OPMATH(shifted_chebyshev_polynomial_u,
       c10::metal::shifted_chebyshev_polynomial_u_forward(a, b));
OPMATH(shifted_chebyshev_polynomial_v,
       c10::metal::shifted_chebyshev_polynomial_v_forward(a, b));
OPMATH(shifted_chebyshev_polynomial_w,
       c10::metal::shifted_chebyshev_polynomial_w_forward(a, b));
OPMATH(xlog1py, c10::metal::xlog1py(a, b));
OPMATH(xlogy, c10::metal::xlogy(a, b));
OPMATH(zeta, c10::metal::zeta(float(a), float(b)));
OPMATH(true_divide, c10::metal::div(a, b));
OPMATH(atan2, precise::atan2(float(a), float(b)));

#define FLOATING(NAME, CALL)                                                   \
  struct NAME##_functor {                                                      \
    template <typename T> T operator()(const T a, const T b) { return T(CALL); } \
  };                                                                           \
  REGISTER_OPMATH_BINARY_OP(NAME, float, float);                               \
  REGISTER_OPMATH_BINARY_OP(NAME, half, half);                                 \
  REGISTER_OPMATH_BINARY_OP(NAME, bfloat, bfloat)

FLOATING(hypot, c10::metal::hypot(fabs(float(a)), fabs(float(b))));
FLOATING(igamma, c10::metal::igamma(a, b));
FLOATING(igammac, c10::metal::igammac(a, b));
FLOATING(logaddexp, c10::metal::logaddexp(a, b));
FLOATING(logaddexp2, c10::metal::logaddexp2(a, b));

#define ARITHMETIC(NAME, CALL)                                                 \
  struct NAME##_functor {                                                      \
    template <typename T> T operator()(const T a, const T b) { return T(CALL); } \
  };                                                                           \
  REGISTER_BINARY_OP(NAME, float, float);                                      \
  REGISTER_BINARY_OP(NAME, half, half);                                        \
  REGISTER_BINARY_OP(NAME, bfloat, bfloat);                                    \
  REGISTER_BINARY_OP(NAME, long, long);                                        \
  REGISTER_BINARY_OP(NAME, int, int);                                          \
  REGISTER_BINARY_OP(NAME, short, short);                                      \
  REGISTER_BINARY_OP(NAME, char, char);                                        \
  REGISTER_BINARY_OP(NAME, uchar, uchar)

ARITHMETIC(floor_divide, c10::metal::floor_divide(a, b));
ARITHMETIC(fmod, c10::metal::fmod(a, b));
ARITHMETIC(maximum, c10::metal::max(a, b));
ARITHMETIC(minimum, c10::metal::min(a, b));
ARITHMETIC(mul, c10::metal::mul(a, b));
ARITHMETIC(pow, c10::metal::pow(a, b));
ARITHMETIC(remainder, c10::metal::remainder(a, b));

#define COMPARISON(NAME, OP)                                                   \
  DEFINE_BINARY_COMPARISON_FUNCTOR(NAME, OP);                                  \
  REGISTER_BINARY_OP(NAME, float, bool);                                       \
  REGISTER_BINARY_OP(NAME, half, bool);                                        \
  REGISTER_BINARY_OP(NAME, bfloat, bool);                                      \
  REGISTER_BINARY_OP(NAME, long, bool);                                        \
  REGISTER_BINARY_OP(NAME, int, bool);                                         \
  REGISTER_BINARY_OP(NAME, short, bool);                                       \
  REGISTER_BINARY_OP(NAME, char, bool);                                        \
  REGISTER_BINARY_OP(NAME, uchar, bool);                                       \
  REGISTER_BINARY_OP(NAME, bool, bool)

COMPARISON(eq, ==);
COMPARISON(lt, <);
COMPARISON(ge, >=);
