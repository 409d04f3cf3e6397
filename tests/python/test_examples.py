"""The programs of examples/coreai, through the compatibility switch."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "coreai"
PROGRAMS = sorted(p.name for p in FOLDER.glob("*.py") if p.name != "harness.py")


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program):
    result = subprocess.run(
        [sys.executable, "-m", "bessemer.compat", FOLDER / program],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "KernelCompileWarning" not in result.stderr, result.stderr


@pytest.mark.parametrize("keep", [False, True])
def test_demo(keep, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    kept = tmp_path / "kept"
    result = subprocess.run(
        [sys.executable, FOLDER.parent / "demo.py", *(["--folder", kept] * keep)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"TMPDIR": str(temporary)},
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert not list(temporary.glob("bessemer-*"))
    assert (kept / "mlp.aimodel").exists() == keep
