"""Loops in helpers that end early, inside loops that threads leave at different
times: what looked uniform to the first structurisation is not afterwards."""

import interpreter
import numpy as np
import pytest

SOURCE = """#include <metal_stdlib>
using namespace metal;
static int helper(int a, int b) {
  for (int k = 0; k < (b & 7); ++k) {
    if (b != 7 && a == b)
      return a;
    a = k - 1;
  }
  return a - b;
}
kernel void leave(device const int *in [[buffer(0)]], device int *out [[buffer(1)]],
                  constant int &same [[buffer(2)]],
                  uint i [[thread_position_in_grid]],
                  uint lane [[thread_index_in_simdgroup]]) {
  int v = in[i];
  out[i] = 0;
  for (int k = 0, end = int(lane) & 7; k < end; ++k) {
    if (CONDITION) {
      out[i] = RESULT;
      return;
    }
  }
}
"""
# Metal's condition and result, and Python's.
FORMS = {
    "chain": ("v <= helper(helper(same, k), v)", "helper(-1, in[i] / 3)"),
    "chain of lanes": ("v <= helper(helper(v, k), same)", "helper(v, k)"),
    "two": ("helper(same, k) < helper(k, v)", "helper(k, same)"),
    "sum": ("helper(k, same) + helper(same, v) > v", "helper(v, v)"),
}


def helper(a: int, b: int) -> int:
    for k in range(b & 7):
        if b != 7 and a == b:
            return a
        a = k - 1
    return a - b


def expected(form: str, v: int, same: int, lane: int) -> int:
    condition, result = FORMS[form]
    result = result.replace("in[i] / 3", "int(v / 3)")
    for k in range(lane & 7):
        names = {"v": v, "same": same, "k": k, "helper": helper}
        if eval(condition, names):
            return eval(result, names)
    return 0


@pytest.mark.parametrize("form", FORMS)
def test_threads_leave_loops_of_loops(form, tmp_path):
    condition, result = FORMS[form]
    text = SOURCE.replace("CONDITION", condition).replace("RESULT", result)
    source = interpreter.from_text(text, tmp_path)
    values = np.random.default_rng(5).integers(-20, 20, 96).astype(np.int32)
    for same in (0, 3, 7):
        out = np.zeros_like(values)
        arguments = [values, out, np.array([same], np.int32)]
        source.compare("leave", *arguments, threads=96, group=64)
        source.run("leave", *arguments, threads=96, group=64)
        lanes = np.arange(96) % 64 % 32
        want = [
            expected(form, int(v), same, int(lane))
            for v, lane in zip(values, lanes, strict=True)
        ]
        assert out.tolist() == want
