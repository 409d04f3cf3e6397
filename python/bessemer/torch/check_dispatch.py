"""python -m bessemer.torch.check_dispatch native_functions.yaml [OPERATOR ...]

Which overloads of an operator reach MPS, and how, by PyTorch's native_functions.yaml:
the layer of a migration where one overload is easily left behind.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_COMPOSITE = re.compile(r"Composite\w+")


@dataclass
class Overload:
    """An entry of the file: `erfinv.out`."""

    name: str
    line: int
    delegate: str = ""  # structured_delegate
    has_dispatch: bool = False
    dispatch: dict[str, str] = field(default_factory=dict)  # By key.
    # The keys that stand on the line of the entry for MPS.
    shared: tuple[str, ...] = ()

    @property
    def operator(self) -> str:
        """`erfinv` for erfinv, erfinv_ and erfinv.out."""
        word = self.name.partition(".")[0]
        return word if word.startswith("__") else word.removesuffix("_")


@dataclass
class Finding:
    overload: Overload
    state: str  # "shared", "own", "composite", "missing", "legacy"
    how: str

    @property
    def ok(self) -> bool:
        return self.state not in ("missing", "legacy")

    def __str__(self) -> str:
        mark = "ok" if self.ok else self.state.upper()
        return f"{self.overload.name:40} {mark:8} {self.how}"


def read(text: str) -> dict[str, Overload]:
    """The entries by name. The file's own form, of one key a line, not all of YAML."""
    overloads: dict[str, Overload] = {}
    current, in_dispatch = None, False
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition(" #")[0].rstrip()
        if line.startswith("- func:"):
            name, bracket, _ = line.removeprefix("- func:").partition("(")
            name, current, in_dispatch = name.strip(), None, False
            if name and bracket:
                current = overloads[name] = Overload(name, number)
        elif current is None or not line.strip() or line.startswith("#"):
            continue
        elif in_dispatch and line.startswith("    "):
            _add_entry(current, line)
        else:
            key, _, value = line.strip().partition(":")
            in_dispatch = key == "dispatch"
            current.has_dispatch |= in_dispatch
            if key == "structured_delegate":
                current.delegate = value.strip()
    return overloads


def _add_entry(overload: Overload, line: str) -> None:
    keys, _, function = line.partition(":")
    names = tuple(key.strip() for key in keys.split(","))
    overload.dispatch |= dict.fromkeys(names, function.strip())
    if "MPS" in names:
        overload.shared = tuple(name for name in names if name != "MPS")


def check(overloads: dict[str, Overload], operator: str) -> list[Finding]:
    """One finding for each overload of the operator."""
    own = [o for o in overloads.values() if o.operator == operator]
    findings = [_reach(overloads, overload) for overload in own]
    if any(finding.state == "shared" for finding in findings):
        # Beside one that the new kernels serve, an entry of MPS's own is suspicious.
        for finding in findings:
            if finding.state == "own":
                finding.state = "legacy"
                finding.how += ", while other overloads share the entry of the CPU"
    return findings


def _reach(overloads: dict[str, Overload], overload: Overload) -> Finding:
    target = overloads.get(overload.delegate, overload)
    through = f"through {target.name}, " if target is not overload else ""
    function = target.dispatch.get("MPS")
    if function and target.shared:
        others = ", ".join(target.shared)
        return Finding(overload, "shared", f"{through}{function}, shared with {others}")
    if function:
        return Finding(overload, "own", f"{through}{function}, of MPS alone")
    if not target.has_dispatch:
        return Finding(overload, "composite", f"{through}made of other operators")
    for key, function in target.dispatch.items():
        if _COMPOSITE.fullmatch(key):
            return Finding(overload, "composite", f"{through}{function} ({key})")
    keys = ", ".join(target.dispatch)
    return Finding(
        overload, "missing", f"{through}no entry for MPS (line {target.line}: {keys})"
    )


def _findings(overloads: dict[str, Overload], names: list[str]) -> Iterator[Finding]:
    known = {overload.operator for overload in overloads.values()}
    for name in names or sorted(known):
        if name not in known:
            raise LookupError(f"the file has no operator {name!r}")
        yield from check(overloads, name)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bessemer.torch.check_dispatch",
        description="Lists how the overloads of operators reach MPS; without names, "
        "the overloads of all operators that do not, or by an older way than others.",
    )
    parser.add_argument("file", type=Path, help="native_functions.yaml")
    parser.add_argument("operator", nargs="*")
    options = parser.parse_args()
    try:
        overloads = read(options.file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        print(f"error: {options.file}: {error}", file=sys.stderr)
        return 2
    if not overloads:
        print(
            f"error: {options.file} has no '- func: NAME(...)' entries", file=sys.stderr
        )
        return 2
    try:
        findings = list(_findings(overloads, options.operator))
    except LookupError as error:
        print(f"error: {options.file}: {error.args[0]}", file=sys.stderr)
        return 2
    for finding in findings:
        if options.operator or not finding.ok:
            print(finding)
    return int(not all(finding.ok for finding in findings))


if __name__ == "__main__":
    sys.exit(main())
