"""Symbolic sizes in the user's words: the names of Dims, or `x.shape[0]`."""

from __future__ import annotations

import re

import sympy
import torch

# How the exporter names an extent of an input.
_EXTENT = re.compile(r"L\['(\w+)'\]\.size\(\)\[(\d+)\]")


def shape_text(shape) -> str:
    """`[rows, 16]`."""
    return f"[{', '.join(map(size_text, shape))}]"


def size_text(size) -> str:
    """A size; symbols by the user's names of them."""
    if not isinstance(size, torch.SymInt):
        return str(size)
    expression = size.node.expr
    names = {
        symbol: sympy.Symbol(symbol_name(symbol, size.node.shape_env))
        for symbol in expression.free_symbols
    }
    return str(expression.xreplace(names))


def symbol_name(symbol: sympy.Symbol, shape_env) -> str:
    """The name of the Dim behind a symbol; without one `x.shape[0]`."""
    sources = [
        source.name if isinstance(source.name, str) else source.name()
        for source in shape_env.var_to_sources.get(symbol, ())
    ]
    for source in sources:
        name = shape_env.source_name_to_debug_name.get(source)
        if name:
            return name
    for source in sources:
        extent = _EXTENT.fullmatch(source)
        if extent:
            return f"{extent[1]}.shape[{extent[2]}]"
    return str(symbol)
