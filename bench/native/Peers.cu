//===- Peers.cu - The bench kernels as CUDA C++ ---------------------------===//
//
// The algorithms of bench/kernels, for nvcc. The parameters are the Metal
// kernels' arguments, numbers by value.
//
//===----------------------------------------------------------------------===//
#include <cuda_fp16.h>

using uint = unsigned;

static __device__ uint position() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ float simdSum(float value) {
  for (uint distance = 16; distance; distance /= 2)
    value += __shfl_xor_sync(~0u, value, distance);
  return value;
}
static __device__ float simdMax(float value) {
  for (uint distance = 16; distance; distance /= 2)
    value = fmaxf(value, __shfl_xor_sync(~0u, value, distance));
  return value;
}

extern "C" __global__ void vadd(const float *a, const float *b, float *out) {
  uint i = position();
  out[i] = a[i] + b[i];
}

extern "C" __global__ void silu_f32(const float *a, const float *b,
                                    float *out) {
  uint i = position();
  float x = a[i];
  out[i] = x / (1.0f + expf(-x)) * b[i];
}

extern "C" __global__ void silu_f16(const __half *a, const __half *b,
                                    __half *out) {
  uint i = position();
  float x = a[i];
  out[i] = __float2half(x / (1.0f + expf(-x)) * float(b[i]));
}

extern "C" __global__ void softmax(const float *in, float *out, uint columns) {
  __shared__ float partial[8];
  uint l = threadIdx.x, lane = l % 32, group = l / 32;
  const float *x = in + size_t(blockIdx.x) * columns;
  float *y = out + size_t(blockIdx.x) * columns;

  float largest = -INFINITY;
  for (uint i = l; i < columns; i += 256)
    largest = fmaxf(largest, x[i]);
  largest = simdMax(largest);
  if (lane == 0)
    partial[group] = largest;
  __syncthreads();
  largest = partial[0];
  for (uint k = 1; k < 8; k++)
    largest = fmaxf(largest, partial[k]);
  __syncthreads();

  float sum = 0;
  for (uint i = l; i < columns; i += 256) {
    float e = expf(x[i] - largest);
    y[i] = e;
    sum += e;
  }
  sum = simdSum(sum);
  if (lane == 0)
    partial[group] = sum;
  __syncthreads();
  sum = 0;
  for (uint k = 0; k < 8; k++)
    sum += partial[k];
  float scale = 1.0f / sum;
  for (uint i = l; i < columns; i += 256)
    y[i] *= scale;
}

extern "C" __global__ void rmsnorm(const float *in, const float *weight,
                                   float *out, uint columns) {
  __shared__ float partial[256];
  uint l = threadIdx.x;
  const float *x = in + size_t(blockIdx.x) * columns;
  float *y = out + size_t(blockIdx.x) * columns;

  float sum = 0;
  for (uint i = l; i < columns; i += 256)
    sum += x[i] * x[i];
  partial[l] = sum;
  __syncthreads();
  for (uint s = 128; s > 0; s >>= 1) {
    if (l < s)
      partial[l] += partial[l + s];
    __syncthreads();
  }
  float scale = 1.0f / sqrtf(partial[0] / columns + 1e-5f);
  for (uint i = l; i < columns; i += 256)
    y[i] = x[i] * scale * weight[i];
}

extern "C" __global__ void matmul_naive(const float *a, const float *b,
                                        float *c, uint n) {
  uint x = position(), y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (uint k = 0; k < n; k++)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

template <int tile>
static __device__ void tiledProduct(const float *a, const float *b, float *c,
                                    uint n) {
  __shared__ float tileA[tile][tile];
  __shared__ float tileB[tile][tile];
  uint x = position(), y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (uint t = 0; t < n / tile; t++) {
    tileA[threadIdx.y][threadIdx.x] = a[y * n + t * tile + threadIdx.x];
    tileB[threadIdx.y][threadIdx.x] = b[(t * tile + threadIdx.y) * n + x];
    __syncthreads();
    for (uint k = 0; k < tile; k++)
      sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

extern "C" __global__ void matmul_tiled(const float *a, const float *b,
                                        float *c, uint n) {
  tiledProduct<16>(a, b, c, n);
}

extern "C" __global__ void matmul_tiled32(const float *a, const float *b,
                                          float *c, uint n) {
  tiledProduct<32>(a, b, c, n);
}

extern "C" __global__ void reduce(const float *in, float *out) {
  __shared__ float partial[256];
  uint l = threadIdx.x;
  const float *x = in + size_t(blockIdx.x) * 4096;
  float sum = 0;
  for (uint i = 0; i < 16; i++)
    sum += x[i * 256 + l];
  partial[l] = sum;
  __syncthreads();
  for (uint s = 128; s > 0; s >>= 1) {
    if (l < s)
      partial[l] += partial[l + s];
    __syncthreads();
  }
  if (l == 0)
    out[blockIdx.x] = partial[0];
}

extern "C" __global__ void mandelbrot(float *out) {
  uint px = position(), py = blockIdx.y * blockDim.y + threadIdx.y;
  float cx = -2.0f + px * (3.0f / 1024), cy = -1.5f + py * (3.0f / 1024);
  float x = 0, y = 0;
  uint n = 0;
  while (n < 256 && x * x + y * y < 4.0f) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    n++;
  }
  out[py * 1024 + px] = n;
}

extern "C" __global__ void dynamic_loop(const float *in, const uint *counts,
                                        float *out) {
  uint i = position(), count = counts[i] & 31, first = i * 32;
  float sum = 0;
  for (uint k = 0; k < count; k++)
    sum += in[first + k];
  out[i] = sum;
}

extern "C" __global__ void xor_shuffle_ballot(const float *in, float *out) {
  uint i = position();
  float x = in[i], sum = x;
  for (uint mask = 16; mask > 0; mask >>= 1)
    sum += __shfl_xor_sync(~0u, sum, mask);
  uint above = __ballot_sync(~0u, x > sum * (1.0f / 32));
  out[i] = x - sum + float(__popc(above));
}

extern "C" __global__ void quantised_matvec(const uint *weights,
                                            const __half *scales,
                                            const float *x, float *out) {
  __shared__ float partial[64];
  uint row = blockIdx.x, l = threadIdx.x;
  float sum = 0;
  for (uint i = l; i < 512; i += 64) {
    uint word = weights[row * 512 + i];
    float scale = scales[row * 128 + (i >> 2)];
    float part = 0;
    for (uint j = 0; j < 8; j++)
      part += float(int((word >> (4 * j)) & 15) - 8) * x[i * 8 + j];
    sum += part * scale;
  }
  partial[l] = sum;
  __syncthreads();
  for (uint s = 32; s > 0; s >>= 1) {
    if (l < s)
      partial[l] += partial[l + s];
    __syncthreads();
  }
  if (l == 0)
    out[row] = partial[0];
}

extern "C" __global__ void flash_attention(const float *queries,
                                           const float *keys,
                                           const float *values, float *out,
                                           uint length) {
  __shared__ float tileK[32][64];
  __shared__ float tileV[32][64];
  uint l = threadIdx.x, query = blockIdx.x * 64 + l;
  uint base = blockIdx.y * length * 64;
  float sum[64], q[64];
  for (uint d = 0; d < 64; d++) {
    sum[d] = 0;
    q[d] = queries[base + query * 64 + d] * 0.125f;
  }
  float largest = -INFINITY, total = 0;
  for (uint t = 0; t < length; t += 32) {
    for (uint i = l; i < 2048; i += 64) {
      tileK[i >> 6][i & 63] = keys[base + t * 64 + i];
      tileV[i >> 6][i & 63] = values[base + t * 64 + i];
    }
    __syncthreads();
    float score[32], tileLargest = largest;
    for (uint j = 0; j < 32; j++) {
      float u = 0;
      for (uint d = 0; d < 64; d++)
        u += q[d] * tileK[j][d];
      score[j] = u;
      tileLargest = fmaxf(tileLargest, u);
    }
    float rescale = expf(largest - tileLargest);
    largest = tileLargest;
    total *= rescale;
    for (uint d = 0; d < 64; d++)
      sum[d] *= rescale;
    for (uint j = 0; j < 32; j++) {
      float p = expf(score[j] - largest);
      total += p;
      for (uint d = 0; d < 64; d++)
        sum[d] += p * tileV[j][d];
    }
    __syncthreads();
  }
  float scale = 1.0f / total;
  for (uint d = 0; d < 64; d++)
    out[base + query * 64 + d] = sum[d] * scale;
}
