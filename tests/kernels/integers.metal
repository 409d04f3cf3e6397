// Operators and functions of every integer type.
#include <metal_stdlib>
using namespace metal;

template <typename T>
kernel void operators(device const T *a, device const T *b, device T *out,
                      uint i [[thread_position_in_grid]],
                      uint n [[threads_per_grid]]) {
  T x = a[i], y = b[i];
  out[0 * n + i] = x + y;
  out[1 * n + i] = x - y;
  out[2 * n + i] = x * y;
  out[3 * n + i] = x / y;
  out[4 * n + i] = x % y;
  out[5 * n + i] = x & y;
  out[6 * n + i] = x | y;
  out[7 * n + i] = x ^ y;
  out[8 * n + i] = ~x;
  out[9 * n + i] = -x;
  out[10 * n + i] = x << T(3);
  out[11 * n + i] = x >> T(3);
  out[12 * n + i] = x < y;
  out[13 * n + i] = x == y ? x : y;
}

template <typename T>
kernel void functions(device const T *a, device const T *b, device T *out,
                      uint i [[thread_position_in_grid]],
                      uint n [[threads_per_grid]]) {
  T x = a[i], y = b[i];
  out[0 * n + i] = clz(x);
  out[1 * n + i] = ctz(x);
  out[2 * n + i] = popcount(x);
  out[3 * n + i] = reverse_bits(x);
  out[4 * n + i] = rotate(x, y);
  out[5 * n + i] = min(x, y);
  out[6 * n + i] = max(x, y);
  out[7 * n + i] = clamp(x, T(3), T(50));
  out[8 * n + i] = addsat(x, y);
  out[9 * n + i] = subsat(x, y);
  out[10 * n + i] = hadd(x, y);
  out[11 * n + i] = rhadd(x, y);
  out[12 * n + i] = mulhi(x, y);
  out[13 * n + i] = T(absdiff(x, y));
  out[14 * n + i] = T(abs(x));
  out[15 * n + i] = select(x, y, x < y);
  out[16 * n + i] = extract_bits(x, 2, 5);
  out[17 * n + i] = insert_bits(x, y, 1, 4);
}

#define INSTANTIATE(T)                                                         \
  template [[host_name("operators_" #T)]] kernel void operators<T>(            \
      device const T *, device const T *, device T *, uint, uint);             \
  template [[host_name("functions_" #T)]] kernel void functions<T>(            \
      device const T *, device const T *, device T *, uint, uint);
INSTANTIATE(char)
INSTANTIATE(uchar)
INSTANTIATE(short)
INSTANTIATE(ushort)
INSTANTIATE(int)
INSTANTIATE(uint)
INSTANTIATE(long)
INSTANTIATE(ulong)

kernel void mul24s(device const int *a, device const int *b, device int *out,
                   uint i [[thread_position_in_grid]]) {
  out[i] = mul24(a[i], b[i]);
  out[i + 4] = mad24(a[i], b[i], 7);
}

// Results the language leaves open, which have one fixed value here.
kernel void fixed(device const int *a, device const int *b, device int *out,
                  uint i [[thread_position_in_grid]]) {
  out[i * 4] = a[i] / b[i];
  out[i * 4 + 1] = a[i] % b[i];
  out[i * 4 + 2] = a[i] << b[i];
  out[i * 4 + 3] = a[i] >> b[i];
}
