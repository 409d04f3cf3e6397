"""Functors of PyTorch's Metal kernels, run as its host code does, against ATen."""

import os
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import torch
from command_line import python_module

from bessemer.torch import compile_shader
from bessemer.torch.check_functors import main
from bessemer.torch.functors import check_functors

SHADERS = Path(__file__).parent / "shaders"
SMALL = (SHADERS / "small.metal").read_text()
C10 = (SHADERS / "c10_functors.metal").read_text()


@pytest.mark.parametrize(
    "header", sorted(f.name for f in (Path(torch.__file__).parent / "include/c10/metal").glob("*.h"))
)  # fmt: skip
def test_every_header_compiles_alone(header):
    library = compile_shader(f"#include <c10/metal/{header}>\nkernel void k() {{}}")
    assert dir(library) == ["k"]


def test_every_functor_has_its_kernels():
    names = set(dir(compile_shader(C10)))
    assert len(names) > 5000
    for name in "erf_dense_half_half", "zeta_strided_cast_float_bool":
        assert name in names


@pytest.mark.parametrize("operator", ["neg", "erf", "maximum", "xlogy"])
def test_every_kernel_of_some_functors(operator):
    report = check_functors(SMALL, only=operator)
    assert report.ok, str(report)
    for _, _, kernels, cases, right in report.rows():
        assert kernels in (6, 13) and cases == right > 80


# Every operator: with BESSEMER_ALL_FUNCTORS all of its kernels, else one.
OPERATORS = re.findall(r"^(?:UNARY|SAME|OPMATH|FLOATING|ARITHMETIC|COMPARISON)\((\w+)", C10, re.M)  # fmt: skip
ONLY = (
    "{}" if os.environ.get("BESSEMER_ALL_FUNCTORS") else "{}_strided_(float|bool)_float"
)


@pytest.mark.parametrize("first", range(0, len(OPERATORS), 20))
def test_operators(first):
    chosen = "|".join(OPERATORS[first : first + 20])
    report = check_functors(
        C10,
        only=ONLY.format(f"({chosen})"),
        references={"trigamma": lambda x: torch.polygamma(1, x)},
    )
    assert len(report.results) >= len(OPERATORS[first : first + 20])
    assert report.ok, str(report)


WRONG = """
#include <c10/metal/indexing.h>
struct neg_functor { template <typename T> T operator()(const T x) { return -x - (x > 2); } };
struct other_functor { template <typename T> T operator()(const T x) { return x; } };
REGISTER_UNARY_OP(neg, float, float);
REGISTER_UNARY_OP(other, float, float);
kernel void neg_dense_half_half(device half* x, device half* y, constant float& z) {}
kernel void lonely(device float* x) {}
"""


def run(*arguments):
    return python_module("bessemer.torch.check_functors", *arguments)


def test_command(tmp_path):
    file, junit = tmp_path / "wrong.metal", tmp_path / "results.xml"
    file.write_text(WRONG)
    result = run(file, "--junit", junit)
    assert result.returncode == 1, result.stderr
    lines = result.stdout.splitlines()
    assert re.fullmatch(r"neg +float32 +6 +84 +\d+  WRONG", lines[1])
    for message in (
        r"neg_dense_float_float: dense \[3\]: .*Mismatched elements",
        "neg_dense_half_half: not run: its parameters are of no known form",
        "other_dense_float_float: not run: torch has no other; name a reference",
        "lonely: not run: no functor's kernel",
    ):
        assert re.search(f"^{message}", result.stdout, re.MULTILINE), result.stdout
    suite = ElementTree.parse(junit).getroot()
    assert suite.get("tests") == "13" and suite.get("skipped") == "7"
    assert int(suite.get("failures")) == 6 == len(list(suite.iter("failure")))
    result = run(file, "--only", "other", "--reference", "other=torch.clone")
    assert result.returncode == 0, result.stdout


def test_command_with_bad_input(tmp_path):
    file = tmp_path / "bad.metal"
    assert run(file).returncode == 2
    file.write_text("kernel void k(device flot* x) {}")
    result = run(file)
    assert result.returncode == 2 and "program_source:1:22: error" in result.stderr


# (options, words); {} is a folder that exists.
BAD_OPTIONS = [
    (["--only", "["], "argument --only: '[': unterminated character set"),
    (["--only", "zzz"], "nothing was checked: it has no kernel of a functor that"),
    (["--reference", "neg"], "'neg' is not NAME=MODULE.FUNCTION"),
    (["--reference", "neg=torch.nope"], "module 'torch' has no attribute 'nope'"),
    (["--reference", "neg=no_module.f"], "No module named 'no_module'"),
    (["--reference", "neg=.f"], "'neg=.f': "),
    (["--reference", "neg=torch.pi"], "torch.pi is no function"),
    (["--reference", "g=torch.neg"], "no functor 'g' for a reference; there are: neg"),
    (["--junit", "{}/none/x.xml"], "argument --junit: [Errno 2] No such file"),
    (["--junit", "{}"], "argument --junit: [Errno 21] Is a directory"),
]


@pytest.mark.parametrize("options, message", BAD_OPTIONS)
def test_bad_options(options, message, tmp_path, monkeypatch, capsys):
    file = tmp_path / "wrong.metal"
    file.write_text(WRONG)
    options = [option.format(tmp_path) for option in options]
    monkeypatch.setattr(sys, "argv", ["check_functors", str(file), *options])
    try:
        status = main()
    except SystemExit as end:
        status = end.code
    shown = capsys.readouterr()
    assert status == 2 and message in shown.err and "WRONG" not in shown.out


@pytest.mark.parametrize("text", ["", "kernel void k(device float* x) {}"])
def test_files_without_functors(text, tmp_path):
    file, junit = tmp_path / "none.metal", tmp_path / "results.xml"
    file.write_text(text)
    result = run(file, "--junit", junit)
    assert result.returncode == 2 and "nothing was checked" in result.stderr
    assert not junit.exists()


@pytest.mark.parametrize(
    "reference, message",
    [
        ("fractions.Fraction", "the reference raised TypeError: "),
        ("torch.numel", "the reference returned no tensor but int"),
    ],
)
def test_a_reference_that_is_none(reference, message, tmp_path):
    file = tmp_path / "wrong.metal"
    file.write_text(WRONG)
    result = run(file, "--only", "other", "--reference", f"other={reference}")
    assert result.returncode == 1 and not result.stderr, result.stderr
    assert message in result.stdout
