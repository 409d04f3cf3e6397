"""Objects of class type in every address space: ?:, copies, members."""

import itertools

import ml_dtypes
import numpy as np
import pytest

import bessemer

HEADER = """
#include <metal_stdlib>
using namespace metal;
struct Plain { float a, b; };
struct Made {
  float a, b;
  Made() = default;
  constexpr Made(float x) : a(x), b(x) {}
  constexpr Made(float x, float y) : a(x), b(y) {}
};
struct Nested { Plain inner; float2 pair; };
static float first(Plain p) { return p.a; }
static float first(Made m) { return m.a; }
static float first(Nested n) { return n.inner.a + n.pair.y; }
static float first(float4 v) { return v.x; }
static float first(packed_float3 v) { return v.x; }
static float first(half2 v) { return v.x; }
"""
CLASSES = {  # class: (floats per object in memory, a value whose first() is {})
    "Plain": ("f4", 2, "Plain{{{}, 0}}"),
    "Made": ("f4", 2, "Made({}, 1)"),
    "Nested": ("f4", 4, "Nested{{{{{}, 0}}, float2(0)}}"),
    "float4": ("f4", 4, "float4({}, 1, 2, 3)"),
    "packed_float3": ("f4", 3, "packed_float3({}, 1, 2)"),
    "half2": ("f2", 2, "half2({}, 1)"),
}
PLACES = {  # where an operand lives: its expression, and the value of first()
    "device": ("d[0]", 1),
    "const device": ("cd[0]", 2),
    "constant": ("c[0]", 3),
    "constant reference": ("cr", 3),
    "threadgroup": ("t[0]", 4),
    "thread": ("local", 5),
    "const thread": ("fixed", 6),
    "value": ("{value}", 7),
}
WRITABLE = ("device", "threadgroup", "thread")

KERNEL = """
kernel void k(device {T} *d, device const {T} *cd, constant {T} *c,
              constant {T} &cr, device float *out, constant int &yes,
              constant int &no) {{
  threadgroup {T} t[2];
  t[0] = {four};
  {T} local = {five};
  const {T} fixed = {six};
{statements}
}}
"""


def value(cls, number):
    return CLASSES[cls][2].format(number)


def run(cls, statements, outputs):
    source = HEADER + KERNEL.format(
        T=cls, four=value(cls, 4), five=value(cls, 5), six=value(cls, 6),
        statements="\n".join(f"  {line}" for line in statements),
    )  # fmt: skip
    dtype, width, _ = CLASSES[cls]
    objects = [np.zeros((2, width), dtype) for _ in range(3)]
    for number, memory in enumerate(objects, 1):
        memory[:, 0] = number
    out = np.zeros(outputs, np.float32)
    flags = [np.array([1], np.int32), np.array([0], np.int32)]
    kernel = bessemer.compile(source).k
    kernel(*objects, objects[2][:1], out, *flags, threads=1)
    return out.tolist()


def expression(cls, place):
    return PLACES[place][0].format(value=value(cls, 7))


@pytest.mark.parametrize("cls", CLASSES)
def test_conditional(cls):
    """Metal has `c ? a : b` for one class in any two address spaces."""
    statements, expected = [], []
    for left, right in itertools.product(PLACES, PLACES):
        for flag, chosen in (("yes", left), ("no", right)):
            at = len(expected)
            operands = f"{expression(cls, left)} : {expression(cls, right)}"
            statements.append(f"out[{at}] = first({flag} ? {operands});")
            expected.append(PLACES[chosen][1])
    assert run(cls, statements, len(expected)) == expected


@pytest.mark.parametrize("cls", CLASSES)
def test_copies(cls):
    """Initialisation and assignment between all pairs of address spaces."""
    statements, expected = [], []

    def check(before, read, number):
        statements.append(f"{{ {before} out[{len(expected)}] = first({read}); }}")
        expected.append(number)

    for source, (_, number) in PLACES.items():
        text = expression(cls, source)
        check(f"{cls} x = {text};", "x", number)
        check(f"const {cls} x({text});", "x", number)
        check(f"{cls} x[2] = {{{text}, {text}}};", "x[1]", number)
        check(f"struct Holder {{ {cls} x; }} h{{{text}}};", "h.x", number)
        check(f"auto x = {text};", "x", number)
        for target in WRITABLE:
            place = expression(cls, target).replace("[0]", "[1]")
            place = "other" if target == "thread" else place
            check(f"{cls} other; {place} = {text};", place, number)
    assert run(cls, statements, len(expected)) == expected


MEMBERS = """
#include <metal_stdlib>
using namespace metal;
struct Counter {
  int n;
  int get() const { return n; }
  void add(int k) { n += k; }
  int space() const thread { return 0; }
  int space() const device { return 1; }
  int space() const constant { return 2; }
  int space() const threadgroup { return 3; }
  Counter operator+(Counter o) const { return {n + o.n}; }
  Counter operator-(const thread Counter &o) const { return {n - o.n}; }
};
template <typename T> int by_reference(const device T &x) { return x.n * 10; }
template <typename T> int by_reference(constant T &x) { return x.n * 100; }
template <typename T> int by_reference(const thread T &x) { return x.n * 1000; }
template <typename T> int by_reference(const threadgroup T &x) { return x.n * 7; }
kernel void k(device Counter *d, constant Counter *c, device int *out) {
  threadgroup Counter t[1];
  t[0].n = 3;
  Counter l{4};
  d[0].add(10); t[0].add(20); l.add(30);
  int i = 0;
  out[i++] = d[0].get(); out[i++] = c[0].get(); out[i++] = t[0].get();
  out[i++] = l.get();
  out[i++] = d[0].space(); out[i++] = c[0].space(); out[i++] = t[0].space();
  out[i++] = l.space();
  out[i++] = (d[0] + c[0]).n; out[i++] = (t[0] + l).n; out[i++] = (c[0] + d[0]).n;
  out[i++] = by_reference(d[0]); out[i++] = by_reference(c[0]);
  out[i++] = by_reference(l); out[i++] = by_reference(t[0]);
}
"""


def test_members():
    d, c = np.array([1], np.int32), np.array([2], np.int32)
    out = np.zeros(15, np.int32)
    bessemer.compile(MEMBERS).k(d, c, out, threads=1)
    assert out.tolist() == [
        11, 2, 23, 34, 1, 2, 3, 0, 13, 57, 13, 110, 200, 34000, 161,
    ]  # fmt: skip


ODD_PLACES = """
#include <metal_stdlib>
#include "select.h"
using namespace metal;
struct S { float a, b; };
#define SELECT(c, x, y) ((c) ? (x) : (y))
template <typename T> T at(device const T *p, bool c, T other) { return c ? p[0] : other; }
kernel void k(device const S *s, device const bfloat4 *v, device float *out,
              constant int &yes, constant int &no) {
  out[0] = (yes ? no ? S{1, 2} : s[0] : S{3, 4}).a;
  out[1] = SELECT(no, s[0], SELECT(yes, s[1], S())).b;
  out[2] = at(s, yes, S{5, 6}).a + at(v, no, bfloat4(7)).x + at(out + 9, yes, 1.0f);
  auto pick = [&](bool c) { return c ? v[0] : bfloat4(8); };
  out[3] = float(pick(yes).x) + float(pick(no).w);
  out[4] = from_header(s, no);
  float total = 0;
  for (int i = 0; i < (yes ? 3 : 2); ++i) total += (i < 2 ? s[i] : S{100, 0}).a;
  out[5] = total;
  device const S &kept = yes ? s[1] : s[0];
  out[6] = kept.b;
  (yes ? out[7] : out[8]) = 70;
}
"""
SELECT_H = """
struct H { float a, b; };
template <typename T> float from_header(device const T *s, bool c) {
  return (c ? s[0] : T{9, 10}).b;
}
"""


def test_conditional_in_odd_places(tmp_path):
    (tmp_path / "select.h").write_text(SELECT_H)
    s = np.array([[10, 20], [30, 40]], np.float32)
    v = np.full((1, 4), 0.5, ml_dtypes.bfloat16)
    out = np.zeros(10, np.float32)
    out[9] = 1000
    flags = [np.array([1], np.int32), np.array([0], np.int32)]
    library = bessemer.compile(ODD_PLACES, include_dirs=[str(tmp_path)])
    library.k(s, v, out, *flags, threads=1)
    assert out.tolist() == [10, 40, 10 + 7 + 1000, 8.5, 10, 140, 40, 70, 0, 1000]


def test_errors_keep_their_columns():
    """The copies that such operands get are not seen in messages."""
    source = """#include <metal_stdlib>
kernel void k(device const metal::float4 *p, device metal::float4 *o, int n) {
  o[0] = n ? p[0] : metal::float4(0); o[1] = nothing;
}
"""
    with pytest.raises(bessemer.CompileError) as caught:
        bessemer.compile(source)
    text = str(caught.value)
    assert "3:46: error: use of undeclared identifier 'nothing'" in text
    assert "o[0] = n ? p[0] : metal::float4(0); o[1] = nothing;" in text
