"""Choices that scripts make for the original runtime; here all run on the CPU."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class StorageKind(enum.Enum):
    """Where an array lives. Every kind is plain memory here."""

    BYTES = "bytes"
    IO_SURFACE = "io_surface"
    METAL = "metal"


class ComputeUnitKind(enum.Enum):
    """Written with or without a call: `ComputeUnitKind.gpu()`."""

    cpu = "cpu"
    gpu = "gpu"
    neural_engine = "neural_engine"

    def __call__(self) -> ComputeUnitKind:
        return self


@dataclass(frozen=True)
class SpecializationOptions:
    """Preferences for loading a model; accepted, and all served by the CPU."""

    preferred: ComputeUnitKind | None = None
    debug: bool = False

    @classmethod
    def default(cls) -> SpecializationOptions:
        """No preference."""
        return cls()

    @classmethod
    def cpu_only(cls) -> SpecializationOptions:
        """Prefers the CPU."""
        return cls(ComputeUnitKind.cpu)

    @classmethod
    def from_preferred_compute_unit_kind(
        cls, compute_unit_kind: ComputeUnitKind
    ) -> SpecializationOptions:
        """Prefers a kind of unit; here all are served by the CPU."""
        return cls(compute_unit_kind)

    @classmethod
    def with_debug(cls, debug: bool = True) -> SpecializationOptions:
        """Asks for what helps debugging; accepted."""
        return cls(debug=debug)

    @staticmethod
    def is_supported() -> bool:
        """Whether options can be given: always."""
        return True
