"""Runs every test runner and prints one closing line of counts.

python tests/run.py --build BUILD [SELECTION...]

SELECTION: unit, lit, python, repository, or a path below tests/. Each runner
writes JUnit XML into BUILD/results; the counts are read from there, and a
runner that fails without a failed test counts as one failure.
"""

import argparse
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

TESTS = Path(__file__).resolve().parent
AREAS = ("repository", "unit", "lit", "python")


def counts(report: Path) -> tuple[int, int, int]:
    """Passed, failed and skipped test cases of one JUnit file."""
    passed = failed = skipped = 0
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def run(name: str, command: list[str], report: Path) -> tuple[int, int, int]:
    """Runs one runner; its own output stays visible."""
    print(f"== {name}", flush=True)
    report.unlink(missing_ok=True)
    status = subprocess.run(command, check=False).returncode
    if not report.exists():
        print(f"{name}: exit status {status} and no report", flush=True)
        return 0, 1, 0
    result = counts(report)
    if status != 0 and result[1] == 0:
        print(f"{name}: exit status {status} without a failed test", flush=True)
        result = (result[0], 1, result[2])
    return result


def runners(build: Path, area: str, target: Path | None):
    """(name, command, report) of every runner of an area."""
    results = build / "results"
    where = str(target) if target else str(TESTS / area)
    if area == "unit":
        for program in sorted((build / "bin").glob("*_tests")):
            report = results / f"{program.name}.xml"
            yield (
                program.name,
                [str(program), "--gtest_brief=1", f"--gtest_output=xml:{report}"],
                report,
            )
    elif area == "lit":
        report = results / "lit.xml"
        command = ["lit", "-q", "--timeout=300", f"--xunit-xml-output={report}"]
        yield "lit", [*command, f"--param=build={build}", where], report
    else:
        report = results / f"{area}.xml"
        command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}"]
        yield area, [*command, "-p", "no:cacheprovider", where], report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("selection", nargs="*")
    options = parser.parse_args()
    build = options.build.resolve()
    (build / "results").mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("BESSEMER_CACHE", str(build / "test-cache"))

    chosen = []
    for word in options.selection or AREAS:
        if word in AREAS:
            chosen.append((word, None))
            continue
        path = Path(word).resolve()
        area = path.relative_to(TESTS).parts[0]
        chosen.append((area, path))

    total = [0, 0, 0]
    for area, target in chosen:
        for name, command, report in runners(build, area, target):
            for i, count in enumerate(run(name, command, report)):
                total[i] += count
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main())
