"""The command line: bessemer probe, verbs that are none."""

import os
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
    assert "no verb 'frobnicate'; there are: compile, inspect, probe" in result.stderr


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
