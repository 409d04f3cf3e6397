"""torch.mps by Bessemer: shaders, and tensors on "mps" that are the CPU's.

Where a script asks for the device "mps" it gets the CPU: factories and `.to()`
work, and tensors report "cpu".
"""

from __future__ import annotations

import time

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._device import DeviceContext


def _compile_shader(source: str):
    from bessemer.torch import compile_shader

    return compile_shader(source)


def _synchronize() -> None:
    from bessemer.torch import synchronize

    synchronize()


def _on_cpu(value):
    if isinstance(value, torch.device):
        return torch.device("cpu") if value.type == "mps" else value
    if isinstance(value, str) and value.partition(":")[0] == "mps":
        return "cpu"
    return value


class _MpsIsCpu(TorchFunctionMode):
    """Gives functions that are called with the device "mps" the device "cpu"."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if "device" in kwargs:
            kwargs["device"] = _on_cpu(kwargs["device"])
        if function is torch.Tensor.to:
            args = tuple(_on_cpu(value) for value in args)
        return function(*args, **kwargs)


def _nothing(*arguments, **options) -> None:
    pass


def _zero() -> int:
    return 0


class _Event:
    """A point in time: what was asked for before it has been done."""

    def __init__(self, enable_timing: bool = False):
        self._timed = enable_timing
        self._time: float | None = None

    def record(self) -> None:
        self._time = time.perf_counter()

    wait = synchronize = _nothing

    def query(self) -> bool:
        return True

    def elapsed_time(self, end_event: _Event) -> float:
        """Milliseconds until `end_event`."""
        for event in self, end_event:
            if not event._timed or event._time is None:
                raise RuntimeError(
                    "elapsed_time takes events that were made with enable_timing=True "
                    "and recorded"
                )
        return (end_event._time - self._time) * 1000


def _load(storage, location: str):
    """torch.load's storages for "mps" stay where they are."""
    return storage if location.partition(":")[0] == "mps" else None


# What torch.mps offers beside, on a machine with one processor's memory.
_FUNCTIONS = {
    "Event": _Event,
    "compile_shader": _compile_shader,
    "synchronize": _synchronize,
    "device_count": lambda: 1,
    "is_available": lambda: True,
    "manual_seed": lambda seed: torch.default_generator.manual_seed(seed),
    "seed": lambda: torch.default_generator.seed(),
    "get_rng_state": lambda: torch.default_generator.get_state(),
    "set_rng_state": lambda state: torch.default_generator.set_state(state),
    "empty_cache": _nothing,
    "set_per_process_memory_fraction": _nothing,
    "current_allocated_memory": _zero,
    "driver_allocated_memory": _zero,
}


def install() -> None:
    """Changes torch in this process, once."""
    if torch.mps.compile_shader is _compile_shader:
        return
    for name, function in _FUNCTIONS.items():
        setattr(torch.mps, name, function)
    for name in "is_available", "is_built":
        setattr(torch.backends.mps, name, lambda: True)
    # Before those of torch, whose priorities are 10 and more.
    torch.serialization.register_package(5, lambda storage: None, _load)
    _map_default_devices()
    _MpsIsCpu().__enter__()


def _map_default_devices() -> None:
    """torch.set_default_device and `with torch.device(...)` come before the mode."""
    make = DeviceContext.__init__

    def initialise(self, device):
        make(self, _on_cpu(device))

    DeviceContext.__init__ = initialise
