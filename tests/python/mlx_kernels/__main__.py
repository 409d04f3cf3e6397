"""python -m mlx_kernels FOLDER [--only FAMILY] [--json FILE]"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from . import FAMILIES
from .runner import Outcome, Source, run

SEED = 20240611


def outcomes(folder: Path, name: str) -> list[Outcome]:
    """Runs a family, and says at once what is not right."""
    family = FAMILIES[name]
    source = Source(folder, family)
    found = []
    # Overflows and the like are what some cases are about.
    with np.errstate(all="ignore"):
        for case in family.cases(np.random.default_rng(SEED)):
            outcome = run(source, case)
            found.append(outcome)
            if outcome.status != "right":
                where = f"{name}: {case.kernel} {case.label}".rstrip()
                print(f"{where}: {outcome.status}: {outcome.reason}", flush=True)
    return found


def summary(results: list[Outcome]) -> dict:
    """Counts of cases and of kinds; a kind is right if all of its cases are."""
    kinds = {outcome.case.kind for outcome in results}
    wrong = {o.case.kind for o in results if o.status != "right"}
    ran = {o.case.kind for o in results if o.status != "refused"}
    status = Counter(outcome.status for outcome in results)
    return {
        "kinds": len(kinds),
        "kinds run": len(ran),
        "kinds right": len(kinds - wrong),
        "cases": len(results),
        "right": status["right"],
        "wrong": status["wrong"],
        "refused": status["refused"],
    }


def report(results: dict[str, list[Outcome]]) -> dict:
    rows = {name: summary(found) for name, found in results.items()}
    everything = [outcome for found in results.values() for outcome in found]
    total = summary(everything)
    for key in ("kinds", "kinds run", "kinds right"):
        total[key] = sum(row[key] for row in rows.values())
    rows["total"] = total
    failures = [
        {"family": name, "kind": o.case.kind, "kernel": o.case.kernel,
         "case": o.case.label, "status": o.status, "reason": o.reason}
        for name, found in results.items() for o in found if o.status != "right"
    ]  # fmt: skip
    return {"seed": SEED, "families": rows, "failures": failures}


def show(found: dict) -> None:
    columns = list(found["families"]["total"])
    print(f"{'family':24s}" + "".join(f"{column:>13s}" for column in columns))
    for name, row in found["families"].items():
        print(f"{name:24s}" + "".join(f"{row[column]:13d}" for column in columns))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", action="append", choices=FAMILIES)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    results = {}
    for name in options.only or FAMILIES:
        results[name] = outcomes(options.folder, name)
    found = report(results)
    show(found)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    return 1 if found["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
