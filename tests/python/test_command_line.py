"""The command line: bessemer probe, verbs that are none."""

import os
import re
import shutil
import subprocess

import numpy as np
import pytest

BESSEMER = shutil.which("bessemer") or os.path.join(
    os.environ.get("BESSEMER_BUILD", ""), "bin", "bessemer"
)


def bessemer(*arguments):
    return subprocess.run(
        [BESSEMER, *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "arguments, rows, columns",
    [([], 4, 8), (["--grid", "5,3", "--group", "2,2"], 2, 3)],
)
def test_probe(arguments, rows, columns):
    result = bessemer("probe", *arguments)
    assert result.returncode == 0, result.stderr
    table = np.array(
        [
            line.split()
            for line in result.stdout.splitlines()
            if line[:5].strip().isdigit()
        ]
    ).astype(int)
    b, a = np.indices((rows, columns))
    np.testing.assert_array_equal(table, 100 + 10 * a + b)
    assert result.stdout.endswith("out[a, b] in a kernel is numpy[b, a].\n")


@pytest.mark.parametrize("arguments", [["--grid", "0,3"], ["--group", "1024,1024"]])
def test_probe_of_bad_sizes(arguments):
    result = bessemer("probe", *arguments)
    assert result.returncode == 2 and result.stderr


def test_an_unknown_verb_is_named():
    result = bessemer("frobnicate", "a.metal")
    assert result.returncode == 2
    assert (
        "no verb 'frobnicate'; there are: run, compile, inspect, probe" in result.stderr
    )


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["-D", "A B"], "-D A B: the name of a macro is wanted"),
        (["-D", "=1"], "-D =1: the name of a macro is wanted"),
        (["--kernel", "zzz"], "no kernel 'zzz'; the file has: one, two"),
        (["--kernel", "zzz", "--emit", "ir"], "no kernel 'zzz'"),
    ],
    ids=str,
)
def test_compile_refuses(arguments, words, tmp_path):
    path = tmp_path / "two.metal"
    path.write_text("kernel void one() {}\nkernel void two() {}\n")
    result = bessemer("compile", path, *arguments)
    assert result.returncode == 2 and words in result.stderr
    good = bessemer("compile", path, "-D", "F(x)=x", "-D", "N=1", "--kernel", "two")
    assert good.returncode == 0 and good.stdout == "two\n", good.stderr


KERNELS = """
#include <metal_stdlib>
using namespace metal;
struct Scale { float factor; uint offset; };
kernel void saxpy(device const float *x [[buffer(0)]], device float *y [[buffer(1)]],
                  constant float &a [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) { y[i] += a * x[i]; }
kernel void many(device float4 *o, constant uint2 &p, constant Scale &s,
                 device bfloat *b, device short *n, threadgroup float *t,
                 uint i [[thread_position_in_grid]]) {
  t[0] = 1;
  o[i] = float4(p.x, p.y, s.factor, s.offset) * t[0];
  b[i] += 1.5bf;
  n[i] -= 7;
}
"""


@pytest.fixture
def kernels(tmp_path):
    (tmp_path / "k.metal").write_text(KERNELS)
    return tmp_path


def run(folder, *arguments):
    return subprocess.run(
        [BESSEMER, "run", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )


@pytest.mark.parametrize("grid", [("--threads", "1000"), ("--groups", "125")])
def test_run_with_files(kernels, grid):
    x = np.random.default_rng(5).random(1000, np.float32)
    np.save(kernels / "x.npy", x)
    words = "--kernel saxpy --group 8 --arg x=x.npy --arg a=-2.5"
    result = run(
        kernels, "k.metal", *words.split(), *grid, "--out", "y=float32[1000]:y.npy"
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "y: float32[1000] -> y.npy\n"
    np.testing.assert_array_equal(np.load(kernels / "y.npy"), np.float32(-2.5) * x)


def test_run_prints(kernels):
    struct = np.array([(0.5, 9)], [("factor", "f4"), ("offset", "u4")])
    np.save(kernels / "s.npy", struct.view(np.uint8))
    words = "--kernel many --threads 2 --arg p=3,4 --arg t=64 --arg s=s.npy"
    words += " --arg b=1,2 --arg n=zeros[2] --out o=[2,4] --out b --out n"
    result = run(kernels, "k.metal", *words.split())
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "o: float32[2, 4] 3 4 0.5 9 3 4 0.5 9",
        "b: bfloat16[2] 2.5 3.5",
        "n: int16[2] -7 -7",
    ]


def test_run_with_random_values(kernels):
    words = "--kernel saxpy --threads 500 --arg x=random[500] --arg y=random[500]"
    words += " --arg a=0 --out x:x.npy --out y:y.npy"
    outputs = []
    for seed in ("1", "1", "2"):
        result = run(kernels, "k.metal", *words.split(), "--seed", seed)
        assert result.returncode == 0, result.stderr
        x, y = np.load(kernels / "x.npy"), np.load(kernels / "y.npy")
        assert -1 <= x.min() < -0.9 and 0.9 < x.max() < 1 and (x != y).any()
        outputs.append(x.tobytes())
    assert outputs[0] == outputs[1] != outputs[2]


SAXPY = (
    "k.metal --kernel saxpy --threads 8 --arg x=random[8] --arg y=zeros[8] --arg a=1"
)


def saxpy(argument):
    """A run of saxpy with this --arg in place of its own."""
    name = argument.partition("=")[0]
    return re.sub(rf" --arg {name}=\S+", "", SAXPY) + f" --arg {argument}"


@pytest.mark.parametrize(
    "words, message",
    [
        ("k.metal --threads 8", "several kernels, choose one with --kernel: saxpy, m"),
        ("k.metal --kernel sxapy --threads 8", "did you mean 'saxpy'?"),
        (f"{SAXPY} --arg z=1", "no argument 'z'; it has: x, y, a"),
        (saxpy("a=b"), "argument 'a': 'b' is no number; the argument is float"),
        (saxpy("a=1,2"), "argument 'a' is one float, got float32[2]"),
        (f"{SAXPY} --arg x", "--arg x: NAME=VALUE is wanted"),
        (saxpy("x=random"), "needs a size, such as random[1024]"),
        (saxpy("x=zeros[-1]"), "is no type such as"),
        (saxpy("x=zeros:int32[8]"), "is declared 'float' (float32 elements)"),
        (saxpy("x=zeros[99999999999999]"), "not enough memory"),
        (saxpy("x=none.npy"), "cannot read 'none.npy'"),
        (saxpy("x=bad.npy"), "bad.npy: is no file of NumPy's .npy format"),
        (saxpy("x=cut.npy"), "cut.npy: is cut off"),
        (saxpy("x=fortran.npy"), "fortran.npy: is not in C order"),
        (saxpy("x=complex.npy"), "complex.npy: has elements of type '<c16'"),
        (f"{SAXPY} --out z", "no argument 'z'"),
        (f"{SAXPY} --groups 1", "give one of --threads"),
        (f"{SAXPY} --device gpu", "no device named 'gpu'"),
        (f"{SAXPY} --out y:/nowhere/y.npy", "cannot write '/nowhere/y.npy'"),
        (f"{SAXPY} --grop 8", "does not take '--grop'; did you mean '--group'?"),
    ],
    ids=str,
)
def test_run_refuses(kernels, words, message):
    (kernels / "bad.npy").write_bytes(b"not at all an array")
    np.save(kernels / "cut.npy", np.zeros(100))
    content = (kernels / "cut.npy").read_bytes()
    (kernels / "cut.npy").write_bytes(content[:-9])
    np.save(kernels / "fortran.npy", np.zeros((3, 4)).T)
    np.save(kernels / "complex.npy", np.zeros(3, complex))
    result = run(kernels, *words.split())
    assert result.returncode == 2 and message in result.stderr, result.stderr
