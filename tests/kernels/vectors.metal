// Vectors, packed vectors and matrices.
#include <metal_stdlib>
using namespace metal;

kernel void swizzles(device const float4 *in, device float4 *out,
                     uint i [[thread_position_in_grid]],
                     uint n [[threads_per_grid]]) {
  float4 v = in[i];
  out[0 * n + i] = v.wzyx;
  out[1 * n + i] = float4(v.xy, v.rg);
  float4 w = 1;
  w.zx = v.xy;
  w[3] += v.z;
  out[2 * n + i] = w;
  w.yzw *= 2;
  out[3 * n + i] = w;
  out[4 * n + i] = float4(v.xyz, 1) + 2 * v;
  out[5 * n + i] = select(v, -v, v > 0);
  out[6 * n + i] = float4(int4(v)) / 2;
  float sum = 0;
  for (uint k = 0; k < 4; ++k)
    sum += v[k];
  out[7 * n + i] = sum;
}

kernel void packed(device const packed_float3 *in, device packed_half3 *halves,
                   device float3 *padded, device packed_uchar4 *bytes,
                   uint i [[thread_position_in_grid]]) {
  float3 v = in[i];
  halves[i] = packed_half3(half3(v * 0.5f));
  padded[i] = v.zyx;
  bytes[i] = packed_uchar4(uchar4(v.x, v.y, v.z, 255));
  bytes[i].y += 1;
}

kernel void geometry(device const float3 *a, device const float3 *b,
                     device float *out, uint i [[thread_position_in_grid]]) {
  float3 x = a[i], y = b[i];
  device float *row = out + 12 * i;
  row[0] = dot(x, y);
  row[1] = length(x);
  row[2] = distance(x, y);
  row[3] = length_squared(x);
  float3 c = cross(x, y);
  row[4] = c.x;
  row[5] = c.y;
  row[6] = c.z;
  float3 u = normalize(x);
  row[7] = u.x;
  row[8] = u.y;
  row[9] = u.z;
  row[10] = distance_squared(x, y);
  row[11] = dot(reflect(x, u), y);
}

kernel void matrices(device const float *in, device float *out) {
  float3x2 m(in[0], in[1], in[2], in[3], in[4], in[5]);
  float3 v(in[6], in[7], in[8]);
  float2 mv = m * v;
  out[0] = mv.x;
  out[1] = mv.y;
  float3 vm = float2(in[0], in[1]) * m;
  out[2] = vm.x;
  out[3] = vm.y;
  out[4] = vm.z;
  float2x3 t = transpose(m);
  float2x2 mt = m * t;
  out[5] = mt[0][0];
  out[6] = mt[0][1];
  out[7] = mt[1][0];
  out[8] = mt[1][1];
  out[9] = determinant(mt);
  float4x4 d(2.0f);
  out[10] = d[1][1];
  out[11] = d[1][2];
  m[1] = float2(9, 10);
  out[12] = (m + m)[1].y;
}

kernel void integer_vectors(device const int4 *a, device const int4 *b,
                            device int4 *out,
                            uint i [[thread_position_in_grid]],
                            uint n [[threads_per_grid]]) {
  int4 x = a[i], y = b[i];
  out[0 * n + i] = x * y - (x >> 2);
  out[1 * n + i] = min(x, y);
  out[2 * n + i] = int4(x < y);
  out[3 * n + i] = popcount(x) + clz(y);
  out[4 * n + i] = abs(x) % 7;
  out[5 * n + i] = x & 0xff | y << 8;
  out[6 * n + i] = any(x == y) ? 1 : int4(0, 1, 2, 3);
}

kernel void packing(device const float4 *in, device uint *words,
                    device float4 *back, uint i [[thread_position_in_grid]]) {
  words[4 * i] = pack_float_to_unorm4x8(in[i]);
  words[4 * i + 1] = pack_float_to_snorm4x8(in[i]);
  words[4 * i + 2] = pack_float_to_unorm2x16(in[i].xy);
  words[4 * i + 3] = pack_float_to_snorm2x16(in[i].xy);
  back[2 * i] = unpack_unorm4x8_to_float(words[4 * i]);
  back[2 * i + 1] = unpack_snorm4x8_to_float(words[4 * i + 1]);
}
