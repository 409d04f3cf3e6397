"""Files and names that are not UTF-8: errors name the file and the byte."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import bessemer
from bessemer.runtime import AIModelAsset

BESSEMER = shutil.which("bessemer") or os.path.join(
    os.environ.get("BESSEMER_BUILD", ""), "bin", "bessemer"
)
KERNEL = b"kernel void k(device float *y) { y[0] = 1; }\n"


def command(*arguments, **options):
    result = subprocess.run(
        [BESSEMER, *arguments], capture_output=True, check=False, **options
    )
    result.stderr.decode("utf-8")  # no raw bytes for the terminal
    return result


def write(folder, name: bytes, content: bytes) -> Path:
    path = Path(os.fsdecode(os.fsencode(folder) + b"/" + name))
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    "content, byte",
    [
        (b"// caf\xe9\n" + KERNEL, "byte 6 is 0xe9"),
        (b"\xff\xfe" + KERNEL, "byte 0 is 0xff"),
        (KERNEL + b"// \xc3", "byte 48 is 0xc3"),
        (KERNEL + b"// \xed\xa0\x80", "byte 48 is 0xed"),
    ],
)
def test_sources(content, byte, tmp_path):
    path = write(tmp_path, b"k\xff.metal", content)
    with pytest.raises(bessemer.ArgumentError) as error:
        bessemer.compile(path)
    assert f"k\\xff.metal is not UTF-8 text: {byte}" in str(error.value)
    for verb in ("compile", "inspect", "run"):
        result = command(verb, path)
        assert result.returncode == 2
        assert rf"k\xff.metal is not UTF-8 text: {byte}" in result.stderr.decode()


def test_included_files(tmp_path):
    write(tmp_path, b"h.h", b"int caf\xe9 = z;\n")
    path = write(tmp_path, b"k.metal", b'#include "h.h"\n' + KERNEL)
    with pytest.raises(bessemer.CompileError) as error:
        bessemer.compile(path)
    assert "h.h:1:8: error: source file is not valid UTF-8" in str(error.value)
    assert [str(d) for d in error.value.diagnostics]
    result = command("compile", "k.metal", cwd=tmp_path)
    assert result.returncode == 2 and rb"int caf\xe9" in result.stderr


def test_file_names(tmp_path):
    path = write(tmp_path, b"k\xff.metal", KERNEL)
    assert bessemer.compile(path).kernels == ["k"]
    assert command("compile", path).stdout == b"k\n"
    result = command("compile", os.fsencode(tmp_path) + b"/none\xff.metal")
    assert rb"none\xff.metal" in result.stderr and result.returncode == 2
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/i\xff"))
    folder.mkdir()
    write(folder, b"h.h", b"constant int one = 1;\n")
    source = '#include "h.h"\nkernel void k(device int *y) { y[0] = one; }'
    assert bessemer.compile(source, include_dirs=[folder]).kernels == ["k"]


def test_metadata(tmp_path):
    folder = tmp_path / "m.aimodel"
    folder.mkdir()
    write(folder, b"metadata.json", b'{"a": "\xff"}')
    with pytest.raises(bessemer.AssetError) as error:
        _ = AIModelAsset(folder).metadata
    assert "metadata.json is not UTF-8 text: byte 7 is 0xff" in str(error.value)


@pytest.mark.parametrize("escape", ["\x1b[31m", "\x07", "\r"])
def test_sources_do_not_steer_the_terminal(escape, tmp_path):
    path = write(tmp_path, b"k.metal", KERNEL + f"{escape} oops\n".encode())
    result = command("compile", path)
    assert result.returncode == 2 and escape.encode() not in result.stderr


def test_no_cache_means_none(tmp_path):
    write(tmp_path, b"k.metal", b"#include <metal_stdlib>\n" + KERNEL)
    environment = os.environ | {"BESSEMER_CACHE": "off"}
    result = command("compile", "k.metal", cwd=tmp_path, env=environment)
    assert result.stdout == b"k\n"
    assert os.listdir(tmp_path) == ["k.metal"]
