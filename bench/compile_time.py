"""Compile times: from source to machine code, in milliseconds of processor time.

./dev bench compile [--json FILE]

Nothing is taken from the caches but where a row says so.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bessemer

KERNELS = Path(__file__).resolve().parent / "kernels"
TRIVIAL = """#include <metal_stdlib>
using namespace metal;
kernel void twice(device float *x, uint i [[thread_position_in_grid]]) {
  x[i] = 2 * x[i] + %d;
}
"""
# Compiles and runs the kernel of argv[1] in a process that did nothing before.
FIRST = """
import sys, time, numpy as np, bessemer
start = time.process_time()
bessemer.compile(sys.argv[1])["twice"](np.zeros(64, np.float32), threads=64)
print((time.process_time() - start) * 1e3)
"""
INSTANCES = 5000


def timed(work) -> float:
    """Milliseconds of processor time, all threads together."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e3


def first_in_process(folder: str, source: str) -> float:
    run = subprocess.run(
        [sys.executable, "-c", FIRST, source],
        env={**os.environ, "XDG_CACHE_HOME": folder},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return float(run.stdout)


def processes() -> list[dict]:
    """The first compilation of a process, with empty and with filled caches."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            {"case": "first ever (headers are parsed)", "source": TRIVIAL % 0},
            {"case": "first in a process", "source": TRIVIAL % 1},
            {"case": "first in a process, kernel cached", "source": TRIVIAL % 1},
        ]
        for row in rows:
            row["ms"] = first_in_process(folder, row.pop("source"))
    return rows


def runnable(source, kernel: str, group) -> None:
    """What a dispatch of complete groups needs."""
    library = bessemer.compile(source)
    library.emit(kernel, "object", group_size=group, complete_groups=True)


def trivial(repeats: int) -> dict:
    runnable(TRIVIAL % 0, "twice", (256, 1, 1))
    times = [
        timed(lambda n=n: runnable(TRIVIAL % n, "twice", (256, 1, 1)))
        for n in range(1, repeats + 1)
    ]
    return {"case": "trivial kernel", "ms": statistics.median(times)}


def bench_kernels(repeats: int) -> list[dict]:
    rows = []
    for path in sorted(KERNELS.glob("*.metal")):
        text = path.read_text()
        for kernel in bessemer.compile(text).kernels:

            def work(text=text, kernel=kernel):
                runnable(text, kernel, (256, 1, 1))

            times = [timed(work) for _ in range(repeats)]
            rows.append({"case": kernel, "ms": statistics.median(times)})
    return rows


def listing() -> dict:
    """A file that exports thousands of instances of a template."""
    lines = [
        "#include <metal_stdlib>",
        "using namespace metal;",
        "template <typename T, int N> kernel void add(device T *x, "
        "uint i [[thread_position_in_grid]]) { x[i] += T(N); }",
    ]
    for n in range(INSTANCES):
        of = ("float", "half", "int", "uchar")[n % 4]
        lines.append(
            f'template [[host_name("add_{n}")]] kernel void '
            f"add<{of}, {n}>(device {of} *, uint);"
        )
    source = "\n".join(lines)

    def work():
        assert len(bessemer.compile(source).kernels) == INSTANCES

    return {"case": f"listing a file of {INSTANCES} kernels", "ms": timed(work)}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    return parser.parse_args()


def main() -> int:
    options = parse_arguments()
    rows = [*processes(), trivial(options.repeats), listing()]
    rows += bench_kernels(options.repeats)
    for row in rows:
        print(f"{row['case']:40}{row['ms']:10.1f} ms")
    if options.json:
        options.json.write_text(
            json.dumps({"suite": "compile", "results": rows}, indent=1)
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
