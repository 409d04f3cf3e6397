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
