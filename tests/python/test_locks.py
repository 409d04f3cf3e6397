"""Threads of a group that wait for each other: nothing hangs, no work is lost."""

import os
import subprocess
import sys
from pathlib import Path

import interpreter
import locks
import pytest

FOLDER = Path(__file__).parent
SECONDS = 120  # for what takes two


def run_apart(module: str, *arguments: str) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(FOLDER), *sys.path]),
    }
    result = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=environment,
    )
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("form", locks.FORMS)
def test_compiled(form):
    run_apart("locks", form)


@pytest.mark.parametrize("form", locks.FORMS)
def test_interpreted(form, tmp_path, monkeypatch):
    if form == "locked hash table":  # the order of threads shows in it
        monkeypatch.delenv("BESSEMER_CUDA_CASES", raising=False)
    source = interpreter.from_text(locks.source(form), tmp_path)
    for threads, group in [(1, 1), (33, 33), (80, 64)]:
        lock_words, data = locks.buffers()
        source.run("locked", lock_words, data, threads=threads, group=group)
        locks.check(form, data, threads, group)
