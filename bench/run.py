"""Paired timings: ours against native peers, interleaved in one process.

./dev bench [SUITE] [--json FILE] [--repeats N]

Results are compared before anything is timed. A ratio is ours / peer of the
same round (lower is better); the table shows its median, and the spread is half
the distance between its quartiles. Times are processor time of the process, as
everything runs on one thread: other work on the machine disturbs it less.
"""

import argparse
import ctypes
import json
import os
import platform
import statistics
import sys
import time
from pathlib import Path

import numpy as np

import bessemer
from cases import CASES

KERNELS = Path(__file__).resolve().parent / "kernels"


def time_once(call) -> float:
    """Processor seconds of one call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def quartile_spread(values: list[float]) -> float:
    lower, _, upper = statistics.quantiles(values, n=4)
    return (upper - lower) / 2


def measure(case, peers, device, repeats: int) -> dict:
    """Checks one case, then times it and its peer in turns."""
    library = bessemer.compile(KERNELS / case.file, device=device)
    ours, peer, results = case.prepare(library[case.kernel], peers)
    ours()
    peer()
    case.check(*results)
    pairs = [(time_once(ours), time_once(peer)) for _ in range(repeats)]
    ratios = [o / p for o, p in pairs]
    return {
        "suite": "kernels",
        "case": case.name,
        "threads": 1,
        "ours_ms": statistics.median(o for o, _ in pairs) * 1e3,
        "peer": "native",
        "peer_ms": statistics.median(p for _, p in pairs) * 1e3,
        "ratio": statistics.median(ratios),
        "spread": quartile_spread(ratios),
        "repeats": repeats,
    }


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", nargs="?", default="kernels", choices=["kernels"])
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--case", help="only cases whose name contains this")
    options = parser.parse_args()

    peers = ctypes.CDLL(str(options.peers))
    device = bessemer.device("cpu", threads=1)
    results = []
    print(f"{'case':24}{'ours ms':>10}{'native ms':>11}{'ratio':>8}{'spread':>8}")
    for case in CASES:
        if options.case and options.case not in case.name:
            continue
        row = measure(case, peers, device, options.repeats)
        results.append(row)
        print(
            f"{row['case']:24}{row['ours_ms']:10.2f}{row['peer_ms']:11.2f}"
            f"{row['ratio']:8.2f}{row['spread']:8.2f}",
            flush=True,
        )
    mean = float(np.exp(np.mean([np.log(row["ratio"]) for row in results])))
    print(f"geometric mean of the ratios: {mean:.2f}")
    if options.json:
        machine = {"processor": processor(), "cores": os.cpu_count()}
        options.json.write_text(
            json.dumps({"machine": machine, "results": results}, indent=1)
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
