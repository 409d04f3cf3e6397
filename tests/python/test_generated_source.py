"""The Metal text around a body, its names and the way back to the user's string."""

import os
import re
import subprocess
import sys

import pytest
from command_line import bessemer
from hypothesis import given, settings
from hypothesis import strategies as st

from bessemer.authoring import CustomMetalKernel, MetalParameter
from bessemer.authoring.literal import find_literal
from bessemer.authoring.source import content_suffix, substitute

ID = MetalParameter("id", "uint", "thread_position_in_grid")
PROLOGUE = """
#include <metal_stdlib>
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
using namespace metal;
using namespace mpp::tensor_ops;
"""


def tensor(metal, rank, name, index):
    return (
        f"tensor<device {metal}, metal::dextents<int, {rank}>, tensor_handle> {name} "
        f"[[buffer({index})]]"
    )


def kernel(src="y[id] = x[id];", inputs=("x",), results=("y",), **more):
    return CustomMetalKernel("copy", list(inputs), list(results), src, [ID], **more)


def test_whole_text():
    source = kernel("o[id] = x[id] + y[id];", ["x", "y"], ["o"]).specialise(
        [(1, "float", False), (2, "half", False)], [(1, "float")]
    )
    assert re.fullmatch("copy_[a-z]{8}", source.name)
    assert source.text == (
        f"{PROLOGUE}\n[[kernel]] void {source.name}({tensor('float', 1, 'x', 0)}, "
        f"{tensor('half', 2, 'y', 1)}, {tensor('float', 1, 'o', 2)}, "
        "uint id [[thread_position_in_grid]]) { o[id] = x[id] + y[id]; }"
    )


def test_rank_zero_input_is_a_reference_and_rank_zero_result_a_tensor():
    text = kernel().specialise([(0, "half", False)], [(0, "half")]).text
    assert "(constant half& x [[buffer(0)]], " in text
    assert tensor("half", 0, "y", 1) in text


def test_helper_stands_before_the_kernel():
    text = (
        kernel(helper_src="float f(float v);")
        .specialise([(1, "float", False)], [(1, "float")])
        .text
    )
    assert text.startswith(f"{PROLOGUE}float f(float v);\n[[kernel]] void ")


SCALARS = [
    ("float", 1.0, "1.0f"),
    ("float", 3, "3.0f"),
    ("float", 1e10, "10000000000.0f"),
    ("float", 1e16, "1e+16f"),
    ("float", -0.0, "-0.0f"),
    ("int", -(2**31), "-2147483648"),
    ("int", True, "1"),
    ("bool", True, "true"),
    ("bool", 0, "false"),
]


@pytest.mark.parametrize("metal, value, literal", SCALARS)
def test_scalars_become_literals(metal, value, literal):
    text = (
        kernel("y[id] = c;", ["c"])
        .specialise([(0, metal, True)], [(1, "float")], [(metal, "c", value)])
        .text
    )
    assert f"constant {metal}& c [[buffer(0)]]" in text
    assert text.endswith(f"{{ {{\n{metal} c = {literal};\ny[id] = c;\n}} }}")


@pytest.mark.parametrize(
    "metal, value, error, message",
    [
        ("int", 5_000_000_000, ValueError, "outside the 32-bit int range that MSL"),
        ("int", 5_000_000_000, OverflowError, "int scalar 'c'=5000000000"),
        ("float", float("inf"), ValueError, "float scalar 'c'=inf is not finite; NaN"),
        ("float", float("nan"), ValueError, "float scalar 'c'=nan is not finite; NaN"),
        ("float", 1e39, ValueError, "outside the range of MSL `float`"),
    ],
)
def test_scalars_out_of_range(metal, value, error, message):
    with pytest.raises(error, match=message):
        kernel("y[id] = c;", ["c"]).specialise(
            [(0, metal, True)], [(1, "float")], [(metal, "c", value)]
        )


def test_parameter_limit():
    names = [f"x{i}" for i in range(30)]
    inputs = [(1, "float", False)] * 30
    with pytest.raises(ValueError, match="^metal kernels support 31 inputs, got 32$"):
        kernel("", names).specialise(inputs, [(1, "float")])
    kernel("", names[:29]).specialise(inputs[:29], [(1, "float")])


def test_cache_holds_one_source_per_ranks_and_types():
    made = kernel()
    first = made.specialise([(1, "half", False)], [(1, "half")])
    assert made.specialise([(1, "half", False)], [(1, "half")]) is first
    made.specialise([(2, "half", False)], [(1, "half")])
    assert made.kernel_cache[(1, "half"), (1, "half")] == (first.name, first.text)
    assert len(made.kernel_cache) == 2


def test_scalar_values_have_caches_of_their_own():
    made = kernel("y[id] = c;", ["c"])
    names = [
        made.specialise([(0, "float", True)], [(1, "float")], [("float", "c", v)]).name
        for v in (0.0, -0.0, 2.5, 2.5)
    ]
    assert len(set(names)) == 3 and names[2] == names[3]
    assert made.kernel_cache == {}
    assert (("c", 2.5),) in made._scalar_kernel_caches


@pytest.mark.parametrize(
    "source, words, expected",
    [
        ("TYPE v; MY_TYPE w;", {"TYPE": "half"}, "half v; MY_TYPE w;"),
        ("T TT", {"T": "float", "TT": "half"}, "float half"),
        ("TYPE4 v = TYPE4(0);", {"TYPE": "half"}, "half4 v = half4(0);"),
        ("TYPE4 v; TYPE w;", {"TYPE": "int8_t"}, "char4 v; int8_t w;"),
        ("TYPE2 v = TYPE2(0);", {"TYPE": "uint8_t"}, "uchar2 v = uchar2(0);"),
        ("packed_TYPE3 v;", {"TYPE": "int16_t"}, "packed_short3 v;"),
        ("TYPE3 v;", {"TYPE": "uint16_t"}, "ushort3 v;"),
        ("packed_TYPE3 v;", {"TYPE": "float"}, "packed_float3 v;"),
        ("TYPE5 TYPED", {"TYPE": "float"}, "TYPE5 TYPED"),
    ],
)
def test_templates_replace_whole_identifiers(source, words, expected):
    assert substitute(source, words).text == expected


@settings(derandomize=True)
@given(st.text("T +a;\n", max_size=30))
def test_offsets_after_substitution_lead_back(source):
    result = substitute(source, {"T": "bfloat"})
    for offset, character in enumerate(result.text):
        original = result.original_offset(offset)
        assert source[original] in (character, "T")


def test_suffix_depends_on_content_alone():
    code = (
        "from bessemer.authoring.source import content_suffix;"
        "print(content_suffix('kernel'))"
    )
    names = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": seed},
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert names == {content_suffix("kernel")}
    assert re.fullmatch("[a-z]{8}", content_suffix("kernel"))


def test_locations_in_the_generated_source():
    source = kernel("y[id] =\n  sdfs;").specialise(
        [(1, "float", False)], [(1, "float")]
    )
    lines = source.text.split("\n")
    line = next(i for i, text in enumerate(lines, 1) if "sdfs" in text)
    part, offset = source.locate(line, lines[line - 1].index("sdfs") + 1)
    assert (part, "y[id] =\n  sdfs;"[offset:]) == ("src", "sdfs;")
    assert source.locate(2, 1) is None


LITERALS = [
    'src = "a + b;"\n',
    'src = """\n  a +\n  b;\n"""\n',
    "f(1, src='a\\n  b;')\n",
    'src = (\n    "a + "\n    "b;"\n)\n',
    "src = r'a \\ b;'\n",
    'src = "ä \\x41 b;"\n',
    'src = "a \\\nb;"\n',
]


@pytest.mark.parametrize("text", LITERALS)
def test_string_literals_are_found_again(text, tmp_path):
    import ast

    file = tmp_path / "user.py"
    file.write_text(text)
    value = next(
        n.value
        for n in ast.walk(ast.parse(text))
        if isinstance(n, ast.Constant) and isinstance(n.value, str)
    )
    place = find_literal([(str(file), 1)], value).position(value.index("b;"))
    line = text.splitlines()[place.line - 1]
    assert line.encode()[place.column - 1 :].startswith(b"b;")
    assert place.text == line


def test_a_text_that_is_no_literal_is_not_found(tmp_path):
    file = tmp_path / "user.py"
    file.write_text('src = "a" + str(1)\n')
    assert find_literal([(str(file), 1)], "a1") is None
    assert find_literal([("<stdin>", 1)], "a1") is None


def test_the_command_line_reads_a_generated_source(tmp_path):
    """The ladder's second rung: the text alone, with the compiler's own messages."""
    for body, status, words in (
        ("y[id] = x[id];", 0, ""),
        ("y[id] = sdfs;", 2, "error: use of undeclared identifier 'sdfs'"),
    ):
        source = kernel(body).specialise([(1, "float", False)], [(1, "float")])
        file = tmp_path / "k.metal"
        file.write_text(source.text)
        result = bessemer("compile", file)
        assert result.returncode == status, result.stderr
        assert words in result.stderr
        assert result.stdout.split() == ([source.name] if status == 0 else [])
