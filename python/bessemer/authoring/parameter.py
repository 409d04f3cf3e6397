"""MetalParameter: a thread attribute that a kernel's body uses."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from bessemer.authoring.attributes import THREAD_ATTRIBUTES


@dataclass
class MetalParameter:
    """`TYPE NAME [[ATTRIBUTE]]` in the generated kernel's signature."""

    name: str
    dtype: str
    attr: str


def check_parameter(parameter: MetalParameter) -> None:
    """Raises ValueError for an attribute or type that Metal does not have."""
    allowed = THREAD_ATTRIBUTES.get(str(parameter.attr))
    if allowed is None:
        near = difflib.get_close_matches(str(parameter.attr), THREAD_ATTRIBUTES, 3)
        hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise ValueError(
            f"Unknown attribute {parameter.attr!r} of metal parameter "
            f"{parameter.name!r}{hint}"
        )
    dtype = str(parameter.dtype).strip().removeprefix("metal::")
    if dtype not in allowed:
        raise ValueError(
            f"Metal parameter {parameter.name!r} has type {parameter.dtype!r}, but "
            f"[[{parameter.attr}]] is one of {', '.join(sorted(allowed))}"
        )
