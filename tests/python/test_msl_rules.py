"""What Metal's language allows and forbids beside C++: one snippet a rule.

Each row: the rule and its chapter in the Metal Shading Language Specification
4.0, a snippet, and a part of the error it must give, or None where it is legal.
A snippet is the body of a kernel, or program-scope text where it holds a
kernel or starts with `scope:`.
"""

import pytest
from msl_rules import MORE_RULES

import bessemer

RULES = [
    # Scalars and conversions.
    ("no double (ch. 2)", "double d = 1;", "'double' is unavailable"),
    ("no long double (ch. 2)", "long double d = 1;", "double"),
    ("0.5 is float (ch. 2)", "static_assert(sizeof(0.5) == 4); f[0] = 0.5;", None),
    ("suffixes f, h, bf (ch. 2)", "f[0] = 0.5f + 0.5h + 0.5bf;", None),
    ("bfloat to float (ch. 2)", "bfloat b = 1.0bf; f[0] = b;", None),
    ("float to bfloat (ch. 2)", "bfloat b = f[0];", None),  # a warning
    ("a cast to bfloat (ch. 2)", "bfloat b = bfloat(f[0]); f[0] = b;", None),
    ("half to bfloat (ch. 2)", "half h = 1; bfloat b = h;", "write bfloat(...)"),
    ("bfloat to half (ch. 2)", "bfloat b = 1; half h = b;", "write half(...)"),
    ("half with bfloat (ch. 2)", "half h = 1; bfloat b = 1; f[0] = h * b;", "half"),
    ("int to bfloat (ch. 2)", "bfloat b = n[0]; f[0] = b;", None),
    ("float to half (ch. 2)", "half h = f[0]; f[0] = h;", None),
    ("float to int (ch. 2)", "n[0] = f[0];", None),
    # Vectors and matrices.
    ("a scalar fills a vector (ch. 2)", "float4 v = 1; f[0] = v.w;", None),
    ("components flatten (ch. 2)", "float4 v(float2(1), 2, 3); f[0] = v.w;", None),
    ("components are missing (ch. 2)", "float4 v = float4(1, 2, 3);", "needs 4"),
    ("too many components (ch. 2)", "float2 v = float2(1, 2, 3);", "no matching"),
    ("vector to vector (ch. 2)", "int2 a = 1; float2 b = a;", "no viable conversion"),
    ("a cast of a vector (ch. 2)", "int2 a = 1; f[0] = float2(a).x;", None),
    ("vector to scalar (ch. 2)", "float2 v = 1; float x = v;", "no viable"),
    ("swizzle read (ch. 2)", "float4 v = 1; f[0] = v.wzyx.y + v.rg.x;", None),
    ("swizzle store (ch. 2)", "float4 v = 1; v.xw = float2(2); f[0] = v.w;", None),
    ("mixed swizzle (ch. 2)", "float4 v = 1; f[0] = v.xg.x;", "no member named 'xg'"),
    ("repeated store (ch. 2)", "float4 v = 1; v.xx = float2(2);", "no setter"),
    ("scalar to matrix (ch. 2)", "float2x2 m = float2x2(1); f[0] = m[0][0];", None),
    # Address spaces.
    ("a pointer has its space (ch. 4)", "device float *p = f; p[0] = 1;", None),
    ("no space, no device (ch. 4)", "float *p = f;", "cannot convert"),
    ("device to thread (ch. 4)", "thread float *p = f;", "a pointer to thread memory"),
    ("device to threadgroup (ch. 4)", "threadgroup float *p = f;", "cannot initialize"),
    ("constant to device (ch. 4)", "device const int *p = c;", "cannot initialize"),
    ("constant is not written (ch. 4)", "*(c + 1) = 2;", "read-only"),
    ("kernel without space (ch. 5)", "kernel void b(float *p) {}", "an address space"),
    ("threadgroup in a kernel (ch. 4)", "threadgroup float t[4]; t[0] = 1;", None),
    # Program scope.
    ("constant at program scope (ch. 4)",
     "scope: constant float pi[2] = {3.14, 6.28};", None),
    ("no space at program scope (ch. 4)", "scope: float counter;", "must be in constant"),
    ("const is no space (ch. 4)", "scope: const float pi = 3.14;", "write 'constant'"),
    ("device at program scope (ch. 4)", "scope: device float *p;", "must be in constant"),
    ("no constant initialiser (ch. 4)",
     "scope: constant float e = metal::exp(1.0);", "no constant expression"),
    ("builtin at program scope (ch. 5)",
     "scope: uint3 place [[thread_position_in_grid]];", None),
    ("it has a builtin's type (ch. 5)",
     "scope: float place [[thread_position_in_grid]];", "cannot have type 'float'"),
    ("it is not written (ch. 5)",
     "uint place [[thread_position_in_grid]];"
     "kernel void b(device uint *p) { place = 1; }", "const"),
    ("static variables (ch. 4)", "static int calls; calls++;", "is static"),
    # Kernels.
    ("kernels return void (ch. 5)", "kernel int b() { return 1; }", "must return void"),
    ("a plain value (ch. 5)", "kernel void b(int n) {}", "no attribute"),
    ("one index, one buffer (ch. 5)",
     "kernel void b(device int *p [[buffer(1)]], device int *q [[buffer(1)]]) {}",
     "used twice"),
    ("attributes have their types (ch. 5)",
     "kernel void b(float i [[thread_position_in_grid]]) {}", "cannot have type"),
    # C++ that Metal leaves out.
    ("no exceptions (ch. 2-5)", "try { } catch (...) { }", "exceptions"),
    ("no new (ch. 2-5)", "thread int *p = new int;", "new"),
    ("no typeid (ch. 2-5)", "(void)typeid(int);", "typeid"),
    ("no dynamic_cast (ch. 2-5)", "struct B {}; B b; dynamic_cast<B *>(&b);", ""),
    ("no goto (ch. 2-5)", "goto end; end: ;", "goto"),
    ("no thread_local (ch. 2-5)", "scope: thread_local int x;", ""),
    ("no virtual (ch. 2-5)", "scope: struct B { virtual void f() {} };", "virtual"),
    ("lambdas, since Metal 3.2", "auto twice = [](float x) { return 2 * x; };"
     "f[0] = twice(1);", None),
]  # fmt: skip

ROWS = [*RULES, *MORE_RULES]

KERNEL = """
kernel void k(device float *f, device int *n, constant int *c) {{
{}
}}
"""


@pytest.mark.parametrize(
    ("snippet", "error"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_rule(snippet, error):
    if snippet.startswith("scope:"):
        text = snippet.removeprefix("scope:")
    else:
        text = snippet if "kernel void" in snippet else KERNEL.format(snippet)
        text = snippet if "kernel int" in snippet else text
    source = "#include <metal_stdlib>\nusing namespace metal;\n" + text
    if error is None:
        bessemer.compile(source)
        return
    with pytest.raises(bessemer.CompileError) as caught:
        bessemer.compile(source)
    message = str(caught.value)
    assert error in message
    # Every error has a place of the user's and none of Clang's own words.
    assert "/bessemer" not in message
    assert "__" not in message
    first = caught.value.diagnostics[0]
    assert first.line >= 3
    assert first.column >= 1
