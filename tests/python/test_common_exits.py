"""Loops in steps of the group: how often each thread goes round, against Python."""

import itertools

import numpy as np
import pytest

import bessemer

SOURCE = """#include <metal_stdlib>
using namespace metal;
kernel void steps(device uint *out, uint at [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]]) {{
  uint rounds = 0, last = 0;
  for ({type} i = {type}(t) + {type}({first}); i {compare} {type}({bound});
       i += {type}({step})) {{
    last = uint(i);
    if (++rounds == 40)
      break;
  }}
  out[2 * at] = rounds;
  out[2 * at + 1] = last;
}}
"""
GROUP = 64
CASES = list(
    itertools.product(
        ("uint", "int"),
        (0, 64, -128, 10),
        (512, 500, 511, 447, 128, 0, -64),
        ("<", "<=", ">"),
        (64, 128, 32, -64),
    )
)


def expected(type_name, first, bound, compare, step):
    bits = np.uint32 if type_name == "uint" else np.int32

    def wrap(number):
        return int(np.array(number & 0xFFFFFFFF, np.uint32).view(bits))

    holds = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__}[compare]
    rows = []
    for thread in range(GROUP):
        i, rounds, last = wrap(thread + first), 0, 0
        while holds(i, wrap(bound)):
            last, rounds = i & 0xFFFFFFFF, rounds + 1
            if rounds == 40:
                break
            i = wrap(i + step)
        rows.append((rounds, last))
    return np.array(rows, np.uint32)


@pytest.mark.parametrize("seed", range(4))
def test_every_thread_takes_its_steps(seed):
    cases = [CASES[i] for i in np.random.default_rng(seed).permutation(len(CASES))[:12]]
    for type_name, first, bound, compare, step in cases:
        if type_name == "int" and compare == ">" and step > 0:
            continue  # may overflow, which is undefined
        source = SOURCE.format(
            type=type_name, first=first, bound=bound, compare=compare, step=step
        )
        kernel = bessemer.compile(source)["steps"]
        rows = expected(type_name, first, bound, compare, step)
        for threads in (GROUP, GROUP + 37):
            out = np.zeros((threads, 2), np.uint32)
            kernel(out, threads=threads, group_size=GROUP)
            want = np.concatenate([rows, rows])[:threads]
            np.testing.assert_array_equal(out, want, err_msg=source)
