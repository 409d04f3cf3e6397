"""Compiles, launches and compares cases."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import bessemer

from .cases import Case, Family

KERNELS = Path("mlx/backend/metal/kernels")


@dataclass
class Outcome:
    case: Case
    status: str  # "right", "wrong" or "refused"
    reason: str = ""
    milliseconds: float = 0.0  # Of the processor, to compile and to run.


class Source:
    """One file, parsed once for each choice of function constants."""

    def __init__(self, folder: Path, family: Family):
        self._folder = folder
        self._family = family
        self._libraries: dict[tuple, bessemer.Library] = {}

    def library(self, constants: dict) -> bessemer.Library:
        key = tuple(sorted(constants.items()))
        if key not in self._libraries:
            self._libraries[key] = bessemer.compile(
                self._folder / KERNELS / self._family.file,
                include_dirs=[self._folder],
                math=self._family.math,
                function_constants=constants or None,
            )
        return self._libraries[key]


def run(source: Source, case: Case) -> Outcome:
    start = time.process_time()
    try:
        kernel = source.library(case.constants)[case.kernel]
        kernel(
            **{name: _bindable(value) for name, value in case.arguments.items()},
            threads=case.threads,
            groups=case.groups,
            group_size=case.group_size,
        )
    except Exception as error:
        return Outcome(case, "refused", f"{type(error).__name__}: {error}")
    spent = (time.process_time() - start) * 1e3
    for name, expected in case.expected.items():
        reason = difference(case.arguments[name], expected, case.tolerance)
        if reason:
            return Outcome(case, "wrong", f"{name}: {reason}", spent)
    return Outcome(case, "right", "", spent)


def _bindable(value):
    """A complex number is a struct of two floats."""
    is_complex = isinstance(value, np.ndarray) and value.dtype.kind == "c"
    return value.view(np.float32) if is_complex else value


def difference(got: np.ndarray, expected: np.ndarray, tolerance: float) -> str:
    """Where an output is not what it must be; empty if it is. What stands behind
    the expected values must be as `cases.output` left it."""
    expected = expected.reshape(-1)
    guard = got[expected.size :].view(np.uint8)
    if guard.size and not (guard == guard[-1]).all():
        return "written behind its end"
    got = got[: expected.size]
    if got.dtype.kind in "biu" and not tolerance:
        bad = got != expected
    else:
        kind = np.complex128 if got.dtype.kind == "c" else np.float64
        got, expected = got.astype(kind), expected.astype(kind)
        with np.errstate(invalid="ignore", over="ignore"):
            near = np.abs(got - expected) <= tolerance * np.maximum(1, np.abs(expected))
        bad = ~(near | (got == expected) | (np.isnan(got) & np.isnan(expected)))
    if not bad.any():
        return ""
    at = int(np.argmax(bad))
    return f"{bad.sum()} of {bad.size}, at {at}: {got[at]} is not {expected[at]}"
