"""Where in a Python file the text of a kernel stands.

Kernels are strings in Python files. A diagnostic about the body should point into
that file, so the literal that holds the text is searched near the call that made
the kernel, and offsets in its value are mapped to lines and columns.
"""

from __future__ import annotations

import ast
import io
import linecache
import re
import sys
import tokenize
from dataclasses import dataclass

_PREFIX = re.compile(r"([A-Za-z]*)('''|\"\"\"|'|\")")
_ESCAPE = re.compile(
    r"\\(\r?\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|N\{[^}]*\}|u[0-9a-fA-F]{4}|"
    r"U[0-9a-fA-F]{8}|.)",
    re.DOTALL,
)


@dataclass(frozen=True)
class SourcePosition:
    """A place in a file; line and byte column count from 1."""

    file: str
    line: int
    column: int
    text: str  # The whole line.


@dataclass
class StringLiteral:
    """The positions of the characters of one string constant."""

    file: str
    lines: list[str]
    # (line, character column) of every character of the value, and of its end.
    positions: list[tuple[int, int]]

    def position(self, offset: int) -> SourcePosition:
        line, column = self.positions[min(offset, len(self.positions) - 1)]
        text = self.lines[line - 1].rstrip("\r\n")
        return SourcePosition(self.file, line, len(text[:column].encode()) + 1, text)


def find_literal(calls: list[tuple[str, int]], value: str) -> StringLiteral | None:
    """The constant equal to `value` in the files of `calls`, the nearest to one.

    `calls` are file and line of what made the kernel, from the inside outwards. Failing
    them, in a module that holds this very string in a global.
    """
    if not value:
        return None
    for file in dict.fromkeys(file for file, _ in calls):
        lines = [line for other, line in calls if other == file]
        found = _find_in_file(file, lines, value)
        if found is not None:
            return found
    for module in list(sys.modules.values()):
        other = getattr(module, "__file__", None)
        if other and any(v is value for v in list(vars(module).values())):
            found = _find_in_file(other, [1], value)
            if found is not None:
                return found
    return None


def _find_in_file(file: str, near: list[int], value: str) -> StringLiteral | None:
    lines = linecache.getlines(file)
    if not lines:
        return None
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):
        return None
    constants = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value == value
    ]
    if not constants:
        return None
    node = min(constants, key=lambda c: min(_distance(c, line) for line in near))
    positions = _positions(lines, node)
    if positions is None or len(positions) != len(value) + 1:
        return None
    return StringLiteral(file, lines, positions)


def _distance(node: ast.Constant, line: int) -> int:
    """Lines between a constant, which may have several, and `line`."""
    return max(node.lineno - line, line - node.end_lineno, 0)


def _positions(lines: list[str], node: ast.Constant):
    """Positions of the value's characters, over implicitly joined pieces."""
    first, last = node.lineno, node.end_lineno
    # Lines before the node are blanked, not cut: tokens keep their positions.
    head = lines[first - 1].encode()
    start = len(head[: node.col_offset].decode())
    text = [" " * start + head[node.col_offset :].decode(), *lines[first:last]]
    end = lines[last - 1].encode()[: node.end_col_offset].decode()
    text[-1] = end if first != last else " " * start + end[start:]
    # In parentheses, pieces may stand on several lines.
    stream = io.StringIO("(\n" + "".join(text) + "\n)\n")
    positions: list[tuple[int, int]] = []
    after = (first, start)
    try:
        for token in tokenize.generate_tokens(stream.readline):
            if token.type == tokenize.STRING:
                line, column = token.start
                found, after = _piece(token.string, line - 2 + first, column)
                positions += found
    except (tokenize.TokenError, IndentationError):
        return None
    return [*positions, after]


def _piece(token: str, line: int, column: int):
    """Positions of the characters of one string token, and of its end."""
    prefix = _PREFIX.match(token)
    raw = "r" in prefix.group(1).lower()
    content = token[prefix.end() : -len(prefix.group(2))]
    column += prefix.end()
    positions = []
    i = 0
    while i < len(content):
        escape = None if raw else _ESCAPE.match(content, i)
        width = escape.end() - i if escape else 1
        if not (escape and escape.group(1).endswith("\n")):
            positions.append((line, column))
        for character in content[i : i + width]:
            line, column = (line + 1, 0) if character == "\n" else (line, column + 1)
        i += width
    return positions, (line, column)
