"""The overloads of native_functions.yaml and their way to MPS."""

from pathlib import Path

import pytest
import torch
from command_line import python_module

from bessemer.torch.check_dispatch import check, read

TEXT = """
# A comment
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
  dispatch:
    SparseCPU, SparseMPS: f_sparse

- func: f_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CPU, CUDA: f_

- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)  # the one kernel
  structured: True
  dispatch:
    CPU, CUDA, MPS: f_out  # shared
  tags: pointwise

- func: f.Scalar(Scalar self) -> Tensor
  dispatch:
    CPU, CUDA: f_scalar
    MPS: f_scalar_mps

- func: f.dim(Tensor self, int dim) -> Tensor
  dispatch:
    CompositeExplicitAutograd: f_dim

- func: f.dimname(Tensor self, Dimname dim) -> Tensor

- func: own(Tensor self) -> Tensor
  dispatch:
    MPS: own_mps
"""


def states(operator, text=TEXT):
    return {f.overload.name: (f.state, f.how) for f in check(read(text), operator)}


def test_states():
    assert states("f") == {
        "f": ("shared", "through f.out, f_out, shared with CPU, CUDA"),
        "f_": ("missing", "no entry for MPS (line 8: CPU, CUDA)"),
        "f.out": ("shared", "f_out, shared with CPU, CUDA"),
        "f.Scalar": (
            "legacy",
            "f_scalar_mps, of MPS alone, while other overloads share the entry of the CPU",
        ),
        "f.dim": ("composite", "f_dim (CompositeExplicitAutograd)"),
        "f.dimname": ("composite", "made of other operators"),
    }
    assert states("own") == {"own": ("own", "own_mps, of MPS alone")}


def run(*arguments):
    return python_module("bessemer.torch.check_dispatch", *arguments)


def test_command(tmp_path):
    file = tmp_path / "native_functions.yaml"
    file.write_text(TEXT)
    empty = tmp_path / "empty"
    empty.write_text("")
    other = tmp_path / "other.yaml"
    other.write_text("- 5\n- func: 7\n- x: y\n")
    result = run(file, "own")
    assert result.returncode == 0 and result.stdout.split()[:2] == ["own", "ok"]
    result = run(file)
    assert result.returncode == 1
    lines = [line.split()[:2] for line in result.stdout.splitlines()]
    assert lines == [["f_", "MISSING"], ["f.Scalar", "LEGACY"]]
    for arguments, message in (
        ([file, "g"], "the file has no operator 'g'"),
        ([tmp_path / "none"], "No such file"),
        ([empty], "has no '- func: NAME(...)' entries"),
        ([other], "has no '- func: NAME(...)' entries"),
    ):
        result = run(*arguments)
        assert result.returncode == 2 and message in result.stderr


FILE = (
    Path(torch.__file__).parents[1]
    / "torchgen/packaged/ATen/native/native_functions.yaml"
)


@pytest.mark.skipif(not FILE.exists(), reason="torch came without torchgen's files")
def test_the_file_of_the_installed_torch():
    overloads = read(FILE.read_text())
    assert len(overloads) == FILE.read_text().count("\n- func:")
    assert all(o.delegate in overloads for o in overloads.values() if o.delegate)
    for operator in "erfinv", "hypot":
        found = check(overloads, operator)
        assert len(found) == 3 and all(f.state == "shared" for f in found)
