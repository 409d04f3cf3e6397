"""PTX of every kernel of the tests and the bench; ptxas where it is installed."""

import json
import shutil
import subprocess
from pathlib import Path

import interpreter
import pytest

FILES = sorted(interpreter.KERNELS.glob("*.metal")) + sorted(
    (interpreter.ROOT / "bench" / "kernels").glob("*.metal")
)
FORMS = [
    ("sm_80", []),
    ("sm_90", ["--group", "64,1,1", "--complete"]),
    ("sm_90", ["--group", "8,4,1"]),
]


def assemble(ptx: str, architecture: str, folder: Path) -> None:
    (folder / "kernel.ptx").write_text(ptx)
    subprocess.run(
        ["ptxas", f"-arch={architecture}", "-o", "/dev/null", "kernel.ptx"],
        check=True,
        cwd=folder,
    )


def compile_all(path: Path, folder: Path, *options: str) -> None:
    source = interpreter.Source(path, *options)
    kernels = json.loads(Path(source.reflection).read_text())["kernels"]
    assert kernels
    for number, kernel in enumerate(kernels):
        architecture, form = FORMS[number % len(FORMS)]
        ptx = interpreter.call(
            "bsm-nvidia", source.ir, "--reflection", source.reflection,
            "--kernel", kernel["name"], "--architecture", architecture, *form,
        )  # fmt: skip
        assert f".target {architecture}" in ptx
        assert ".entry bsm_" in ptx
        if shutil.which("ptxas"):
            assemble(ptx, architecture, folder)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_kernel_compiles(path, tmp_path):
    compile_all(path, tmp_path)


def test_safe_mathematics_compiles(tmp_path):
    compile_all(interpreter.KERNELS / "floats.metal", tmp_path, "--math=safe")
