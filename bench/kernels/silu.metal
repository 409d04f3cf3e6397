#include <metal_stdlib>
using namespace metal;

template <typename T>
kernel void silu(device const T *a [[buffer(0)]],
                 device const T *b [[buffer(1)]],
                 device T *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  float x = float(a[i]);
  out[i] = T(x / (1.0f + exp(-x)) * float(b[i]));
}

template [[host_name("silu_f32")]] kernel void
silu<float>(device const float *, device const float *, device float *, uint);
template [[host_name("silu_f16")]] kernel void
silu<half>(device const half *, device const half *, device half *, uint);
