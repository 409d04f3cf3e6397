"""Exports dispatches with the interpreter's results, to run on a GPU machine.

    python cuda_cases.py FOLDER [FIRST:LAST]     bench kernels and random ones

With BESSEMER_CUDA_CASES=FOLDER every Source.run of the tests is exported too.
FOLDER/cases.txt and FOLDER/cases.bin are what the tool bsm-cuda takes; its
CaseFile.h has the format. BESSEMER_CUDA_ARCHITECTURE: sm_90 unless set.
"""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

BENCH = Path(__file__).resolve().parents[2] / "bench"
numbers = itertools.count()
ARCHITECTURE = os.environ.get("BESSEMER_CUDA_ARCHITECTURE", "sm_90")


def three(value) -> tuple[int, int, int]:
    values = value if isinstance(value, tuple) else (value,)
    return (*values, 1, 1)[:3]


class Writer:
    """Appends cases to the two files of a folder."""

    def __init__(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        self.text = (folder / "cases.txt").open("a")
        self.bytes = (folder / "cases.bin").open("ab")

    def line(self, *words):
        self.text.write(" ".join(map(str, words)) + "\n")

    def blob(self, content: bytes) -> tuple[int, int]:
        offset = self.bytes.tell()
        self.bytes.write(content)
        self.bytes.flush()
        return offset, len(content)

    def kernel(self, name, source, kernel, threads, group, is_bench=False):
        """The head of a case: code and grid. Every fourth one that is not timed
        takes the form for any threadgroup shape."""
        import interpreter

        grid, shape = three(threads), three(group)
        code = interpreter.call(
            "bsm-nvidia", *code_options(source, kernel, grid, shape, is_bench)
        )
        self.line("case", name)
        self.line("reflection", *self.blob(Path(source.reflection).read_bytes()))
        self.line("kernel", kernel)
        self.line("code", *self.blob(code.encode() + b"\0"))
        self.line("grid", *grid)
        self.line("group", *shape)

    def buffers(self, arguments):
        for index, argument in enumerate(arguments):
            if argument is None:
                continue
            array = getattr(argument, "array", argument)
            blob = self.blob(array.tobytes())
            if array is argument:
                self.line("buffer", index, *blob)
            else:
                self.line("tensor", index, *blob, *array.shape)


def code_options(source, kernel, grid, group, is_bench) -> list[str]:
    options = [source.ir, "--reflection", source.reflection, "--kernel", kernel]
    options += ["--architecture", ARCHITECTURE]
    if not is_bench and next(numbers) % 4 == 3:
        return options  # the form for any shape
    options += ["--group", ",".join(map(str, group))]
    if all(size % part == 0 for size, part in zip(grid, group, strict=True)):
        options.append("--complete")
    return options


def tolerance(array, is_safe: bool) -> tuple[float, float]:
    """Relative and absolute; integers are equal."""
    if array.dtype.kind != "f" and array.dtype.name != "bfloat16":
        return 0, 0
    if array.dtype.itemsize == 2:
        return 2e-3, 1e-6
    return (1e-6, 1e-30) if is_safe else (1e-4, 1e-5)


def export(folder, name, source, kernel, before, after, is_safe, **launch):
    """One case: `before` and `after` are the arguments of a run."""
    writer = Writer(Path(folder))
    writer.kernel(name, source, kernel, launch["threads"], launch["group"])
    for index, count in (launch.get("threadgroup_memory") or {}).items():
        writer.line("threadgroup", index, count)
    writer.buffers(before)
    for index, argument in enumerate(after):
        array = getattr(argument, "array", argument)
        old = getattr(before[index], "array", before[index])
        if array is not None and array.tobytes() != old.tobytes():
            blob = writer.blob(array.tobytes())
            writer.line("expect", index, *blob, *tolerance(array, is_safe))


FAULT = """#include <metal_stdlib>
using namespace metal;
kernel void past_the_end(tensor<device float, dextents<int, 1>, tensor_handle> x,
                         uint i [[thread_position_in_grid]],
                         uint l [[thread_index_in_threadgroup]]) {
  threadgroup float tile[64];
  tile[l] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = simd_sum(tile[63 - l]);
}
"""


def export_fault(folder: Path):
    """Some threads of a group end with a fault; the others do not wait."""
    import interpreter

    source = interpreter.from_text(FAULT, folder)
    writer = Writer(folder)
    writer.kernel("fault", source, "past_the_end", 128, 64, is_bench=True)
    writer.buffers([interpreter.Tensor(np.ones(100, np.float32))])
    writer.line("fails", "of tensor 'x' is out of range in dimension 0")


def export_random(folder: Path, seeds: range):
    import interpreter
    from kernels.generate import generate

    from kernels import check

    for seed in seeds:
        source = interpreter.from_text(generate(seed).text(), folder, *check.MATH_MODES)
        source.name = f"random-{seed}"
        launch = check.launch_of(seed)
        total = int(np.prod(launch["threads"]))
        source.run("fuzz", *check.arguments(seed, total), **launch)


# name, file, kernel, grid, group, buffers: (count, scale), None for the result
# or a number; share of outliers (contraction moves the border of the set).
M = 1 << 20
ROWS = 8192
BENCH_CASES = [
    ("vadd_f32_64M", "vadd", "vadd", 64 * M, 256, [(64 * M, 1)] * 3, 0),
    ("silu_f32_64M", "silu", "silu_f32", 64 * M, 256, [(64 * M, 4)] * 3, 0),
    ("silu_f16_64M", "silu", "silu_f16", 64 * M, 256, [(64 * M, 4)] * 3, 1e-3),
    ("softmax_8192", "softmax", "softmax", ROWS * 256, 256,
     [(64 * M, 4), (64 * M, 1), ROWS], 0),
    ("rmsnorm_8192", "rmsnorm", "rmsnorm", ROWS * 256, 256,
     [(64 * M, 1), (ROWS, 1), (64 * M, 1), ROWS], 0),
    ("matmul_naive_2048", "matmul", "matmul_naive", (2048, 2048), (16, 16),
     [(4 * M, 1), (4 * M, 1), (4 * M, 1), 2048], 1e-3),
    ("matmul_tiled_2048", "matmul", "matmul_tiled", (2048, 2048), (16, 16),
     [(4 * M, 1), (4 * M, 1), (4 * M, 1), 2048], 1e-3),
    ("matmul_tiled32_2048", "matmul", "matmul_tiled32", (2048, 2048), (32, 32),
     [(4 * M, 1), (4 * M, 1), (4 * M, 1), 2048], 1e-3),
    ("flash_attention_64x1024x64", "flash_attention", "flash_attention",
     (1024, 64), (64, 1), [(4 * M, 1)] * 4 + [1024], 0),
    ("quantised_matvec_4096", "quantised_matvec", "quantised_matvec", 4096 * 64, 64,
     [(4096 * 512, 1), (4096 * 128, 1), (4096, 1), (4096, 1)], 1e-3),
    ("xor_shuffle_ballot_64M", "simdgroups", "xor_shuffle_ballot", 64 * M, 256,
     [(64 * M, 1)] * 2, 1e-3),
    ("dynamic_loop_64M", "dynamic_loop", "dynamic_loop", 2 * M, 256,
     [(64 * M, 1), (2 * M, 1), (2 * M, 1)], 0),
    ("reduce_64M", "reduce", "reduce", 16384 * 256, 256,
     [(64 * M, 1), (16384, 1)], 1e-3),
    ("mandelbrot_1024", "mandelbrot", "mandelbrot", (1024, 1024), (16, 16),
     [(M, 1)], 1e-2),
]  # fmt: skip


def export_bench(folder: Path):
    """Against nvcc's code for the same algorithms (bench/native/Peers.cu)."""
    import interpreter

    cubin = folder / "peers.cubin"
    subprocess.run(
        ["nvcc", "-O3", "-use_fast_math", f"-arch={ARCHITECTURE}", "-cubin", "-o",
         cubin, BENCH / "native" / "Peers.cu"],
        check=True,
    )  # fmt: skip
    writer = Writer(folder)
    peers = writer.blob(cubin.read_bytes())
    for name, file, kernel, threads, group, buffers, outliers in BENCH_CASES:
        source = interpreter.Source(BENCH / "kernels" / f"{file}.metal")
        writer.kernel(name, source, kernel, threads, group, is_bench=True)
        for index, buffer in enumerate(buffers):
            if isinstance(buffer, tuple):
                writer.line("random", index, *buffer)
            else:
                value = np.uint32(buffer).tobytes()
                writer.line("buffer", index, *writer.blob(value))
        writer.line("outliers", outliers)
        writer.line("peer", *peers, kernel)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["BESSEMER_CUDA_CASES"] = str(folder)
    if len(sys.argv) > 2:
        first, last = map(int, sys.argv[2].split(":"))
        export_random(folder, range(first, last))
    else:
        export_bench(folder)
        export_fault(folder)


if __name__ == "__main__":
    main()
