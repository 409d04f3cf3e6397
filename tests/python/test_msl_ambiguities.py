"""Choices that Metal's conversions make clear: no half or float becomes a bfloat by
itself, and no bfloat a half, so that a candidate which needs it is none."""

import ml_dtypes
import numpy as np
import pytest

import bessemer

F = "inline int f(float) { return 1; }\ninline int f(bfloat) { return 2; }\n"
G = "inline int f(half) { return 3; }\ninline int f(bfloat) { return 2; }\n"
# Functions by the type of their parameter, in every place that has parameters.
CALLEES = """
struct M {
  int f(float) { return 1; }
  int f(bfloat) { return 2; }
  static int s(float) { return 1; }
  static int s(bfloat) { return 2; }
  int operator()(float) { return 1; }
  int operator()(bfloat) { return 2; }
  int operator-(float) { return 1; }
  int operator-(bfloat) { return 2; }
};
inline int operator*(M, float) { return 1; }
inline int operator*(M, bfloat) { return 2; }
inline int operator/(float, M) { return 1; }
inline int operator/(bfloat, M) { return 2; }
struct C {
  int v;
  C(float) : v(1) {}
  C(bfloat) : v(2) {}
  C(float, float) : v(1) {}
  C(bfloat, bfloat) : v(2) {}
};
inline int value(C c) { return c.v; }
namespace n {
struct Q {};
inline int f(Q, float) { return 1; }
inline int f(Q, bfloat) { return 2; }
} // namespace n
#define CALL(x) f(x)
"""
HALF = "inline int f(half) { return 3; }\n"
NUMBERS = """
struct N { // To half only by way of float, to bfloat by way of its own.
  float v;
  operator float() { return v; }
  operator bfloat() { return bfloat(-v); }
};
struct I { // To bfloat only by way of int.
  float v;
  operator half() { return half(-v); }
  operator int() { return int(v); }
};
inline half half_of(N n) { return n; }
inline float taken(half x) { return x; }
"""
# What the scope holds, an expression of a half `h`, bfloat `b`, float `s` or int `i`,
# and its value. `M m` and `n::Q q` are objects.
CALLS = [
    ("a function", F, "f(h)", 1),
    ("a qualified function", F, "::f(h)", 1),
    ("the bfloat itself", F, "f(b)", 2),
    ("a function of references",
     "inline int f(thread const float &) { return 1; }\n"
     "inline int f(thread const bfloat &) { return 2; }\n", "f(h)", 1),
    ("half or bfloat, of a float", G, "f(s)", 3),
    ("half or int, of a bfloat", HALF + "inline int f(int) { return 4; }", "f(b)", 4),
    ("bfloat or int, of a half",
     "inline int f(bfloat) { return 2; }\ninline int f(int) { return 4; }", "f(h)", 4),
    ("one of two operands",
     "inline int f(int, float) { return 1; }\n"
     "inline int f(int, bfloat) { return 2; }\n", "f(i, h)", 1),
    ("both operands",
     "inline int f(float, float) { return 1; }\n"
     "inline int f(bfloat, bfloat) { return 2; }\n", "f(h, h)", 1),
    ("a default argument",
     "inline int f(float, int = 0) { return 1; }\n"
     "inline int f(bfloat, int = 0) { return 2; }\n", "f(h)", 1),
    ("by argument", CALLEES, "f(q, h)", 1),
    ("a method", CALLEES, "m.f(h)", 1),
    ("a static method", CALLEES, "M::s(h)", 1),
    ("an object called", CALLEES, "m(h)", 1),
    ("an operator", CALLEES, "m * h", 1),
    ("an operator, on its left", CALLEES, "h / m", 1),
    ("a method operator", CALLEES, "m - h", 1),
    ("a cast to a class", CALLEES, "C(h).v", 1),
    ("a cast in braces", CALLEES, "C{h}.v", 1),
    ("two for a constructor", CALLEES, "C(h, h).v", 1),
    ("an argument that becomes an object", CALLEES, "value(h)", 1),
    ("a component", F, "f(half4(h).x) + f(half4(h)[1])", 2),
    ("a call in a call", F, "f(half(f(h)))", 1),
    ("in a macro's argument", F + CALLEES, "CALL(h) + CALL(half(CALL(h)))", 2),
    ("a lambda's parameter", F, "[&](auto x) { return f(x); }(h)", 1),
]  # fmt: skip
FORMS = {
    "plain": "inline int run(half h, bfloat b, float s, int i) {{ {objects} return"
    " {expression}; }}",
    "template": "template <typename H, typename B, typename S, typename I, typename O,"
    " typename P> int inner(H h, B b, S s, I i, O m, P q)"
    " {{ return {expression}; }}\n"
    "inline int run(half h, bfloat b, float s, int i) {{ {objects}"
    " inner(s, b, s, i, m, q); inner(b, b, s, i, m, q);"
    " return inner(h, b, s, i, m, q); }}",
}
KERNEL = """
kernel void k(device const half *h, device const bfloat *b, device const float *s,
              device const int *i, device float *out) {
  out[0] = run(h[0], b[0], s[0], i[0]);
}
"""
HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
ONES = [np.ones(1, t) for t in (np.float16, ml_dtypes.bfloat16, np.float32, np.int32)]


def result(source):
    out = np.zeros(1, np.float32)
    bessemer.compile(source).k(*ONES, out, threads=1)
    return out[0]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("scope", "expression", "expected"),
    [c[1:] for c in CALLS],
    ids=[c[0] for c in CALLS],
)
def test_calls(scope, expression, expected, form):
    known = (
        "struct M {}; namespace n { struct Q {}; }\n" if "struct M" not in scope else ""
    )
    body = FORMS[form].format(
        expression=expression, objects="M m; n::Q q; (void)m; (void)q;"
    )
    if form == "template" and "bfloat or int" in expression:
        pytest.skip("the other instances are ambiguous in Metal too")
    assert result(HEAD + known + scope + body + KERNEL) == expected


DECLARATIONS = [
    "C c(h);",
    "C c = h;",
    "C c{h};",
    "C c = {h};",
    "C c = C(h);",
    "C c(h, h);",
]


@pytest.mark.parametrize("declaration", DECLARATIONS)
@pytest.mark.parametrize("form", ["plain", "template"])
def test_initialisers(declaration, form):
    head = "template <typename T>" if form == "template" else ""
    kind = "T" if form == "template" else "half"
    source = (
        f"{CALLEES}{head} inline int made({kind} h) {{ {declaration} return c.v; }}\n"
    )
    source += "inline int run(half h, bfloat, float, int) { return made(h); }"
    assert result(HEAD + source + KERNEL) == 1


CONVERSIONS = [
    ("functional", "half(n)", 0.5),
    ("C style", "(half)n", 0.5),
    ("static_cast", "static_cast<half>(n)", 0.5),
    ("braces", "half{n}", 0.5),
    ("an argument", "taken(n)", 0.5),
    ("a result", "half_of(n)", 0.5),
    ("a variable", "[&] { half x = n; return x; }()", 0.5),
    ("an assignment", "[&] { half x; x = n; return x; }()", 0.5),
    ("elements", "[&] { half x[2] = {n, n}; return x[1]; }()", 0.5),
    ("a template's cast", "made<half>(n)", 0.5),
    ("its own bfloat", "made<bfloat>(n)", -0.5),
    ("its own float", "made<float>(n)", 0.5),
    ("another class in the same template", "made<half>(w)", -2),
    ("a number in the same template", "made<half>(0.25f)", 0.25),
    ("bfloat from int", "bfloat(w)", 2),
]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [c[1:] for c in CONVERSIONS],
    ids=[c[0] for c in CONVERSIONS],
)
def test_conversions(expression, expected):
    source = f"""{HEAD}{NUMBERS}
template <typename T, typename S> T made(S n) {{ return T(n); }}
kernel void k(device const half *, device const bfloat *, device const float *,
              device const int *, device float *out) {{
  N n{{0.5f}};
  I w{{2.0f}};
  out[1] = made<half>(n) + float(made<bfloat>(n));
  out[0] = {expression};
}}"""
    out = np.zeros(2, np.float32)
    bessemer.compile(source).k(*ONES, out, threads=1)
    assert out.tolist() == [expected, 0]


AMBIGUOUS = [
    (G, "f(i)", "call to 'f' is ambiguous"),
    (HALF + "inline int f(float) { return 1; }", "f(i)", "call to 'f' is ambiguous"),
    ("struct N { operator int(); operator float(); };\ninline half r(N n)"
     " { return half(n); }", "r(N())", "ambiguous conversion"),
    ("struct N { operator half(); operator float(); };\ninline bfloat r(N n)"
     " { return bfloat(n); }", "r(N())", "ambiguous conversion"),
]  # fmt: skip


@pytest.mark.parametrize(("scope", "expression", "message"), AMBIGUOUS)
def test_ambiguous_in_metal_too(scope, expression, message):
    body = FORMS["plain"].format(expression=expression, objects="")
    with pytest.raises(bessemer.CompileError, match=message):
        bessemer.compile(HEAD + scope + body + KERNEL)["k"]


SPACES = [
    "*(threadgroup float2 *)(&t[0]) = float2(1);",
    "o[0] = *static_cast<threadgroup float *>(t);",
    "o[0] = *reinterpret_cast<threadgroup int *>(t);",
    "o[0] = sizeof(threadgroup float *);",
    "using P = threadgroup float *; P p = t; o[0] = p[0];",
    "typedef threadgroup float *P; P p = t; o[0] = p[0];",
    "Element<threadgroup float *>::type x = 1; o[0] = x;",
    "o[0] = first<threadgroup float *>(t);",
    "o[0] = [](threadgroup float *p) { return p[0]; }(t);",
    "for (threadgroup float *p = t; p != t + 4; ++p) o[0] += *p;",
]


@pytest.mark.parametrize("body", SPACES)
def test_address_spaces_give_no_warning(body):
    source = f"""{HEAD}
template <typename T> struct Element {{ typedef T type; }};
template <typename T> struct Element<threadgroup T *> {{ typedef T type; }};
template <typename T> float first(T p) {{ return p[0]; }}
kernel void k(device float *o) {{ threadgroup float t[4]; t[0] = 1; {body} }}"""
    library = bessemer.compile(source)
    assert library["k"] and [str(d) for d in library.diagnostics] == []
