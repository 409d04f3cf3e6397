"""Function constants without a value: an error that names them, where it matters."""

import re

import numpy as np
import pytest
from command_line import bessemer as command
from models import ID, Unary, convert

import bessemer
from bessemer.torch import TorchMetalKernel

SOURCE = """
#include <metal_stdlib>
using namespace metal;
constant int n [[function_constant(0)]];
constant float scale [[function_constant(7)]];
constant bool flag [[function_constant(3)]];
constant int twice = 2 * n;
constant int either = is_function_constant_defined(n) ? n : 5;
constant float safe = is_function_constant_defined(scale) ? scale : 0.5f;
inline int deep() { return n + 1; }

kernel void plain(device float *y) { y[0] = 1; }
kernel void direct(device float *y) { y[0] = n; }
kernel void called(device float *y) { y[0] = deep(); }
kernel void computed(device float *y) { y[0] = twice; }
kernel void several(device float *y) { y[0] = flag ? scale : twice; }
kernel void guarded(device float *y) {
  y[0] = either;
  if (is_function_constant_defined(n))
    y[0] += n;
}
kernel void guarded_twice(device float *y) { y[0] = safe + either; }
"""
NEEDS = {
    "direct": ["n"],
    "called": ["n"],
    "computed": ["n"],
    "several": ["n", "scale", "flag"],
}
UNDEFINED = {"plain": 1, "guarded": 5, "guarded_twice": 5.5}
DEFINED = {"plain": 1, "direct": 3, "called": 4, "computed": 6, "guarded": 6}


def value(library, kernel):
    y = np.zeros(1, np.float32)
    library[kernel](y, threads=1)
    return y[0]


@pytest.mark.parametrize("kernel", NEEDS)
def test_a_kernel_that_needs_them(kernel):
    library = bessemer.compile(SOURCE)
    with pytest.raises(bessemer.ArgumentError) as caught:
        value(library, kernel)
    message = str(caught.value)
    start = f"kernel '{kernel}' needs a value for the function constant"
    assert message.startswith(start)
    named = message.removeprefix(start).split(":")[0]
    assert set(re.findall(r"'(\w+)'", named)) == set(NEEDS[kernel])
    assert re.search(r"function_constants=\{'\w+': \.\.\.\} in Python", message)


@pytest.mark.parametrize("kernel", UNDEFINED)
def test_a_kernel_that_does_not(kernel):
    assert value(bessemer.compile(SOURCE), kernel) == UNDEFINED[kernel]


@pytest.mark.parametrize("kernel", DEFINED)
def test_given_values(kernel):
    library = bessemer.compile(SOURCE, function_constants={"n": 3})
    assert value(library, kernel) == DEFINED[kernel]


def test_some_of_several():
    library = bessemer.compile(SOURCE, function_constants={"n": 3, 3: True})
    with pytest.raises(bessemer.ArgumentError, match="function constant 'scale': "):
        value(library, "several")


def test_a_source_of_many_kernels():
    """Their code is made one by one."""
    many = "".join(f"kernel void k{i}(device float *y) {{}}\n" for i in range(70))
    library = bessemer.compile(SOURCE + many)
    with pytest.raises(bessemer.ArgumentError, match="'direct' needs a value for the"):
        value(library, "direct")
    assert value(library, "guarded") == 5


def test_the_text_of_the_code_needs_none():
    library = bessemer.compile(SOURCE)
    assert "@direct" in library.emit("direct", "ir")
    with pytest.raises(bessemer.ArgumentError, match="needs a value"):
        library.emit("direct", "llvm")


def test_a_model_has_no_values_for_them():
    torch = pytest.importorskip("torch")

    def reference(x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    helper = "constant int n [[function_constant(0)]];"
    kernel = TorchMetalKernel(
        "k", ["x"], ["y"], "y[id] = n;", reference, [ID], helper_src=helper
    )
    with pytest.raises(bessemer.CompileError, match="constants have no values in a m"):
        convert(Unary(kernel), (torch.zeros(4),), [kernel])


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "constants.metal"
    path.write_text(SOURCE)
    return path


@pytest.mark.parametrize("name", ["n", "0"])
def test_the_command_line(file, name):
    options = ["--threads", "1", "--out", "y=float32[1]", "--kernel", "computed"]
    result = command("run", file, *options, "--constant", f"{name}=21")
    assert result.returncode == 0 and "42" in result.stdout


@pytest.mark.parametrize(
    "constants, words",
    [
        ([], "needs a value for the function constant 'n': "),
        (["m=1"], "--constant m=1: the file has no such function constant; it has: n "),
        (["n=x"], "--constant n=x: 'x' is no integer"),
        (["n=1", "0=1"], "it is given twice, by name and by index"),
        (["n"], "--constant n: NAME=VALUE is wanted"),
    ],
)
def test_wrong_constants_of_the_command_line(file, constants, words):
    options = ["--threads", "1", "--out", "y=float32[1]", "--kernel", "direct"]
    for constant in constants:
        options += ["--constant", constant]
    result = command("run", file, *options)
    assert result.returncode == 2 and words in result.stderr, result.stderr
