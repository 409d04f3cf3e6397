"""Loops in which the lanes of a simdgroup take turns: simdgroup functions in
front of a `break`, `return` or `continue` see the lanes of that turn only."""

import interpreter
import numpy as np
import pytest

FORMS = {
    "break": "while (true) { TURN if (v == f) { r = simd_sum(1); break; } }",
    "flag": "bool done = false; while (!done) { TURN if (v == f) { "
    "r = simd_sum(1); done = true; } }",
    "flag, store": "bool done = false; while (!done) { TURN if (v == f) { "
    "o[i] = simd_sum(1); done = true; } } return;",
    "flag of a for": "for (bool done = false; !done;) { TURN if (v == f) { "
    "o[i] = simd_sum(1); done = true; } } return;",
    "flag of a do": "bool done = false; do { TURN if (v == f) { "
    "o[i] = simd_sum(1); done = true; } } while (!done); return;",
    "flag, minimum": "bool done = false; while (!done) { if (simd_min(v) == v) { "
    "o[i] = simd_sum(1); done = true; } } return;",
    "flag that is computed": "uint more = 1; while (more) { TURN "
    "more = f == v ? 0 : 1; if (!more) o[i] = simd_sum(1); } return;",
    "flag that is compared": "bool more = true; while (more) { TURN "
    "more = f != v; if (!more) o[i] = simd_sum(1); } return;",
    "flag, sum behind": "bool done = false; while (!done) { TURN if (v == f) { "
    "r = simd_sum(1); done = true; } } r = simd_max(r * 8 + v == 0 ? 0 : r) < 0 ? "
    "0 : r;",
    "flag of a struct": "struct { int a; bool done; } s = {1, false}; "
    "while (!s.done) { TURN if (v == f) { o[i] = simd_sum(s.a); s.done = true; } } "
    "return;",
    "flag by reference": "bool done = false; while (!done) { TURN turn(v == f, "
    "done, o + i); } return;",
    "flag and count": "bool done = false; for (int k = 0; k < 40 && !done; ++k) { "
    "TURN if (v == f) { o[i] = simd_sum(1); done = true; } } return;",
    "count that jumps": "for (int k = 0; k < 40; ++k) { TURN if (v == f) { "
    "o[i] = simd_sum(1); k = 50; } } return;",
    "counted": "for (int k = 0; k < 32; ++k) { TURN if (v == f) { "
    "r = simd_sum(1); break; } }",
    "return": "while (true) { TURN if (v == f) { o[i] = simd_sum(1); return; } }",
    "continue": "while (true) { TURN if (v != f) continue; r = simd_sum(1); break; }",
    "continue, return": "for (int q = 0; q < 2; ++q) { while (true) { TURN "
    "if (v != f) continue; for (int k = 0; k < v; ++k) r = simd_sum(1); "
    "while (r < 0) ++r; o[i] = simd_sum(1); return; } }",
    "mask": "while (true) { TURN if (v == f) { r = popcount(uint(ulong("
    "simd_active_threads_mask()))); break; } }",
    "prefix": "while (true) { TURN if (v == f) { r = simd_max("
    "simd_prefix_inclusive_sum(1)); break; } }",
    "value": "do { TURN if (v == f) r = simd_sum(1); } while (r == 0);",
    "helper": "r = helper(v);",
    "own step": "for (int k = 0; k < 5; ++k) { if (v == k) { r = simd_sum(1); "
    "break; } }",
    "own step, return": "for (int k = 0; k < 5; ++k) { if (v == k) { "
    "o[i] = simd_sum(1); return; } }",
    "switch": "for (;;) { TURN switch (v == f) { case 1: r = simd_sum(1); break; "
    "default: continue; } break; }",
    "two deep": "for (int q = 0; q < 2; ++q) { while (true) { TURN if (v != f) "
    "continue; r = simd_sum(1); if (q == 1) { o[i] = r; return; } break; } }",
    "loop inside": "while (true) { TURN if (v == f) { for (int k = 0; k < 3; ++k) "
    "{ r = simd_sum(1); if (k == v) break; } if (v > 2) r = simd_sum(1); "
    "else r = 0, r += simd_sum(1); break; } }",
    "behind the loop": "int k = 0; while (k < v) ++k; r = simd_sum(1) > 0 ? "
    "counted(v) : 0;",
    "atomic": "while (true) { TURN if (v == f) { int n = simd_sum(1); "
    "if (simd_is_first()) atomic_fetch_add_explicit(&c[v], n, "
    "memory_order_relaxed); r = n; break; } }",
}
SOURCE = """#include <metal_stdlib>
using namespace metal;
static int helper(int v) {
  while (true) { TURN if (v == f) return simd_sum(1); }
}
static int counted(int v) {
  int result = 0;
  for (int k = 0; k < 5; ++k) { int n = simd_sum(int(v == k)); if (k == v) result = n; }
  return result;
}
static void turn(bool mine, thread bool &done, device int *o) {
  if (mine) { *o = simd_sum(1); done = true; }
}
kernel void lanes(device const int *x [[buffer(0)]], device int *o [[buffer(1)]],
                  device atomic_int *c [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  int v = x[i], r = 0;
  FORM
  o[i] = r;
}
"""


@pytest.mark.parametrize("macro", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_lanes_take_turns(form, macro, tmp_path):
    text = SOURCE.replace("FORM", "ALL" if macro else FORMS[form])
    text = text.replace("using", f"#define ALL {FORMS[form]}\nusing")
    text = text.replace("TURN", "int f = simd_broadcast_first(v);")
    source = interpreter.from_text(text, tmp_path)
    rng = np.random.default_rng(3)
    for threads, group in ((100, 64), (50, 40)):
        keys = rng.integers(0, 5, threads).astype(np.int32)
        want = np.zeros(threads, np.int32)
        for first in range(0, threads, group):
            for lane in range(first, min(first + group, threads), 32):
                part = keys[lane : min(lane + 32, first + group)]
                want[lane : lane + len(part)] = [(part == k).sum() for k in part]
        arguments = [keys, np.zeros(threads, np.int32), np.zeros(8, np.int32)]
        launch = {"threads": threads, "group": group}
        source.compare("lanes", *arguments, **launch)
        source.run("lanes", *arguments, **launch)
        np.testing.assert_array_equal(arguments[1], want)
        if form == "atomic":
            np.testing.assert_array_equal(
                arguments[2][:5], np.bincount(keys, minlength=5)
            )
