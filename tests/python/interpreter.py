"""Runs Metal source through the front end and the reference interpreter.

Uses the test drivers bsm-msl and bsm-interp of the build folder
(BESSEMER_BUILD, else build/ of the checkout).
"""

import functools
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("BESSEMER_BUILD", ROOT / "build")) / "bin"
KERNELS = ROOT / "tests" / "kernels"


class KernelError(RuntimeError):
    """A compilation or a run failed; the message is the tool's."""


class Tensor:
    """Marks an array that is bound as a tensor, not as a plain buffer."""

    def __init__(self, array: np.ndarray):
        self.array = array


def call(program: str, *arguments: str) -> str:
    result = subprocess.run(
        [BIN / program, *arguments], capture_output=True, text=True, timeout=300
    )
    if result.returncode != 0:
        raise KernelError(f"{program}: exit {result.returncode}\n{result.stderr}")
    return result.stdout


def size(value) -> str:
    return ",".join(map(str, value if isinstance(value, tuple) else (value,)))


class Source:
    """Compiled Metal source."""

    def __init__(self, path: Path, *options: str):
        self.folder = tempfile.TemporaryDirectory()
        self.ir = os.path.join(self.folder.name, "kernels.ll")
        self.reflection = os.path.join(self.folder.name, "kernels.json")
        call("bsm-msl", str(path), *options, "-o", self.ir)
        call("bsm-msl", str(path), *options, "--reflection", "-o", self.reflection)

    def run(
        self,
        kernel: str,
        *arguments,
        threads,
        group,
        threadgroup_memory=None,
        program="bsm-interp",
        options=(),
    ):
        """Argument i is buffer i: an array, which is updated in place, a
        Tensor, or None for a gap."""
        command = [self.ir, "--reflection", self.reflection, "--kernel", kernel]
        command += ["--threads", size(threads), "--group", size(group), *options]
        for index, count in (threadgroup_memory or {}).items():
            command += ["--threadgroup-memory", f"{index}={count}"]
        outputs = {}
        with tempfile.TemporaryDirectory() as folder:
            for i, argument in enumerate(arguments):
                if argument is None:
                    continue
                array = argument.array if isinstance(argument, Tensor) else argument
                name = os.path.join(folder, str(i))
                array.tofile(name)
                if isinstance(argument, Tensor):
                    shape = "x".join(map(str, array.shape))
                    command += ["--tensor", f"{i}={shape}:{name}"]
                else:
                    command += ["--buffer", f"{i}={name}"]
                command += ["--output", f"{i}={name}"]
                outputs[name] = array
            call(program, *command)
            for name, array in outputs.items():
                array[...] = np.fromfile(name, array.dtype).reshape(array.shape)


@functools.cache
def source(name: str, *options: str) -> Source:
    """tests/kernels/NAME.metal."""
    return Source(KERNELS / f"{name}.metal", *options)


def from_text(text: str, folder: Path, *options: str) -> Source:
    path = folder / "kernel.metal"
    path.write_text(text)
    return Source(path, *options)
