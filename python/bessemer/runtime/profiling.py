"""Profiler: when a function is compiled and when it runs."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class CompileIdentifiers:
    """What an event is about; the whole function is 0."""

    id: int
    delegate_id: int | None = None


@dataclass(frozen=True)
class LogEvent:
    """The begin or end of an interval; `timestamp` is in nanoseconds."""

    phase: str  # "compile" or "inference".
    timestamp: int
    compile_ids: CompileIdentifiers


class Profiler:
    """Calls back at the begin and the end of compilations and runs.

    `on_log_event_begin(event)` may return a value, which `on_log_event_end(event,
    value)` gets. Give it to AIModel.load_function(). The intervals are those of whole
    functions: their operations are fused, so that there is no time of each.
    """

    def __init__(
        self,
        on_log_event_begin: Callable[[LogEvent], object] | None = None,
        on_log_event_end: Callable[[LogEvent, object], None] | None = None,
    ):
        for callback in (on_log_event_begin, on_log_event_end):
            if callback is not None and not callable(callback):
                raise TypeError(f"a Profiler takes functions, got {callback!r}")
        self._begin, self._end = on_log_event_begin, on_log_event_end

    @contextlib.contextmanager
    def _interval(self, phase: str):
        interval = self._begin(_event(phase)) if self._begin else None
        try:
            yield
        finally:
            if self._end:
                self._end(_event(phase), interval)


def _event(phase: str) -> LogEvent:
    return LogEvent(phase, time.perf_counter_ns(), CompileIdentifiers(0))


def interval(profiler: Profiler | None, phase: str):
    """A context that the profiler, if there is one, hears of."""
    return profiler._interval(phase) if profiler else contextlib.nullcontext()
