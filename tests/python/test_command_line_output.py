"""The command line: what is written is whole or an error."""

import contextlib
import os
import resource
import subprocess

import numpy as np
import pytest
from command_line import BESSEMER, bessemer, refused

KERNEL = """
kernel void s(device float *y, uint i [[thread_position_in_grid]]) { y[i] = i; }
"""
RUN = "run s.metal --threads 100000"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "s.metal").write_text(KERNEL)
    return tmp_path


STANDARD_OUTPUT = [
    "version",
    "--version",
    "--help",
    "help run",
    "devices",
    "cache --json",
    "compile s.metal",
    "compile s.metal --emit asm",
    "compile s.metal --emit asm -o /dev/stdout",
    "inspect s.metal --json",
    "run s.metal --threads 4 --out y=[4]",
    "probe",
]


@pytest.mark.parametrize("words", STANDARD_OUTPUT)
@pytest.mark.parametrize("place", ["full", "closed"])
def test_lost_standard_output_is_an_error(folder, words, place):
    redirection = ">/dev/full" if place == "full" else ">&-"
    result = subprocess.run(
        ["sh", "-c", f"{BESSEMER} {words} {redirection}"],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        cwd=folder,
    )
    assert result.returncode == 2
    message = "standard output cannot be written"
    if words.endswith("/dev/stdout"):
        message = "cannot write '/dev/stdout': "
    assert f"error: {message}" in result.stderr, result.stderr


def test_a_file_does_not_become_standard_output(folder):
    subprocess.run(
        ["sh", "-c", f"{BESSEMER} {RUN} --out y=[100000]:y.npy >&-"],
        cwd=folder,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    np.testing.assert_array_equal(np.load(folder / "y.npy"), np.arange(100000))


def limited(*words, cwd, size):
    """A run that can write no file of more than `size` bytes."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return subprocess.run(
        [BESSEMER, *" ".join(words).split()],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        preexec_fn=limit,
        env=os.environ | {"BESSEMER_CACHE": "off"},
    )


@pytest.mark.parametrize(
    "words, name, size",
    [
        (f"{RUN} --out y=float32[100000]:out", "out", 200000),
        ("compile s.metal --emit llvm -o out", "out", 100),
    ],
)
@pytest.mark.parametrize("old", [None, "before"])
def test_files_are_whole_or_not_there(folder, words, name, size, old):
    if old:
        (folder / name).write_text(old)
    result = limited(words, cwd=folder, size=size)
    assert refused(result, f"cannot write '{name}': File too large")
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        ["s.metal"] + [name] * bool(old)
    )
    if old:
        assert (folder / name).read_text() == old


def test_files_keep_their_mode_and_links(folder):
    (folder / "old").write_text("x")
    (folder / "old").chmod(0o640)
    (folder / "link").symlink_to("old")
    with contextlib.ExitStack() as stack:
        stack.callback(os.umask, os.umask(0o022))
        for name in ("link", "new"):
            words = f"{RUN} --out y=[100000]:{name}"
            result = bessemer(words, cwd=folder)
            assert result.stdout == f"y: float32[100000] -> {name}\n"
    assert (folder / "link").is_symlink()
    assert (folder / "old").stat().st_mode & 0o777 == 0o640
    assert (folder / "new").stat().st_mode & 0o777 == 0o644
    assert (folder / "old").read_bytes() == (folder / "new").read_bytes()


def test_pipes_are_written(folder):
    result = subprocess.run(
        [BESSEMER, *f"{RUN} --out y=[100000]:/dev/stdout".split()],
        capture_output=True,
        check=True,
        cwd=folder,
    )
    (folder / "y.npy").write_bytes(result.stdout)
    np.testing.assert_array_equal(np.load(folder / "y.npy"), np.arange(100000))


def damaged(folder, name, edit):
    np.save(folder / name, np.zeros(4, np.float32))
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(edit(content))


@pytest.mark.parametrize(
    "edit, message",
    [
        (lambda b: b + b"12345", "has 5 bytes more than float32[4] takes"),
        (lambda b: b[:-1], "is cut off: float32[4] is more than the 15 bytes after"),
        (lambda b: b[:40], "is cut off in its header"),
        (lambda b: b[:8], "is cut off in its header"),
        (lambda b: b[:6] + b"\x09" + b[7:], "is of version 9.0 of the .npy format"),
        (lambda b: b.replace(b"(4,)", b"(9e)"), "has a damaged header: byte "),
        (lambda b: b.replace(b"(4,)", b"(-3)"), "has a damaged header"),
        (lambda b: b.replace(b"'shape'", b"'shope'"), "has a damaged header"),
        (lambda b: b.replace(b"False", b"Folse"), "has a damaged header"),
        (lambda b: b[:8] + b"\xff\xff" + b"{" * 0xFFFF, "has a damaged header"),
        (lambda b: b[:6] + b"\2\0\0\0\x20\0" + b"{" * (2 << 20), "damaged header"),
        (
            lambda b: b.replace(b"(4,), }         ", b"(4611686018427387,}"),
            "has a damaged header",
        ),
        (lambda b: b.replace(b"<f4", b">f4"), "big-endian elements '>f4'; save array"),
    ],
)
def test_damaged_arrays(folder, edit, message):
    damaged(folder, "y.npy", edit)
    result = bessemer("run s.metal --threads 4 --arg y=y.npy", cwd=folder)
    assert refused(result, message)


@pytest.mark.parametrize(
    "array, message",
    [
        (np.zeros(3, [("a", "f4"), ("b", "u4")]), "has structured elements [('a', '<"),
        (np.zeros((3, 2), np.float32).T, "is not in C order"),
        (np.array(["text"]), "has elements of type '<U4', which kernels do not have"),
    ],
)
def test_arrays_of_other_kinds(folder, array, message):
    np.save(folder / "y.npy", array)
    result = bessemer("run s.metal --threads 4 --arg y=y.npy", cwd=folder)
    assert refused(result, message)


@pytest.mark.parametrize(
    "array",
    [np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((), np.float32)],
)
def test_arrays_of_any_version(folder, array):
    for version in ((1, 0), (2, 0), (3, 0)):
        with (folder / "y.npy").open("wb") as file:
            np.lib.format.write_array(file, array, version)
        words = "run s.metal --threads 1 --arg y=y.npy --out y:z.npy"
        result = bessemer(words, cwd=folder)
        assert result.returncode == 0, result.stderr
        expected = array.copy()
        expected.reshape(-1)[0] = 0
        np.testing.assert_array_equal(np.load(folder / "z.npy"), expected)


@pytest.mark.parametrize(
    "value, message",
    [
        ("folder/", "'folder/' is neither numbers nor a file whose name ends in .npy"),
        ("s.metal", "'s.metal' is neither numbers nor a file"),
        ("", "'' is no number"),
        ("1,,2,3", "'' is no number"),
        ("1,2,3,", "'' is no number"),
        ("1e39,1,1,1", "'1e39' is out of range for float32"),
        ("1e999,1,1,1", "'1e999' is out of range for float32"),
        ("folder.npy", "cannot read 'folder.npy': Is a directory"),
    ],
)
def test_values_that_are_none(folder, value, message):
    (folder / "folder.npy").mkdir()
    result = bessemer(
        "run", "s.metal", "--threads", "4", "--arg", f"y={value}", cwd=folder
    )
    assert refused(result, message)
