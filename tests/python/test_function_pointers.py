"""Calls through pointers: which function is called may differ between threads."""

import interpreter
import numpy as np
import pytest
from command_line import bessemer, refused

PREFIX = """#include <metal_stdlib>
using namespace metal;
typedef int (*Function)(int);
static int plus(int x) { return x + 1; }
static int twice(int x) { return x * 2; }
static int most(int x) { return simd_max(x); }
static int steps(int x) { int n = 0; while (x > 1) { x /= 2; ++n; } return n; }
static void store(device int *to, int x) { *to = x; }
static void negate(device int *to, int x) { *to = -x; }
static Function other(int x) { return x & 1 ? steps : twice; }
struct Pair { Function first; Function second; };
struct Adder { int by; int add(int x) { return x + by; } int scale(int x) { return x * by; } };
constant Function table[3] = {plus, twice, steps};
static int twofold(Function f, int x) { return f(f(x)); }
"""
# The statements of a kernel over x = x[i], and NumPy's result.
BODIES = {
    "choice": (
        "Function f = x & 1 ? plus : twice; o[i] = f(x);",
        lambda x, i: np.where(x & 1, x + 1, x * 2),
    ),
    "table": (
        "o[i] = table[i % 3](x);",
        lambda x, i: np.choose(i % 3, [x + 1, x * 2, log2(x)]),
    ),
    "own table": (
        "Function f[2] = {plus, twice}; int r = x; "
        "for (int k = 0; k < 4; ++k) r = f[(x >> k) & 1](r); o[i] = r;",
        lambda x, i: chain(x),
    ),
    "struct": (
        "Pair p = x < 9 ? Pair{plus, twice} : Pair{twice, plus}; "
        "o[i] = p.second(p.first(x));",
        lambda x, i: np.where(x < 9, (x + 1) * 2, x * 2 + 1),
    ),
    "argument": (
        "o[i] = twofold(x < 9 ? twice : plus, x);",
        lambda x, i: np.where(x < 9, x * 4, x + 2),
    ),
    "result": (
        "o[i] = other(x)(x);",
        lambda x, i: np.where(x & 1, log2(x), x * 2),
    ),
    "member": (
        "Adder a{3}; int (Adder::*f)(int) = x & 1 ? &Adder::add : &Adder::scale; "
        "o[i] = (a.*f)(x);",
        lambda x, i: np.where(x & 1, x + 3, x * 3),
    ),
    "nothing": (
        "void (*f)(device int *, int) = x < 5 ? store : negate; f(o + i, x);",
        lambda x, i: np.where(x < 5, x, -x),
    ),
    "lanes": (
        "Function f = x & 1 ? most : plus; o[i] = f(x);",
        lambda x, i: np.where(x & 1, odd_most(x), x + 1),
    ),
    "null": (
        "Function f = x > 100 ? plus : nullptr; o[i] = f ? f(x) : 7;",
        lambda x, i: np.full_like(x, 7),
    ),
    "compared": (
        "Function f = table[i % 3]; o[i] = f == twice ? 1 : f(x);",
        lambda x, i: np.choose(i % 3, [x + 1, x * 0 + 1, log2(x)]),
    ),
    "sorted": (
        "threadgroup Function all[64]; all[i % 64] = x & 1 ? plus : twice; "
        "threadgroup_barrier(mem_flags::mem_threadgroup); "
        "o[i] = all[63 - i % 64](x);",
        lambda x, i: np.where(x[i // 64 * 64 + 63 - i % 64] & 1, x + 1, x * 2),
    ),
}


def log2(x):
    return np.array([max(int(v).bit_length() - 1, 0) for v in x])


def chain(x):
    result = x.copy()
    for k in range(4):
        result = np.where((x >> k) & 1, result * 2, result + 1)
    return result


def odd_most(x):
    odd = np.where(x & 1, x, 0).reshape(-1, 32)
    return np.repeat(odd.max(axis=1), 32)


def text(body):
    return PREFIX + (
        "kernel void k(device const int *values, device int *o, "
        f"uint i [[thread_position_in_grid]]) {{ int x = values[i]; {body} }}\n"
    )


@pytest.mark.parametrize("name", BODIES)
def test_calls(name, tmp_path):
    body, reference = BODIES[name]
    source = interpreter.from_text(text(body), tmp_path)
    x = np.random.default_rng(5).integers(0, 20, 128).astype(np.int32)
    out = np.zeros(128, np.int32)
    source.compare("k", x, out.copy(), threads=128, group=64)
    source.run("k", x, out, threads=128, group=64)
    np.testing.assert_array_equal(out, reference(x, np.arange(128)))
    ptx = bessemer(f"compile {tmp_path}/kernel.metal --target nvidia:sm_90 --emit ptx")
    assert ptx.returncode == 0, ptx.stderr
    assert "prototype" not in ptx.stdout  # no call through a pointer is left


def test_null_is_a_fault(tmp_path):
    file = tmp_path / "kernel.metal"
    file.write_text(text("Function f = x == 3 ? nullptr : plus; o[i] = f(x);"))
    for value, status in ((2, 0), (3, 2)):
        words = f"run {file} --threads 1 --arg values={value} --out o=int32[1]"
        assert bessemer(words).returncode == status
    assert refused(bessemer(words), "kernel.metal:15: kernel 'k' reached a trap")


TRAPS = {
    "branch": "if (x == 3) __builtin_trap(); o[i] = x;",
    "message": 'if (x == 3) __builtin_verbose_trap("a", "b"); o[i] = x;',
    "helper": "o[i] = stops(x);",
    "loop": "for (int k = 0; k < x; ++k) { o[i] += k; "
    "threadgroup_barrier(mem_flags::mem_device); if (k == 2) __builtin_trap(); }",
}


@pytest.mark.parametrize("name", TRAPS)
def test_traps(name, tmp_path):
    file = tmp_path / "kernel.metal"
    helper = (
        "int stops(int x) {\n  if (x == 3)\n    __builtin_trap();\n  return x;\n}\n"
    )
    file.write_text(helper + text(TRAPS[name]))
    line = 3 if name == "helper" else 20
    for value, status in ((2, 0), (3, 2)):
        words = f"run {file} --threads 40 --arg values={','.join([str(value)] * 40)} --out o=int32[40]"
        result = bessemer(words)
        assert result.returncode == status, result.stderr
    assert refused(result, f"kernel.metal:{line}: kernel 'k' reached a trap")
