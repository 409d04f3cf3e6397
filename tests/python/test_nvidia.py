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


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("math", ["relaxed", "safe"])
def test_every_kernel_compiles(path, math, tmp_path):
    source = interpreter.Source(path, f"--math={math}")
    kernels = json.loads(Path(source.reflection).read_text())["kernels"]
    assert kernels
    for number, kernel in enumerate(kernels):
        architecture, options = FORMS[number % len(FORMS)]
        ptx = interpreter.call(
            "bsm-nvidia", source.ir, "--reflection", source.reflection,
            "--kernel", kernel["name"], "--architecture", architecture, *options,
        )  # fmt: skip
        assert f".target {architecture}" in ptx
        assert ".entry bsm_" in ptx
        if shutil.which("ptxas"):
            assemble(ptx, architecture, tmp_path)
