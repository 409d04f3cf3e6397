// Control flow, functions, templates, structures, pointers, constants.
#include <metal_stdlib>
using namespace metal;

constant int primes[5] = {2, 3, 5, 7, 11};
constant float2 corners[] = {float2(0, 1), float2(2, 3)};

struct Parameters {
  uint count;
  float scale;
  short2 offset;
  half weights[3];
};

kernel void structures(constant Parameters &p, device float *out,
                       uint i [[thread_position_in_grid]]) {
  if (i >= p.count)
    return;
  Parameters copy = p;
  copy.offset.y += 1;
  out[i] = i * copy.scale + copy.offset.x + copy.offset.y +
           float(copy.weights[i % 3]);
}

kernel void collatz(device const uint *in, device uint *out,
                    uint i [[thread_position_in_grid]]) {
  uint n = in[i], steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  out[i] = steps;
}

static int classify(int x) {
  switch (x & 7) {
  case 0:
    return 100;
  case 1:
  case 2:
    x += 10; // Falls through.
  case 3:
    x *= 2;
    break;
  default:
    x = -x;
  }
  return x;
}

kernel void flow(device const int *in, device int *out,
                 uint i [[thread_position_in_grid]]) {
  int total = 0;
  for (int a = 0; a < in[i]; ++a) {
    if (a % 3 == 0)
      continue;
    int b = a;
    do {
      total += b;
      if (total > 100)
        break;
      b -= 2;
    } while (b > 0);
    if (total > 200)
      break;
  }
  out[2 * i] = total;
  out[2 * i + 1] = classify(in[i]);
}

template <typename T, int N> struct Stack {
  T items[N];
  int size = 0;
  void push(T item) { items[size++] = item; }
  T pop() { return items[--size]; }
  bool empty() const { return size == 0; }
};

template <typename T> T twice(T x) { return x + x; }
template <> int twice(int x) { return 2 * x + 1; }

struct Square {
  float operator()(float x) const { return x * x; }
};
template <typename F> float apply(F f, float x) { return f(x); }

kernel void templates(device float *out, uint i [[thread_position_in_grid]]) {
  Stack<float, 8> stack;
  for (uint k = 0; k <= i; ++k)
    stack.push(k * 1.5f);
  float sum = 0;
  while (!stack.empty())
    sum = sum * 2 + stack.pop();
  auto plus = [sum](float y) { return sum + y; };
  out[3 * i] = plus(twice(0.25f));
  out[3 * i + 1] = twice(int(i));
  out[3 * i + 2] = apply(Square(), float(i));
}

static void swapThread(thread int &a, thread int &b) {
  int t = a;
  a = b;
  b = t;
}

static int sumOf(const thread int *p, int n) {
  int sum = 0;
  for (const thread int *q = p; q != p + n; ++q)
    sum += *q;
  return sum;
}

kernel void pointers(device int *data, constant int *add,
                     uint i [[thread_position_in_grid]]) {
  device int *mine = &data[i * 4];
  int local[4] = {mine[0], mine[1], mine[2], mine[3]};
  swapThread(local[0], local[3]);
  *mine = local[0] + *add;
  mine[1] = sumOf(local, 4);
  mine[2] = local[i % 4];
  device uchar *bytes = (device uchar *)(mine + 3);
  bytes[1] = 0xab;
}

kernel void tables(device int *ints, device float *floats,
                   uint i [[thread_position_in_grid]]) {
  ints[i] = primes[i % 5];
  floats[i] = corners[i & 1].y;
}

static uint fibonacci(uint n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
kernel void recursion(device uint *out, uint i [[thread_position_in_grid]]) {
  out[i] = fibonacci(i);
}

constant int width [[function_constant(0)]];
constant bool doubles [[function_constant(1)]];
constant float bias [[function_constant(2)]];
constant int area = width * width;
kernel void constants(device float *out, uint i [[thread_position_in_grid]]) {
  float x = i % width + area;
  if (doubles)
    x *= 2;
  out[i] = x + bias;
}

namespace shapes {
enum class Kind : uchar { round, square };
kernel void enums(device uchar *out, uint i [[thread_position_in_grid]]) {
  Kind kind = i % 2 ? Kind::square : Kind::round;
  out[i] = kind == Kind::square ? 4 : uchar(kind);
}
} // namespace shapes

kernel void short_circuit(device int *data, uint i [[thread_position_in_grid]],
                          uint n [[threads_per_grid]]) {
  bool inside = i + 1 < n && data[i + 1] > 5;
  bool either = i == 0 || data[i - 1] == 3;
  data[n + i] = inside * 2 + either;
}
