"""String literals: arrays in constant memory (Metal Shading Language, 4.2)."""

import numpy as np
import pytest

import bessemer

LENGTH = """
inline uint length(constant char *s) { uint n = 0; while (s[n]) n++; return n; }
template <typename T> uint deduced(T s) { return length(s); }
constexpr int first(constant char *s) { return s[0]; }
static_assert(first("a") == 97, "the first" " letter");
struct Entry { constant char *name; uint value; };
constant Entry entry = {"entry", 3};
constant char text[] = "text";
struct Named {
  constexpr Named(constant char *name, uint value) : name(name), value(value) {}
  constant char *name;
  uint value;
};
constant Named named("named", 2);
constant metal::os_log logger("subsystem", "category");
constant char *constant pointer = "pointer";
[[deprecated("not in use")]] void unused();
"""
# (expression, its value)
EXPRESSIONS = [
    ('length("abc")', 3),
    ('deduced("abc" "de")', 5),
    ('sizeof("abc")', 4),
    ('"abc"[1]', ord("b")),
    ('length(R"(a"b)")', 3),
    (r'length("\n\x41\"")', 3),
    ("length(entry.name) + entry.value", 8),
    ("length(named.name) + named.value", 7),
    ("length(text) + sizeof(text)", 9),
    ("length(pointer)", 7),
    ("length(__func__)", 1),
    ("length(__FILE__)", len("<source>")),
    ('length(i < 1 ? "a" : "abc")', 1),
    ('uint(text[0] == "test"[3])', 1),
]


@pytest.mark.parametrize("expression, value", EXPRESSIONS)
def test_values(expression, value):
    library = bessemer.compile(
        f"{LENGTH}kernel void k(device uint *o, uint i [[thread_position_in_grid]])"
        f"{{ o[i] = {expression}; }}"
    )
    out = np.zeros(1, np.uint32)
    library.k(out, threads=1)
    assert out[0] == value


def test_names_of_instances_are_plain():
    library = bessemer.compile("""
template <typename T> [[kernel]] void k(device T *o) { o[0] = T(1); }
template [[host_name("k_" "float")]] [[kernel]] void k<float>(device float *);
""")
    assert library.kernels == ["k_float"]


@pytest.mark.parametrize(
    "statement",
    [
        'const char *s = "abc";',
        'thread char *s = "abc";',
        'device const char *s = "abc";',
    ],
)
def test_a_literal_is_in_constant_memory_only(statement):
    with pytest.raises(bessemer.CompileError, match="constant char"):
        bessemer.compile(
            f"kernel void k(device uint *o) {{ {statement} o[0] = s[0]; }}"
        )
