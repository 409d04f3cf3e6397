"""Functions of fixed sizes in place of one with dynamic dimensions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bessemer.errors import InputError

_DIMENSIONS = "coreaix.dimensions = {"
_ENTRY = re.compile(r"\{(?:max = (\d+) : i64, )?min = (\d+) : i64, (.*?\])\}")
_USE = re.compile(r"array<i64: (\d+), (\d+), (-?\d+), (-?\d+)>")
_ARGUMENT = re.compile(
    r"%arg(\d+): tensor<((?:\d+x|\?x)*)[^>]*> \{[^}]*?coreai\.name = \"([^\"]*)\""
)


@dataclass
class _Dimension:
    """A size that extents of inputs are made of: extent = factor * size + offset."""

    rest: str  # The entry's text behind its bounds.
    least: int
    most: int | None
    uses: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def text(self) -> str:
        most = "" if self.most is None else f"max = {self.most} : i64, "
        return f"{{{most}min = {self.least} : i64, {self.rest}}}"


@dataclass
class _Graph:
    """One graph of a program's text."""

    symbol: str  # As it is written, with quotes where it needs them.
    block: str
    inputs: dict[str, tuple[int, list[str]]]  # Name: argument number, extents.


def with_static_shapes(text: str, entrypoint: str, config: dict) -> str:
    """The program with `ENTRYPOINT_SUFFIX` for each configuration.

    `config` maps suffixes to shapes by the name of the input; inputs that are left
    out stay as they are.
    """
    graph = _graph(text, entrypoint)
    dimensions = _dimensions(text, graph.symbol)
    if not config:
        raise ValueError("set_static_shape_config needs at least one configuration")
    blocks, entries = "", []
    for suffix, shapes in config.items():
        symbol = _suffixed(graph.symbol, suffix)
        if re.search(rf"coreai\.graph (?:noinline )?@{re.escape(symbol)}\(", text):
            raise ValueError(
                f"the program has a graph {symbol.strip(chr(34))!r} already"
            )
        where = f"set_static_shape_config({entrypoint!r}), {suffix!r}"
        fixed = _fixed(where, graph, dimensions, shapes)
        entries.append(f"{symbol} = [{', '.join(d.text() for d in fixed)}]")
        blocks += graph.block.replace(f"@{graph.symbol}(", f"@{symbol}(", 1)
    old = _dimension_list(text, graph.symbol)
    text = text.replace(graph.block, blocks, 1)
    return text.replace(old, ", ".join(entries), 1) if old else text


def _suffixed(symbol: str, suffix: str) -> str:
    if not isinstance(suffix, str) or not re.fullmatch(r"\w+", suffix, re.ASCII):
        raise ValueError(
            f"a configuration is named by letters, digits and _, got {suffix!r}"
        )
    return f'{symbol[:-1]}_{suffix}"' if symbol.endswith('"') else f"{symbol}_{suffix}"


def _graph(text: str, entrypoint: str) -> _Graph:
    # Kernels' sources are strings of one line, so a graph ends at its own brace.
    for match in re.finditer(
        r'^  coreai\.graph (?:noinline )?@("[^"]*"|[^\s(]+)\((.*?)\) -> .*?^  \}\n',
        text,
        re.M | re.S,
    ):
        if match[1].strip('"') != entrypoint:
            continue
        inputs = {
            name: (int(number), shape.split("x")[:-1])
            for number, shape, name in _ARGUMENT.findall(match[2])
        }
        return _Graph(match[1], match[0], inputs)
    raise ValueError(f"graph {entrypoint!r} not found in program")


def _dimension_list(text: str, symbol: str) -> str:
    """`SYMBOL = [...]` among the module's attributes, or ""."""
    head = text.split("\n", 1)[0]
    begin = head.find(_DIMENSIONS)
    match = re.search(rf"(?<=[{{ ]){re.escape(symbol)} = \[", head[begin:])
    if begin < 0 or not match:
        return ""
    start = begin + match.start()
    depth = 0
    for at in range(begin + match.end() - 1, len(head)):
        depth += {"[": 1, "]": -1}.get(head[at], 0)
        if depth == 0:
            return head[start : at + 1]
    return ""


def _dimensions(text: str, symbol: str) -> list[_Dimension]:
    found = []
    for most, least, rest in _ENTRY.findall(_dimension_list(text, symbol)):
        dimension = _Dimension(rest, int(least), int(most) if most else None)
        for use in _USE.findall(rest):
            number, axis, factor, offset = map(int, use)
            dimension.uses[number, axis] = (factor, offset)
        found.append(dimension)
    return found


def _fixed(where, graph: _Graph, dimensions, shapes) -> list[_Dimension]:
    """The dimensions, with the sizes that `shapes` gives them."""
    if not isinstance(shapes, dict):
        raise TypeError(f"{where} must map inputs to shapes, got {shapes!r}")
    sizes: dict[int, int] = {}
    for name, shape in shapes.items():
        if name not in graph.inputs:
            known = ", ".join(graph.inputs) or "none"
            raise ValueError(f"{where}: there is no input {name!r}; there is: {known}")
        number, extents = graph.inputs[name]
        if len(shape) != len(extents):
            raise InputError(
                f"{where}: {name} has rank {len(extents)}, got the shape {list(shape)}"
            )
        for axis, (size, extent) in enumerate(zip(shape, extents, strict=True)):
            label = f"{where}: dimension {axis} of {name}"
            if extent != "?":
                if int(extent) != size:
                    raise ValueError(f"{label} is {extent}, got {size}")
                continue
            for i, dimension in enumerate(dimensions):
                if (number, axis) in dimension.uses:
                    _settle(label, size, i, dimension, (number, axis), sizes)
    return [
        _Dimension(d.rest, sizes[i], sizes[i]) if i in sizes else d
        for i, d in enumerate(dimensions)
    ]


def _settle(label, size, i, dimension: _Dimension, use, sizes) -> None:
    factor, offset = dimension.uses[use]
    value, rest = divmod(size - offset, factor) if factor else (0, 1)
    most = dimension.most
    if rest or value < dimension.least or (most is not None and value > most):
        least = factor * dimension.least + offset
        bounds = f"at least {least}"
        if most is not None:
            bounds = f"from {least} to {factor * most + offset}"
        step = f" in steps of {factor}" if factor > 1 else ""
        raise ValueError(f"{label} must be {bounds}{step}, got {size}")
    if sizes.setdefault(i, value) != value:
        other = factor * sizes[i] + offset
        raise ValueError(f"{label} is {size}, but another shape makes it {other}")
