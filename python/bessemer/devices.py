"""Where kernels run."""

from __future__ import annotations

from bessemer import _bessemer
from bessemer.errors import ArgumentError
from bessemer.options import check_text

Device = _bessemer.Device
_MAX_THREADS = 4096
_default: Device | None = None


def devices() -> list[str]:
    """The names of the devices of this machine; "cpu" is always there."""
    return _bessemer.device_names()


def device(name: str = "cpu", threads: int = 0) -> Device:
    """A device by name. `threads` = 0: one per CPU this process may use."""
    if not isinstance(name, str):
        raise ArgumentError(
            f"a device is named by a string such as {devices()[0]!r}, got {name!r}"
        )
    check_text("the device's name", name)
    if not isinstance(threads, int) or not 0 <= threads <= _MAX_THREADS:
        raise ArgumentError(
            f"threads must be an integer from 0 to {_MAX_THREADS}, got {threads!r}"
        )
    return _bessemer.device(name, threads)


def resolve(value: Device | str | None) -> Device:
    """A device from what users pass: an object, a name or None."""
    global _default
    if isinstance(value, Device):
        return value
    if value is not None:
        return device(value)
    if _default is None:
        _default = device()
    return _default
