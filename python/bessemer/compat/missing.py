"""Names of the original packages that Bessemer does not have: an error that says so."""

from __future__ import annotations

import importlib.util


def missing_names(module: str, names: str):
    """A module's __getattr__. `names` are those that the original has.

    ImportError, not AttributeError: `from module import name` would hide the latter's
    message.
    """
    known = frozenset(names.split())

    def __getattr__(name: str):
        # A submodule that is being imported is not missing.
        if name in known and importlib.util.find_spec(f"{module}.{name}") is None:
            raise ImportError(f"{module}.{name} is not part of Bessemer {_version()}")
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return __getattr__


def _version() -> str:
    from bessemer import __version__

    return __version__
