"""The cache of compiled code: bessemer cache, its limit, a full disk."""

import glob
import json
import os
import re
import subprocess
import tempfile

import pytest
from command_line import BESSEMER, bessemer, refused

KERNEL = """
#include <metal_stdlib>
kernel void s(device float *y, uint i [[thread_position_in_grid]]) {
  y[i] = metal::exp(y[i]) + %d;
}
"""
RUN = "run s.metal --threads 4 --arg y=0,0,0,0"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "s.metal").write_text(KERNEL % 1)
    return tmp_path


def bytes_in(folder):
    return sum(path.stat().st_size for path in folder.iterdir())


def test_counts_and_clears_everything(folder):
    environment = {"BESSEMER_CACHE": "cc"}
    for mode in ("relaxed", "safe"):
        result = bessemer(f"{RUN} --math {mode}", cwd=folder, **environment)
        assert result.returncode == 0, result.stderr
    cache = folder / "cc"
    assert len(list(cache.glob("*.pch"))) == 2
    result = bessemer("cache", cwd=folder, **environment)
    pattern = rf"{re.escape(str(cache))}: \d+ entries, (\d+\.\d) MiB of 1\.0 GiB\n"
    size = float(re.fullmatch(pattern, result.stdout)[1])
    assert abs(size - bytes_in(cache) / 2**20) <= 0.051
    shown = json.loads(bessemer("cache", "--json", cwd=folder, **environment).stdout)
    assert shown["directory"] == str(cache) and shown["limit"] == 1 << 30
    assert shown["bytes"] == bytes_in(cache) > 1 << 20
    assert shown["entries"] == len(list(cache.iterdir()))
    result = bessemer("cache", "--clear", "--json", cwd=folder, **environment)
    assert json.loads(result.stdout) == {
        "directory": str(cache),
        "reason": "",
        "removed_entries": shown["entries"],
        "removed_bytes": shown["bytes"],
    }
    assert list(cache.iterdir()) == []
    result = bessemer("cache", "--clear", cwd=folder, **environment)
    assert result.stdout == f"{cache}: 0 entries removed, 0 bytes\n"


@pytest.mark.parametrize("limit", [1, 6])
def test_is_never_larger_than_its_limit(folder, limit):
    environment = {"BESSEMER_CACHE": "cc", "BESSEMER_CACHE_LIMIT": str(limit)}
    for count, mode in enumerate(("relaxed", "safe", "fast", "safe")):
        (folder / "s.metal").write_text(KERNEL % count)
        result = bessemer(f"{RUN} --math {mode}", cwd=folder, **environment)
        assert result.returncode == 0, result.stderr
        assert 0 < bytes_in(folder / "cc") <= limit << 20
    assert len(list((folder / "cc").glob("*.pch"))) == (limit > 4)


@pytest.mark.parametrize("limit", ["-1", "99999999999999999999", "abc", "0", "1.5"])
def test_limits_that_make_no_sense(folder, limit):
    environment = {"BESSEMER_CACHE": "cc", "BESSEMER_CACHE_LIMIT": limit}
    message = f"BESSEMER_CACHE_LIMIT={limit}: a whole number of MiB from 1 on is wanted"
    for words in (RUN, "cache --clear"):
        assert refused(bessemer(words, cwd=folder, **environment), message)
    assert message in bessemer("cache", cwd=folder, **environment).stdout
    assert not (folder / "cc").exists()


@pytest.mark.parametrize("word", ["off", "OFF", "None", "0"])
def test_off_in_any_case(folder, word):
    assert bessemer(RUN, cwd=folder, BESSEMER_CACHE=word).returncode == 0
    assert [path.name for path in folder.iterdir()] == ["s.metal"]
    for words in ("cache", "cache --clear"):
        result = bessemer(words, cwd=folder, BESSEMER_CACHE=word)
        assert result.stdout == "no cache: BESSEMER_CACHE is off\n"


def mounted(folder, size, place, *words):
    """The result of runs in a mount namespace, where `place` has this size."""
    runs = "".join(f"{BESSEMER} {line} || exit 1\n" for line in words)
    script = f"mount -t tmpfs -o size={size},mode=700 none {place} || exit 77\n{runs}"
    result = subprocess.run(
        ["unshare", "--mount", "--map-root-user", "sh", "-c", f"{script}ls -A {place}"],
        cwd=folder,
        env=os.environ | {"BESSEMER_CACHE": str(folder / "cc")},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode == 77 or "unshare" in result.stderr:
        pytest.skip("file systems cannot be mounted here")
    return result


def crash_reports():
    return glob.glob(os.path.join(tempfile.gettempdir(), "bessemer-crash-*"))


@pytest.mark.parametrize("size", ["4k", "64k", "2m"])
def test_a_full_disk_is_no_error(folder, size):
    before = crash_reports()
    (folder / "cc").mkdir()
    result = mounted(folder, size, "cc", RUN, RUN)
    assert result.returncode == 0, result.stdout + result.stderr
    assert ".tmp" not in result.stdout
    assert crash_reports() == before


def test_full_memory_is_no_error(folder):
    result = mounted(folder, "4k", "/dev/shm", RUN)
    assert result.returncode == 0, result.stdout + result.stderr
