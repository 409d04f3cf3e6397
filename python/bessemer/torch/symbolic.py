"""Rounded quotients of sizes, which must stay integers."""

from __future__ import annotations

import math
import operator

import torch

_ROUNDINGS = {
    math.ceil: "bessemer.ceil_divide",
    math.floor: "_operator.floordiv",
}


def rounded_quotient(node: torch.fx.Node) -> tuple[str, tuple] | None:
    """(target, arguments) of `math.ceil(a / b)` and the like on integers.

    A quotient in 32-bit floating point would be wrong for sizes beyond 2**24.
    """
    target = _ROUNDINGS.get(node.target)
    quotient = node.args[0] if target else None
    if not isinstance(quotient, torch.fx.Node) or (
        quotient.target is not operator.truediv
    ):
        return None
    if not all(_is_integer(argument) for argument in quotient.args):
        return None
    return target, quotient.args


def _is_integer(argument) -> bool:
    if isinstance(argument, torch.fx.Node):
        argument = argument.meta.get("val")
    return isinstance(argument, (int, torch.SymInt))
