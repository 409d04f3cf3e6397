// Every part of the standard library instantiates.
// RUN: bsm-msl %s | FileCheck %s
#include <metal_stdlib>
#include <metal_math>
#include <metal_simdgroup_matrix>
using namespace metal;

struct __attribute__((packed)) Small { packed_float3 p; uchar c; };
static_assert(sizeof(float3) == 16 && alignof(float3) == 16, "");
static_assert(sizeof(packed_float3) == 12 && alignof(packed_float3) == 4, "");
static_assert(sizeof(float3x3) == 48 && sizeof(half3x3) == 24, "");
static_assert(sizeof(bool3) == 4 && sizeof(long3) == 32, "");
static_assert(is_floating_point_v<float2> && is_same_v<decltype(0.5), float>, "");
static_assert(numeric_limits<half>::max() == 65504.0h, "");
static_assert(extract_bits(0xf0u, 4, 4) == 15u, "");
static_assert(insert_bits(0u, 3u, 4, 2) == 48u, "");
static_assert(mulhi(0x80000000u, 4u) == 2u && mulhi(-1, 1) == -1, "");
static_assert(mulhi(0x8000000000000000ul, 6ul) == 3ul, "");
static_assert(absdiff(-2147483647 - 1, 2147483647) == 4294967295u, "");
static_assert(addsat(100, 2147483647) == 2147483647, "");
static_assert(subsat((char)-100, (char)100) == -128, "");
static_assert(rotate(0x80000001u, 1u) == 3u && clz(0) == 32 && ctz(0) == 32, "");
static_assert(popcount((uchar)255) == 8 && reverse_bits(1u) == 0x80000000u, "");
static_assert(hadd(-1, 0) == -1 && rhadd(-1, 0) == 0, "");
static_assert(madsat(2147483647, 2, 5) == 2147483647, "");

// CHECK: define {{.*}}void @vectors(
kernel void vectors(device float4 *out, constant Small &s,
                    const device half3 *h, uint i [[thread_position_in_grid]]) {
  float4 a = float4(float2(1, 2), 3, i);
  a.xy = a.yx;
  a.rgb += float3(h[i]);
  a.w++;
  a *= 2;
  a = 2.0 * a - 1;
  bool4 c = a > 1.0f && a < float4(3);
  a = select(a, float4(0), c);
  float3 p = s.p;
  p += s.p * 2.0f;
  p.x = any(c) ? p.y : p.z;
  uint4 u = as_type<uint4>(a) >> 3;
  u ^= uint4(1);
  a[2] = float(u[i & 3]);
  int3 n = -int3(p) % 3;
  out[i] = a + float4(p, n.x) + float4(1, 2, 3, 4).wzyx;
  out[i].x = 1;
  out[i].zw = out[i].xy;
}

// CHECK: define {{.*}}void @functions(
kernel void functions(device float *out, device half *h, device bfloat *b,
                      device float2 *v, uint i [[thread_position_in_grid]]) {
  float x = out[i];
  x = exp(x) + exp2(x) + exp10(x) + log(x) + log2(x) + log10(x) + sin(x);
  x += cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + sinh(x) + cosh(x);
  x += tanh(x) + asinh(x) + acosh(x) + atanh(x) + sinpi(x) + cospi(x);
  x += tanpi(x) + sqrt(x) + rsqrt(x) + floor(x) + ceil(x) + trunc(x);
  x += round(x) + rint(x) + fract(x) + fabs(x) + abs(x) + sign(x);
  x += saturate(x) + pow(x, 2) + powr(x, 2.0f) + fmod(x, 3) + atan2(x, 1);
  x += fmin(x, 1) + fmax(x, 1.0f) + copysign(x, -1) + fdim(x, 1) + step(1, x);
  x += min(x, 1.0f) + max(1.0f, x) + clamp(x, 0.0f, 1.0f) + mix(x, 1, 0.5);
  x += smoothstep(0, 1, x) + fma(x, x, x) + min3(x, x, 1.0f);
  x += max3(x, 1.0f, 2.0f) + median3(x, 1.0f, 2.0f) + divide(x, 3.0f);
  int e;
  float c;
  x += ldexp(x, 3) + frexp(x, e) + ilogb(x) + nextafter(x, 1) + modf(x, c);
  x += sincos(x, c) + c + e + precise::exp(x) + fast::log(x);
  x += isnan(x) + isinf(x) + isfinite(x) + isnormal(x) + signbit(x);
  h[i] = exp(h[i]) + max(h[i], 0.0h) + sqrt(h[i]) * 0.5h + nextafter(h[i], 1.0h);
  b[i] = exp(b[i]) + max(b[i], bfloat(0)) + b[i] * 1.5bf + abs(b[i]);
  v[i] = pow(v[i], 2.0f) + min(v[i], 1.0f) + mix(v[i], v[i], 0.5f);
  v[i] += normalize(v[i]) * length(v[i]) + dot(v[i], v[i]) + reflect(v[i], v[i]);
  v[i] += fast::normalize(v[i]) + precise::exp(v[i]) + distance(v[i], v[i]);
  float3 w = cross(float3(x), float3(c));
  out[i] = x + w.x;
}

// CHECK: define {{.*}}void @matrices(
kernel void matrices(device float4x4 *m, device float4 *v, device half2x2 *h,
                     device float *out) {
  float4x4 a = m[0] * m[1] + m[2];
  a *= 2.0f;
  v[0] = a * v[1] + v[2] * a + a[1];
  m[0] = transpose(a);
  m[0][2][1] = determinant(a);
  float2x2 d = float2x2(1, 2, 3, 4), o = float2x2(1.0f);
  h[0] = half2x2(d * o);
  simdgroup_float8x8 s, t = make_filled_simdgroup_matrix<float, 8, 8>(1.0f), r;
  simdgroup_load(s, out, 8, ulong2(0, 1), true);
  simdgroup_multiply_accumulate(r, s, t, r);
  r = r * s;
  r.thread_elements()[0] += 1;
  simdgroup_store(r, out);
}

// CHECK: define {{.*}}void @lanes(
kernel void lanes(device float *f, device int *n, device ulong *l,
                  device half4 *h, device bfloat *b, device uchar *c,
                  uint i [[thread_position_in_grid]]) {
  f[i] = simd_sum(f[i]) + simd_product(f[i]) + simd_min(f[i]) + simd_max(f[i]);
  n[i] = simd_and(n[i]) + simd_or(n[i]) + simd_xor(n[i]) + simd_sum(n[i]);
  l[i] = simd_sum(l[i]) + simd_shuffle(l[i], 3) + simd_xor(l[i]);
  h[i] = simd_sum(h[i]) + simd_shuffle_down(h[i], 1) + simd_broadcast(h[i], 2);
  b[i] = simd_max(b[i]) + simd_shuffle_up(b[i], 2) + simd_broadcast_first(b[i]);
  c[i] = simd_min(c[i]) + simd_shuffle_xor(c[i], 4);
  f[i] += simd_prefix_inclusive_sum(f[i]) + simd_prefix_exclusive_product(f[i]);
  f[i] += simd_shuffle_rotate_down(f[i], 1) + simd_shuffle_rotate_up(f[i], 1);
  f[i] += simd_shuffle_and_fill_down(f[i], 0.0f, 1);
  f[i] += simd_shuffle_and_fill_up(f[i], 0.0f, 1, 8);
  n[i] += simd_all(n[i] > 0) + simd_any(n[i] > 1) + simd_is_first();
  l[i] += (ulong)simd_ballot(n[i] > 0) + (simd_vote::vote_t)simd_active_threads_mask();
  f[i] += quad_sum(f[i]) + quad_shuffle_xor(f[i], 1) + quad_max(f[i]);
  n[i] += quad_and(n[i]) + quad_prefix_inclusive_sum(n[i]) + quad_all(true);
}

// CHECK: define {{.*}}void @atomics(
kernel void atomics(device atomic_int *n, device atomic<float> *f,
                    device atomic_ulong *l, volatile device atomic_uint *u,
                    device float *out) {
  threadgroup atomic_int shared;
  atomic_store_explicit(&shared, 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
  atomic_fetch_add_explicit(&shared, 1, memory_order_relaxed);
  atomic_fetch_max_explicit(n, 3, memory_order_relaxed);
  atomic_fetch_add_explicit(f, 1.0f, memory_order_relaxed);
  atomic_fetch_min_explicit(f, 1, memory_order_relaxed);
  atomic_max_explicit(l, 7ul, memory_order_relaxed);
  atomic_fetch_or_explicit(u, 1u, memory_order_relaxed);
  float expected = atomic_load_explicit(f, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(f, &expected, expected * 2,
                                                memory_order_relaxed,
                                                memory_order_relaxed))
    ;
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst,
                      thread_scope_device);
  out[0] = atomic_exchange_explicit(f, 2.0f, memory_order_relaxed) +
           unpack_unorm4x8_to_float(pack_float_to_unorm4x8(float4(1))).x;
}
