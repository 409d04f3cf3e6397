"""Runs a random kernel compiled and interpreted; campaigns over many.

    python -m kernels.check FIRST LAST [--shrink FOLDER]

prints a line for every seed that fails; with --shrink a smaller kernel that
still does is written to FOLDER.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
import tempfile
from pathlib import Path

import interpreter
import numpy as np

from kernels.generate import PROLOGUE, generate
from kernels.shared import ARGUMENT_INTS
from kernels.syntax import shrink

# (threads, group): rows, planes and boxes, complete and with partial groups.
SHAPES = [
    ((150,), (64,)),
    ((100,), (100,)),
    ((64,), (32,)),
    ((96,), (40,)),
    ((300,), (256,)),
    ((7,), (1,)),
    ((13, 5), (4, 3)),
    ((32, 6), (16, 4)),
    ((5, 4, 3), (3, 3, 2)),
    ((8, 8, 4), (8, 2, 4)),
    ((1100,), (1024,)),
    ((6, 5, 4), (4, 4, 4)),
    ((3, 40, 2), (1, 33, 1)),
    ((2, 2, 70), (1, 1, 64)),
]
CONFIGURATIONS = 5
BATCH = 16
MATH_MODES = ["--math=safe"]


def shape_of(seed: int):
    return SHAPES[seed % len(SHAPES)]


def launch_of(seed: int):
    threads, group = shape_of(seed)
    return {
        "threads": threads,
        "group": group,
        "threadgroup_memory": {0: 4 * ARGUMENT_INTS},
    }


def arguments(seed: int, total: int):
    rng = np.random.default_rng(seed)
    uniforms = np.array([5 + seed % 3, seed % 2, 0], np.int32)
    uniforms[2:].view(np.float32)[0] = 2.5
    counters = rng.integers(0, 1 << 32, 42).astype(np.uint32)
    counters[40] = 0  # a lock
    return [
        rng.integers(-200, 200, total).astype(np.int32),
        (rng.standard_normal(total) * 10).astype(np.float32),
        uniforms,
        np.zeros(total, np.uint64),
        np.zeros(8 * total, np.float32),
        counters,
        np.zeros(16, np.int32),
        np.zeros(8, np.float32),
        np.zeros(8 * total, np.uint8),
        rng.integers(0, 60, 32 * total).astype(np.uint8),
    ]


def compare_kernel(source, kernel: str, seed: int, configurations) -> None:
    """Raises interpreter.KernelError where the two differ."""
    launch = launch_of(seed)
    source.compare(
        kernel,
        *arguments(seed, int(np.prod(launch["threads"]))),
        ulps={4: 0},
        configurations=configurations,
        **launch,
    )


def compare(text: str, seed: int, configurations=()) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = interpreter.from_text(text, Path(folder), *MATH_MODES)
        compare_kernel(source, "fuzz", seed, configurations)


def two_configurations(seed: int):
    """The body for any shape, and one of the specialised ones."""
    return [0, random.Random(seed).randrange(1, CONFIGURATIONS)]


def problem(text: str, seed: int, configurations) -> str:
    try:
        compare(text, seed, configurations)
    except interpreter.KernelError as error:
        return str(error)
    return ""


def joined(seeds) -> str:
    """The kernels of all seeds in one source; that of seed 7 is `fuzz_7`."""
    texts = [PROLOGUE]
    for seed in seeds:
        text = generate(seed).text().removeprefix(PROLOGUE)
        texts.append(re.sub(r"\b(fuzz|helper\d+)\b", rf"\1_{seed}", text))
    return "".join(texts)


def problems(seeds):
    """(seed, configurations, message) of those that fail. One run of the front
    end for all, unless it refuses one."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            source = interpreter.from_text(joined(seeds), Path(folder), *MATH_MODES)
        except interpreter.KernelError:
            source = None
        for seed in seeds:
            configurations = two_configurations(seed)
            try:
                if source:
                    compare_kernel(source, f"fuzz_{seed}", seed, configurations)
                else:
                    compare(generate(seed).text(), seed, configurations)
            except interpreter.KernelError as error:
                yield seed, configurations, str(error)


def kind_of(message: str) -> str:
    """What makes two failures the same, for shrinking."""
    if "bsm-msl" in message or "error: kernel" in message:
        return ""
    for word in ("differs", "fails with", "exit -", "hangs"):
        if word in message:
            return word
    return message[:40]


def shrink_failure(seed: int, configurations, message: str, attempts: int) -> str:
    wanted = kind_of(message)

    def fails(text: str) -> bool:
        return kind_of(problem(text, seed, configurations)) == wanted

    return shrink(generate(seed), fails, attempts).text()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--shrink", type=Path)
    parser.add_argument("--attempts", type=int, default=300)
    options = parser.parse_args()
    failures = 0
    seeds = range(options.first, options.last)
    batches = (seeds[at : at + BATCH] for at in range(0, len(seeds), BATCH))
    found = itertools.chain.from_iterable(map(problems, batches))
    for seed, configurations, message in found:
        failures += 1
        print(f"seed {seed} {configurations}: {message[:600]}", flush=True)
        if options.shrink and kind_of(message):
            text = shrink_failure(seed, configurations, message, options.attempts)
            (options.shrink / f"{seed}.metal").write_text(text)
    print(f"{len(seeds)} kernels, {failures} failures")
    raise SystemExit(failures > 0)


if __name__ == "__main__":
    main()
