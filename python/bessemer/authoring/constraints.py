"""Wishes about where arguments lie, which scripts for the original runtime state."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field


class AllocationType(enum.Enum):
    """What backs an argument's memory; all are plain memory here."""

    Heap = "Heap"
    IOSurface = "IOSurface"
    MTLBuffer = "MTLBuffer"


class OSVersion(enum.Enum):
    """The oldest system that an asset is meant for; says nothing here."""

    v27 = 27


@dataclass
class HardwareConstraints:
    """Allocation, alignments of the strides, and interleaving of the axes."""

    allocation_type: AllocationType
    alignments: list[int] = field(default_factory=list)
    interleave: list[int] = field(default_factory=list)


def check_constraints(entrypoint: str, inputs: list[str], constraints) -> None:
    """Refuses what plain contiguous memory does not fulfil."""
    for name, wish in dict(constraints).items():
        if name not in inputs:
            raise ValueError(
                f"{entrypoint!r} has no input {name!r}; it has: "
                f"{', '.join(inputs) or 'none'}"
            )
        if not isinstance(wish, HardwareConstraints):
            raise TypeError(
                f"the constraints of {name!r} must be HardwareConstraints, got "
                f"{type(wish).__name__}"
            )
        for label in ("alignments", "interleave"):
            values = list(getattr(wish, label))
            if any(value != 1 for value in values):
                raise ValueError(
                    f"the {label} {values} of {name!r} cannot be had: arrays are "
                    "contiguous here, so all must be 1"
                )
