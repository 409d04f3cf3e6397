"""The sizes behind the dynamic dimensions of a program's inputs."""

from __future__ import annotations

import sympy
import torch
from torch.utils._sympy.numbers import int_oo

from bessemer.torch.sizes import symbol_name

# The exporter's own lower bound where the user stated none: it treats sizes 0 and
# 1 on their own.
_UNSTATED = 2


def dimensions(exported, nodes: list[torch.fx.Node]) -> list[tuple]:
    """(name, min, max or None, [(input, axis, factor, offset)]) of every size."""
    uses: dict[sympy.Symbol, list[tuple]] = {}
    names: dict[sympy.Symbol, str] = {}
    lowest: dict[sympy.Symbol, int] = {}
    for number, node in enumerate(nodes):
        value = node.meta.get("val")
        if not isinstance(value, torch.Tensor):
            continue
        for axis, size in enumerate(value.shape):
            linear = _linear(size)
            if linear is not None:
                symbol, factor, offset = linear
                uses.setdefault(symbol, []).append((number, axis, factor, offset))
                names[symbol] = symbol_name(symbol, size.node.shape_env)
                stated = exported.range_constraints.get(size.node.expr)
                if stated is not None and stated.lower != -int_oo:
                    least = -((offset - int(stated.lower)) // factor)
                    lowest[symbol] = max(lowest.get(symbol, 0), least)
    result = []
    for symbol, places in uses.items():
        low, high = _bounds(exported.range_constraints.get(symbol))
        # Of `2 * Dim("n", min=1)` the exporter raises the bound of n, not of 2 * n.
        low = min(low, lowest.get(symbol, low))
        # The bounds are checked where the size itself is an extent, if it is one.
        places.sort(key=lambda place: place[2:] != (1, 0))
        result.append((names[symbol], low, high, places))
    return result


def _linear(size) -> tuple[sympy.Symbol, int, int] | None:
    """(s, a, b) of a size a * s + b."""
    if not isinstance(size, torch.SymInt):
        return None
    expression = size.node.expr
    if len(expression.free_symbols) != 1:
        return None
    (symbol,) = expression.free_symbols
    factor = expression.coeff(symbol, 1)
    offset = expression.coeff(symbol, 0)
    if sympy.expand(expression - factor * symbol - offset) != 0:
        return None
    if not (factor.is_Integer and offset.is_Integer and factor > 0):
        return None
    return symbol, int(factor), int(offset)


def _bounds(constraint) -> tuple[int, int | None]:
    if constraint is None:
        return 0, None
    low = 0 if constraint.lower in (-int_oo,) else max(int(constraint.lower), 0)
    high = None if constraint.upper is int_oo else int(constraint.upper)
    return (0 if low == _UNSTATED and high is None else low), high
