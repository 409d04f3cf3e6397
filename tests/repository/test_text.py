"""Rules for the text of the repository: file length, no machine's paths."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = {".cpp", ".h", ".py", ".metal"}
MAX_LINES = 500
MACHINE_PATH = re.compile(r"(?<![\w.])/(work|root|home)/\w")


def tracked() -> list[Path]:
    output = subprocess.run(
        ["git", "ls-files"], check=True, cwd=ROOT, capture_output=True, text=True
    )
    return [ROOT / line for line in output.stdout.splitlines()]


def test_files_are_short():
    long = {
        str(path.relative_to(ROOT)): lines
        for path in tracked()
        if path.suffix in CODE and (lines := path.read_text().count("\n")) > MAX_LINES
    }
    assert not long, f"longer than {MAX_LINES} lines: {long}"


def test_no_paths_of_one_machine():
    found = []
    for path in tracked():
        if path == Path(__file__):
            continue
        text = path.read_text(errors="ignore")
        found += [f"{path.name}: {m.group(0)}" for m in MACHINE_PATH.finditer(text)]
    assert not found, found
