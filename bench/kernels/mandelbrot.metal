#include <metal_stdlib>
using namespace metal;

kernel void mandelbrot(device float *out [[buffer(0)]],
                       uint2 p [[thread_position_in_grid]]) {
  float cx = -2.0f + p.x * (3.0f / 1024), cy = -1.5f + p.y * (3.0f / 1024);
  float x = 0, y = 0;
  uint n = 0;
  while (n < 256 && x * x + y * y < 4.0f) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    n++;
  }
  out[p.y * 1024 + p.x] = n;
}
