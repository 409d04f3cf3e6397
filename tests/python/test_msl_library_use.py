"""How a source gets at the standard library, and the warnings it should know of."""

import pytest

import bessemer

INCLUDE = "#include <metal_stdlib>\n"
USING = "using namespace metal;\n"


def kernel(body, arguments="device float4 *o"):
    return (
        f"kernel void k({arguments}, uint i [[thread_position_in_grid]]) {{ {body} }}\n"
    )


def warnings(source):
    return [
        d.message
        for d in bessemer.compile(source).diagnostics
        if d.severity == "warning"
    ]


ACCEPTED = [
    INCLUDE + USING + kernel("o[i] = sin(o[i]);"),
    INCLUDE + kernel("o[i] = metal::sin(o[i]);"),
    "#include <metal_math>\n" + kernel("o[i] = metal::sin(o[i]);"),
    # Types and words need nothing.
    kernel("o[i] = float4(1);"),
    # A function of the library wins over a template of the user's.
    INCLUDE + "namespace own { template <typename T, typename U> void pow(T, U); }\n"
    + USING + "using namespace own;\n" + kernel("o[i] = pow(o[i].x, 2.0f);"),
    # Atomic types are classes of the namespace in Metal too.
    INCLUDE + kernel("atomic_fetch_add_explicit(a, 1, metal::memory_order_relaxed);",
                     "device metal::atomic_int *a"),
]  # fmt: skip


@pytest.mark.parametrize("source", ACCEPTED)
def test_accepted_without_a_warning(source):
    assert warnings(source) == []


@pytest.mark.parametrize(
    "text",
    ["o[i] = sin(o[i]);", "o[i] = dot(o[i], o[i]);", "o[i] = clamp(o[i], 0, 1);"],
)
def test_vector_functions_need_the_namespace(text):
    with pytest.raises(bessemer.CompileError, match="write 'metal::"):
        bessemer.compile(INCLUDE + kernel(text))


@pytest.mark.parametrize(
    "source", [USING + kernel("o[i] = sin(o[i]);"), kernel("o[i] = metal::sin(o[i]);")]
)
def test_a_missing_include_is_a_warning(source):
    (message,) = warnings(source)
    assert "#include <metal_stdlib>" in message


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("float4 z; o[i] = z;", None),
        ("float z; o[i] = z;", "uninitialized"),
        ('os_log_default.log("%d", 1);', "os_log are dropped"),
        ("bfloat b = o[i].x; o[i] = float(b);", "write bfloat(...)"),
    ],
)
def test_usual_mistakes(body, words):
    found = warnings(INCLUDE + USING + kernel(body))
    assert (not found) if words is None else any(words in w for w in found)


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("o[id] = o[id + 1]; int q = id[3];", 1),
        ("if (id < 4) return; o[id] = 1;", 1),
        ("o[idx] = 1;\no[idy] = 1;", 2),
    ],
)
def test_one_mistake_one_error(body, count):
    with pytest.raises(bessemer.CompileError) as caught:
        bessemer.compile(INCLUDE + USING + kernel(body))
    assert len(caught.value.diagnostics) == count, str(caught.value)


def test_textures_are_one_error():
    arguments = "texture2d<float> t [[texture(0)]], device float4 *o"
    body = "constexpr sampler s(filter::nearest); o[i] = t.sample(s, float2(1));"
    with pytest.raises(bessemer.CompileError) as caught:
        bessemer.compile(INCLUDE + USING + kernel(body, arguments))
    (only,) = caught.value.diagnostics
    assert "not supported; pass a device buffer" in only.message
