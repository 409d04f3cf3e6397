"""Compile times of the kernels of published files, in milliseconds of processor time.

./dev bench collection FOLDER [--include FOLDER] [--kernels N] [--only NAME] [--json FILE]

Of every .metal file below FOLDER: listing its kernels, then the machine code of up to
N of them, evenly spread over the file, with zeros for function constants. Nothing is
taken from a cache. Of slow kernels also where the time goes: reading (Metal to kernel
IR), vectors (kernel IR to LLVM IR of all lanes) or machine (code generation by LLVM).
"""

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

import bessemer

SLOW = 400  # Milliseconds from which stages are told apart.
GROUP = 256  # Threads, where the kernel allows as many.


def timed(work) -> float:
    """Milliseconds of processor time, all threads together."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e3


def spread(names: list[str], count: int) -> list[str]:
    """`count` of the names, from the first to the last."""
    if not count or count >= len(names):
        return names
    return [names[i * len(names) // count] for i in range(count)]


def listing(path: Path, include: list[Path], math: str) -> bessemer.Library:
    """The library, with zeros for the function constants that it declares."""
    library = bessemer.compile(path, include_dirs=include, math=math)
    constants = {c.name: 0 for c in library._library.function_constants}
    if not constants:
        return library
    return bessemer.compile(
        path, include_dirs=include, math=math, function_constants=constants
    )


def kernel_row(library, name: str, general: bool) -> dict:
    info = library._infos[name]
    options = {
        "group_size": (min(GROUP, info.max_threads_per_threadgroup), 1, 1),
        "complete_groups": not general,
    }
    row = {"kernel": name}

    def make(form: str) -> float:
        return timed(lambda: row.update(bytes=len(library.emit(name, form, **options))))

    row["ms"] = make("object")
    if row["ms"] >= SLOW:
        vectors, again = make("llvm"), make("object")
        row["stages"] = {
            "reading": max(0.0, row["ms"] - again),
            "vectors": vectors,
            "machine": again - vectors,
        }
    return row


def file_rows(path: Path, options) -> list[dict]:
    """The listing and the kernels of one file; errors are rows as well."""
    start = time.process_time()
    try:
        library = listing(path, options.include, options.math)
    except RuntimeError as error:
        return [{"file": path.name, "error": str(error)}]
    listed = (time.process_time() - start) * 1e3
    rows = [{"file": path.name, "kernels": len(library), "ms": listed}]
    names = [name for name in library.kernels if options.only in name]
    for name in spread(names, options.kernels):
        try:
            row = kernel_row(library, name, options.general)
        except RuntimeError as error:
            row = {"kernel": name, "error": str(error)}
        rows.append({"file": path.name, **row})
        if options.only:
            print(describe(rows[-1]), flush=True)
    return rows


def describe(row: dict) -> str:
    text = f"{row.get('ms', 0):8.0f}  {row['file']}  {row['kernel']}"
    stages = row.get("stages", {})
    return text + "".join(f"  {stage} {ms:.0f}" for stage, ms in stages.items())


def quantile(times: list[float], part: float) -> float:
    return sorted(times)[int(part * (len(times) - 1))]


def distribution(rows: list[dict]) -> dict:
    times = [row["ms"] for row in rows if "kernel" in row and "error" not in row]
    if not times:
        return {"kernels": 0}
    return {
        "kernels": len(times),
        "median": statistics.median(times),
        "90 %": quantile(times, 0.9),
        "99 %": quantile(times, 0.99),
        "most": max(times),
    }


def summary(rows: list[dict], slowest: int) -> None:
    files = [row for row in rows if "kernel" not in row]
    listed = [row for row in files if "error" not in row]
    kernels = [row for row in rows if "kernel" in row and "error" not in row]
    print(f"files: {len(listed)} of {len(files)}, "
          f"{sum(row['kernels'] for row in listed)} kernels exported")  # fmt: skip
    print("ms a kernel: " + ", ".join(f"{key} {value:.0f}" for key, value in
                                      distribution(rows).items()))  # fmt: skip
    for row in sorted(kernels, key=lambda row: -row["ms"])[:slowest]:
        print(describe(row))
    for row in rows:
        if "error" in row:
            first = row["error"].strip().splitlines()[0]
            print(f"{row['file']} {row.get('kernel', '')}: {first}")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--include", type=Path, action="append", default=[])
    parser.add_argument("--kernels", type=int, default=12, help="of a file; 0: all")
    parser.add_argument("--file", default="*", help="a pattern of file names")
    parser.add_argument("--only", default="", help="what kernels' names contain")
    parser.add_argument("--math", default="relaxed", choices=("relaxed", "safe"))
    parser.add_argument("--general", action="store_true",
                        help="code for grids that cut groups as well")  # fmt: skip
    parser.add_argument("--slowest", type=int, default=20, help="kernels to show")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def main() -> int:
    options = parse_arguments()
    rows = []
    for path in sorted(options.folder.rglob(f"{options.file}.metal")):
        found = file_rows(path, options)
        rows += found
        times = [row["ms"] for row in found[1:] if "error" not in row]
        of = f", kernels {sum(times):.0f}, most {max(times):.0f}" if times else ""
        print(f"{path.name:32} read {found[0].get('ms', 0):6.0f}{of}", flush=True)
        if options.json:  # Of what there is, should the rest take too long.
            report = {"suite": "collection", **distribution(rows), "results": rows}
            options.json.write_text(json.dumps(report, indent=1))
    summary(rows, options.slowest)
    return 0


if __name__ == "__main__":
    sys.exit(main())
