// Functions that generated elementwise kernels call. Everything is computed in
// float; the callers round.

// The error function within 1.5 ulp: x * p(x * x) below 1, else
// 1 - exp(q(x)), where q approximates log(erfc(x)); from 4 on it is 1.
// The coefficients are Chebyshev fits on [0, 1] and [0.9, 4].
static float bsm_erf(float x) {
  float size = fabs(x);
  if (size < 1.0f) {
    float u = x * x;
    float p = -9.67359024e-06f;
    p = p * u + 0.000112682537f;
    p = p * u - 0.000848439652f;
    p = p * u + 0.00522105341f;
    p = p * u - 0.0268654383f;
    p = p * u + 0.112837826f;
    p = p * u - 0.376126385f;
    return x * (p * u + 1.12837917f);
  }
  float m = min(size, 4.0f);
  float q = -3.1635414e-08f;
  q = q * m + 2.30780129e-06f;
  q = q * m - 5.21778602e-05f;
  q = q * m + 0.000628239635f;
  q = q * m - 0.00485932046f;
  q = q * m + 0.0266227383f;
  q = q * m - 0.110338149f;
  q = q * m - 0.631625999f;
  q = q * m - 1.13031767f;
  q = q * m + 0.000334540858f;
  return x != x ? x : copysign(1.0f - precise::exp(q), x);
}

static float bsm_sigmoid(float x) { return 1.0f / (1.0f + precise::exp(-x)); }

static float bsm_silu(float x) { return x / (1.0f + precise::exp(-x)); }

static float bsm_gelu(float x) {
  return 0.5f * x * (1.0f + bsm_erf(x * 0.70710678118f));
}

static float bsm_gelu_tanh(float x) {
  float inner = 0.79788456080f * (x + 0.044715f * x * x * x);
  return 0.5f * x * (1.0f + precise::tanh(inner));
}

// NaN wins, as in torch.
static float bsm_maximum(float a, float b) {
  return a > b || a != a ? a : b;
}
static float bsm_minimum(float a, float b) {
  return a < b || a != a ? a : b;
}

// The remainder has the sign of the divisor.
static float bsm_modulo(float a, float b) {
  float rest = precise::fmod(a, b);
  return rest != 0.0f && (rest < 0.0f) != (b < 0.0f) ? rest + b : rest;
}
template <typename T> static T bsm_modulo(T a, T b) {
  T rest = T(a % b);
  return rest != 0 && (rest < 0) != (b < 0) ? T(rest + b) : rest;
}

// Rounded down, exact where a / b would round up to a whole number. Division by
// 1 is how programs say floor: infinities stay.
static float bsm_floor_divide(float a, float b) {
  if (b == 1.0f)
    return floor(a);
  if (b == 0.0f)
    return a / b;
  float quotient = (a - bsm_modulo(a, b)) / b;
  float whole = floor(quotient);
  return quotient - whole > 0.5f ? whole + 1.0f : whole;
}
template <typename T> static T bsm_floor_divide(T a, T b) {
  T quotient = T(a / b);
  bool isOff = a % b != 0 && (a < 0) != (b < 0);
  return isOff ? T(quotient - 1) : quotient;
}

// By repeated squaring; a negative exponent gives 0 unless the base is 1 or -1.
template <typename T> static T bsm_pow(T base, T exponent) {
  if (exponent < 0)
    return base == 1 ? T(1) : base == T(-1) ? T(exponent % 2 ? -1 : 1) : T(0);
  T result = 1;
  while (exponent > 0) {
    if (exponent & 1)
      result = T(result * base);
    base = T(base * base);
    exponent = T(exponent >> 1);
  }
  return result;
}
