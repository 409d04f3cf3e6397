"""Runs a random kernel compiled and interpreted; campaigns over many.

    python -m kernels.check FIRST LAST [--shrink FOLDER]

prints a line for every seed that fails; with --shrink a smaller kernel that
still does is written to FOLDER.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path

import interpreter
import numpy as np

from kernels.generate import generate
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
]
CONFIGURATIONS = 5
MATH_MODES = ["--math=safe"]


def shape_of(seed: int):
    return SHAPES[seed % len(SHAPES)]


def arguments(seed: int, total: int):
    rng = np.random.default_rng(seed)
    uniforms = np.array([5 + seed % 3, seed % 2, 0], np.int32)
    uniforms[2:].view(np.float32)[0] = 2.5
    return [
        rng.integers(-200, 200, total).astype(np.int32),
        (rng.standard_normal(total) * 10).astype(np.float32),
        uniforms,
        np.zeros(total, np.uint64),
        np.zeros(8 * total, np.float32),
        rng.integers(0, 1 << 32, 40).astype(np.uint32),
        np.zeros(16, np.int32),
        np.zeros(8, np.float32),
        np.zeros(8 * total, np.uint8),
        rng.integers(0, 60, 32 * total).astype(np.uint8),
    ]


def compare(text: str, seed: int, configurations=()) -> None:
    """Raises interpreter.KernelError where the two differ."""
    threads, group = shape_of(seed)
    with tempfile.TemporaryDirectory() as folder:
        source = interpreter.from_text(text, Path(folder), *MATH_MODES)
        source.compare(
            "fuzz",
            *arguments(seed, int(np.prod(threads))),
            threads=threads,
            group=group,
            ulps={4: 0},
            configurations=configurations,
        )


def two_configurations(seed: int):
    """The body for any shape, and one of the specialised ones."""
    return [0, random.Random(seed).randrange(1, CONFIGURATIONS)]


def problem(text: str, seed: int, configurations) -> str:
    try:
        compare(text, seed, configurations)
    except interpreter.KernelError as error:
        return str(error)
    return ""


def kind_of(message: str) -> str:
    """What makes two failures the same, for shrinking."""
    if "bsm-msl" in message or "error: kernel" in message:
        return ""
    for word in ("differs", "fails with", "exit -"):
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
    for seed in range(options.first, options.last):
        configurations = two_configurations(seed)
        message = problem(generate(seed).text(), seed, configurations)
        if not message:
            continue
        failures += 1
        print(f"seed {seed} {configurations}: {message[:600]}", flush=True)
        if options.shrink and kind_of(message):
            text = shrink_failure(seed, configurations, message, options.attempts)
            (options.shrink / f"{seed}.metal").write_text(text)
    print(f"{options.last - options.first} kernels, {failures} failures")
    raise SystemExit(failures > 0)


if __name__ == "__main__":
    main()
