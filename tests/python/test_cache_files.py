"""Cache entries that are no files: nothing waits for them, nothing reads them."""

import os
import subprocess
import sys

import pytest

RUN = """
import bessemer, numpy as np
library = bessemer.compile(
    "kernel void twice(device float *x, uint i [[thread_position_in_grid]])"
    "{ x[i] *= 2; }")
x = np.ones(4, np.float32)
library.twice(x, threads=4, group_size=4)
assert x.tolist() == [2] * 4
"""


def run(cache):
    environment = {**os.environ, "BESSEMER_CACHE": str(cache)}
    result = subprocess.run(
        [sys.executable, "-c", RUN],
        env=environment,
        timeout=120,
        check=False,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("kind", ["fifo", "endless", "folder", "dangling"])
def test_entries_that_are_no_files(tmp_path, kind):
    run(tmp_path)
    entries = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len({path.suffix for path in entries}) >= 2, entries
    for path in entries:
        path.unlink()
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "folder":
            path.mkdir()
        else:
            path.symlink_to("/dev/zero" if kind == "endless" else "nowhere")
    run(tmp_path)
