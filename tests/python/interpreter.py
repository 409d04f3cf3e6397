"""Runs Metal source through the front end and the reference interpreter.

Uses the test drivers bsm-msl and bsm-interp of the build folder
(BESSEMER_BUILD, else build/ of the checkout). With BESSEMER_COMPARE=1 every run
is also compiled and must give the interpreter's result.
"""

import copy
import functools
import itertools
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("BESSEMER_BUILD", ROOT / "build")) / "bin"
KERNELS = ROOT / "tests" / "kernels"
case_numbers = itertools.count()


class KernelError(RuntimeError):
    """A compilation or a run failed; the message is the tool's."""


class Tensor:
    """Marks an array that is bound as a tensor, not as a plain buffer."""

    def __init__(self, array: np.ndarray):
        self.array = array


def call(program: str, *arguments: str) -> str:
    try:
        result = subprocess.run(
            [BIN / program, *arguments],
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )
    except subprocess.TimeoutExpired as error:
        raise KernelError(f"{program}: hangs for {error.timeout:.0f} s") from error
    if result.returncode != 0:
        text = result.stdout + result.stderr
        raise KernelError(f"{program}: exit {result.returncode}\n{text}")
    return result.stdout


def float_buffers(arguments) -> dict[int, int]:
    """Tolerance of compiled math functions, by buffer."""
    floats = (np.float32, np.float16)
    return {
        index: 8
        for index, argument in enumerate(arguments)
        if isinstance(argument, np.ndarray) and argument.dtype in floats
    }


def size(value) -> str:
    return ",".join(map(str, value if isinstance(value, tuple) else (value,)))


def export_case(source, kernel: str, before, after, launch) -> None:
    """Adds a run to the cases for GPU machines."""
    import cuda_cases

    number = next(case_numbers)
    cuda_cases.export(
        os.environ["BESSEMER_CUDA_CASES"],
        f"{source.name}-{kernel}-{number}",
        source,
        kernel,
        before,
        after,
        "--math=safe" in source.options and "fast" not in kernel,
        **launch,
    )


class Source:
    """Compiled Metal source."""

    def __init__(self, path: Path, *options: str):
        self.name = path.stem
        self.options = options
        self.folder = tempfile.TemporaryDirectory()
        self.ir = os.path.join(self.folder.name, "kernels.ll")
        self.reflection = os.path.join(self.folder.name, "kernels.json")
        call("bsm-msl", str(path), *options, "-o", self.ir)
        call("bsm-msl", str(path), *options, "--reflection", "-o", self.reflection)

    def run(self, kernel: str, *arguments, **launch):
        """Argument i is buffer i: an array, which is updated in place, a
        Tensor, or None for a gap. `launch`: see `command`."""
        if os.environ.get("BESSEMER_COMPARE") == "1":
            self.compare(kernel, *arguments, ulps=float_buffers(arguments), **launch)
        before = copy.deepcopy(arguments)
        with tempfile.TemporaryDirectory() as folder:
            command, outputs = self.command(folder, kernel, arguments, **launch)
            for index, name in outputs:
                command += ["--output", f"{index}={name}"]
            call("bsm-interp", *command)
            for index, name in outputs:
                argument = arguments[index]
                array = argument.array if isinstance(argument, Tensor) else argument
                array[...] = np.fromfile(name, array.dtype).reshape(array.shape)
        if "BESSEMER_CUDA_CASES" in os.environ:
            export_case(self, kernel, before, arguments, launch)

    def compare(self, kernel: str, *arguments, ulps=None, configurations=(), **launch):
        """Compiled code against the interpreter, bit for bit; `ulps` maps the
        index of a float buffer to what its floats may differ by, and
        `configurations` are those of bsm-compare (default: all)."""
        with tempfile.TemporaryDirectory() as folder:
            command, _ = self.command(folder, kernel, arguments, **launch)
            for index, count in (ulps or {}).items():
                kind = arguments[index].dtype
                name = {"float32": "f32", "float16": "f16"}[kind.name]
                command += ["--ulps", f"{index}={name}:{count}"]
            for number in configurations:
                command += ["--configuration", str(number)]
            call("bsm-compare", *command)

    def command(
        self, folder, kernel, arguments, *, threads, group, threadgroup_memory=None
    ):
        """Options of the tools, and (index, file) of every bound array."""
        command = [self.ir, "--reflection", self.reflection, "--kernel", kernel]
        command += ["--threads", size(threads), "--group", size(group)]
        for index, count in (threadgroup_memory or {}).items():
            command += ["--threadgroup-memory", f"{index}={count}"]
        files = []
        for index, argument in enumerate(arguments):
            if argument is None:
                continue
            array = argument.array if isinstance(argument, Tensor) else argument
            name = os.path.join(folder, str(index))
            array.tofile(name)
            files.append((index, name))
            if isinstance(argument, Tensor):
                shape = "x".join(map(str, array.shape))
                command += ["--tensor", f"{index}={shape}:{name}"]
            else:
                command += ["--buffer", f"{index}={name}"]
        return command, files


@functools.cache
def source(name: str, *options: str) -> Source:
    """tests/kernels/NAME.metal."""
    return Source(KERNELS / f"{name}.metal", *options)


def from_text(text: str, folder: Path, *options: str) -> Source:
    path = folder / "kernel.metal"
    path.write_text(text)
    return Source(path, *options)
