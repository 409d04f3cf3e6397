"""Which lines of lib/codegen run: a command's, or a whole campaign's.

    cmake --preset dev -B build-coverage -DBESSEMER_COVERAGE=ON
    ninja -C build-coverage
    python tests/coverage.py --build build-coverage run COMMAND...
    python tests/coverage.py --build build-coverage report [--missed FILE]

`run` may be called any number of times: counts add up in the build folder.
`report` prints a line for every source file and the share of all; --missed
writes the source lines that never ran.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "lib" / "codegen"
LLVM = Path(os.environ.get("BESSEMER_LLVM_BIN", "/usr/lib/llvm-22/bin"))


def run(build: Path, command: list[str]) -> int:
    # A pool of files a program: processes that run side by side share them.
    profiles = build / "coverage" / "%4m.profraw"
    environment = {**os.environ, "LLVM_PROFILE_FILE": str(profiles)}
    return subprocess.run(command, check=False, env=environment).returncode


def instrumented(build: Path) -> list[Path]:
    """The programs and libraries that code generation is linked into."""
    files = [p for p in (build / "bin").iterdir() if os.access(p, os.X_OK)]
    files += (build / "lib").glob("*.so")
    return [p for p in files if b"__llvm_covmap" in p.read_bytes()]


def export(build: Path) -> dict:
    folder = build / "coverage"
    raw = sorted(folder.glob("*.profraw"))
    if not raw:
        sys.exit(f"no profile in {folder}: first `run` something")
    merged = folder / "merged.profdata"
    subprocess.run([LLVM / "llvm-profdata", "merge", "-o", merged, *raw], check=True)
    first, *others = instrumented(build)
    objects = [f"--object={path}" for path in others]
    command = [LLVM / "llvm-cov", "export", f"--instr-profile={merged}", first]
    output = subprocess.run(
        [*command, *objects, "--format=text", SOURCES],
        check=True, capture_output=True,
    ).stdout  # fmt: skip
    return json.loads(output)["data"][0]


def missed_lines(file: dict) -> list[int]:
    """Lines whose segments were all counted zero."""
    missed, segments = [], file["segments"]
    for (line, _, count, counted, *_), following in zip(
        segments, segments[1:], strict=False
    ):
        if counted and count == 0:
            missed += range(line, following[0] + 1)
    return sorted(set(missed))


def report(build: Path, missed: Path | None) -> None:
    data = export(build)
    rows = sorted(data["files"], key=lambda file: file["filename"])
    for file in rows:
        lines = file["summary"]["lines"]
        name = Path(file["filename"]).relative_to(SOURCES)
        print(
            f"{lines['percent']:6.1f} %  {lines['covered']:5}/{lines['count']:5}  {name}"
        )
    total = data["totals"]["lines"]
    print(f"{total['percent']:6.1f} %  {total['covered']:5}/{total['count']:5}  in all")
    if missed:
        write_missed(rows, missed)


def write_missed(rows: list[dict], path: Path) -> None:
    with path.open("w") as out:
        for file in rows:
            source = Path(file["filename"])
            text = source.read_text().splitlines()
            for line in missed_lines(file):
                print(
                    f"{source.relative_to(SOURCES)}:{line}: {text[line - 1]}", file=out
                )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=Path, required=True)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("run").add_argument("command", nargs=argparse.REMAINDER)
    verbs.add_parser("report").add_argument("--missed", type=Path)
    arguments = parser.parse_args()
    if arguments.verb == "run":
        return run(arguments.build.resolve(), arguments.command)
    report(arguments.build.resolve(), arguments.missed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
