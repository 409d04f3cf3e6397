"""The layers of docs/architecture.md, checked on every #include."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)

LLVM = ("llvm/", "llvm-c/")
CLANG = ("clang/", "clang-c/")
MLIR = ("mlir/",)
LLD = ("lld/",)
ALL = LLVM + CLANG + MLIR + LLD
# Folder -> prefixes that its files must not include. Longest folder wins.
FORBIDDEN = {
    "include/bessemer": ALL + ("msl/", "codegen/", "ir/", "convert/", "runtime/"),
    "lib/support": ALL,
    "lib/plan": ALL + ("runtime/", "msl/", "codegen/", "ir/", "convert/"),
    "lib/asset": ALL + ("runtime/", "msl/", "codegen/", "ir/", "convert/"),
    "lib/runtime": ALL + ("msl/", "codegen/", "ir/", "convert/", "compiler/"),
    "lib/api": ALL + ("msl/", "codegen/", "ir/", "convert/", "compiler/"),
    "lib/msl": MLIR + ("codegen/cpu", "ir/", "convert/", "runtime/"),
    "lib/codegen": MLIR + CLANG + ("msl/", "ir/", "convert/", "runtime/"),
    "lib/ir": CLANG + ("msl/", "codegen/", "convert/", "runtime/"),
    "lib/convert": CLANG + ("codegen/cpu", "runtime/"),
    "lib/compiler": CLANG + ("runtime/", "api/"),
    "tools": ALL + ("msl/", "codegen/", "ir/", "convert/", "runtime/", "api/"),
    "python": ALL + ("msl/", "codegen/", "ir/", "convert/", "runtime/", "api/"),
}


def tracked(*patterns: str) -> list[str]:
    output = subprocess.run(
        ["git", "ls-files", *patterns],
        check=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    return output.stdout.split()


def folder_of(path: str) -> str | None:
    matches = [folder for folder in FORBIDDEN if path.startswith(folder + "/")]
    return max(matches, key=len, default=None)


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_no_forbidden_include(folder):
    files = [
        path
        for path in tracked("*.h", "*.cpp", "*.def", "*.td")
        if folder_of(path) == folder
    ]
    assert files, f"{folder} holds no files: the table is out of date"
    wrong = [
        f"{path} includes {name}"
        for path in files
        for name in INCLUDE.findall((ROOT / path).read_text())
        if name.startswith(FORBIDDEN[folder])
        and not name.startswith(folder.removeprefix("lib/") + "/")
    ]
    assert not wrong, "\n".join(wrong)


def test_the_check_can_fail():
    names = INCLUDE.findall('#include "llvm/IR/Module.h"\n#  include <vector>\n')
    assert names == ["llvm/IR/Module.h", "vector"]
    assert names[0].startswith(FORBIDDEN["lib/runtime"])
