// How two partial results become one. T is the element type, A what it is
// accumulated in. NaN wins over every number.
#include <metal_stdlib>
using namespace metal;

struct Sum {
  static A first() { return A(0); }
  static A join(A a, A b) { return A(a + b); }
  static A last(A a, int count) { return a; }
};
struct Mean {
  static A first() { return A(0); }
  static A join(A a, A b) { return A(a + b); }
  static A last(A a, int count) { return A(a / A(count)); }
};
struct Product {
  static A first() { return A(1); }
  static A join(A a, A b) { return A(a * b); }
  static A last(A a, int count) { return a; }
};
// The extrema of nothing are infinite, or the type's limits.
struct Max {
  static A first() {
    return numeric_limits<A>::has_infinity ? A(-numeric_limits<A>::infinity())
                                           : numeric_limits<A>::lowest();
  }
  static A join(A a, A b) { return a > b || a != a ? a : b; }
  static A last(A a, int count) { return a; }
};
struct Min {
  static A first() {
    return numeric_limits<A>::has_infinity ? numeric_limits<A>::infinity()
                                           : numeric_limits<A>::max();
  }
  static A join(A a, A b) { return a < b || a != a ? a : b; }
  static A last(A a, int count) { return a; }
};
struct Any {
  static A first() { return A(0); }
  static A join(A a, A b) { return A(a || b); }
  static A last(A a, int count) { return a; }
};
struct All {
  static A first() { return A(1); }
  static A join(A a, A b) { return A(a && b); }
  static A last(A a, int count) { return a; }
};
