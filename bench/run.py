"""Paired timings: ours against native peers, interleaved in one process.

./dev bench [SUITE] [--json FILE] [--repeats N] [--threads N...]

Results are compared before anything is timed. A ratio is ours / peer of the
same round (lower is better); the table shows its median, and the spread is half
the distance between its quartiles. On one thread times are processor time,
which other work on the machine disturbs less; on several, time of the clock.
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


def time_once(call, clock) -> float:
    start = clock()
    call()
    return clock() - start


def quartile_spread(values: list[float]) -> float:
    lower, _, upper = statistics.quantiles(values, n=4)
    return (upper - lower) / 2


def measure(case, peers, threads: int, repeats: int) -> dict:
    """Checks one case, then times it and its peer in turns."""
    device = bessemer.device("cpu", threads=threads)
    peers.use_threads(ctypes.c_size_t(threads))
    clock = time.process_time if threads == 1 else time.perf_counter
    library = bessemer.compile(KERNELS / case.file, device=device)
    ours, peer, results = case.prepare(library[case.kernel], peers)
    ours()
    peer()
    case.check(*results)
    pairs = [(time_once(ours, clock), time_once(peer, clock)) for _ in range(repeats)]
    ratios = [o / p for o, p in pairs]
    return {
        "suite": "kernels",
        "case": case.name,
        "threads": threads,
        "ours_ms": statistics.median(o for o, _ in pairs) * 1e3,
        "peer": "native",
        "peer_ms": statistics.median(p for _, p in pairs) * 1e3,
        "ratio": statistics.median(ratios),
        "spread": quartile_spread(ratios),
        "limit": case.limit,
        "repeats": repeats,
    }


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


HEADING = (
    f"{'case':28}{'ours ms':>10}{'native ms':>11}{'ratio':>8}{'spread':>8}{'limit':>8}"
)


def line(row: dict) -> str:
    return (
        f"{row['case']:28}{row['ours_ms']:10.2f}{row['peer_ms']:11.2f}"
        f"{row['ratio']:8.2f}{row['spread']:8.2f}{row['limit']:8.2f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", nargs="?", default="kernels", choices=["kernels"])
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--case", help="only cases whose name contains this")
    options = parser.parse_args()

    peers = ctypes.CDLL(str(options.peers))
    results = []
    for threads in options.threads:
        print(f"{threads} thread{'s' if threads > 1 else ''}")
        print(HEADING)
        rows = []
        for case in CASES:
            if options.case and options.case not in case.name:
                continue
            rows.append(measure(case, peers, threads, options.repeats))
            print(line(rows[-1]), flush=True)
        mean = float(np.exp(np.mean([np.log(row["ratio"]) for row in rows])))
        print(f"geometric mean of the ratios: {mean:.2f}")
        results += rows
    if options.json:
        machine = {"processor": processor(), "cores": os.cpu_count()}
        options.json.write_text(
            json.dumps({"machine": machine, "results": results}, indent=1)
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
