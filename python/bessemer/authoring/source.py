"""The Metal source generated around a kernel's body, and the way back.

The text is a contract (assets and tests compare it): a fixed prologue, the
helper source, then the kernel on one line with the body verbatim inside. Every
generated source remembers which of its characters came from the user's strings.
"""

from __future__ import annotations

import bisect
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

PROLOGUE = (
    "\n#include <metal_stdlib>\n"
    "#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>\n"
    "using namespace metal;\n"
    "using namespace mpp::tensor_ops;\n"
)
SUFFIX_LENGTH = 8


@dataclass(frozen=True)
class BufferParameter:
    """An input or result: a tensor of a rank, or a scalar by reference."""

    name: str
    metal_type: str
    rank: int
    scalar: bool = False

    def declare(self, index: int) -> str:
        binding = f"{self.name} [[buffer({index})]]"
        if self.scalar:
            return f"constant {self.metal_type}& {binding}"
        return (
            f"tensor<device {self.metal_type}, metal::dextents<int, {self.rank}>, "
            f"tensor_handle> {binding}"
        )


@dataclass
class Template:
    """A user's string after substitution; maps offsets back to the original."""

    text: str = ""
    # (offset in text, offset in the original) at the start of every piece.
    pieces: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)])

    def original_offset(self, offset: int) -> int:
        i = bisect.bisect_right(self.pieces, (offset, float("inf"))) - 1
        start, original = self.pieces[i]
        limit = self.pieces[i + 1][1] if i + 1 < len(self.pieces) else None
        mapped = original + offset - start
        return mapped if limit is None else min(mapped, max(original, limit - 1))

    @property
    def original_end(self) -> int:
        """The length of the original string."""
        start, original = self.pieces[-1]
        return original + len(self.text) - start


# Vectors of the integers that generated signatures spell by size.
_VECTOR_NAMES = {
    "int8_t": "char",
    "uint8_t": "uchar",
    "int16_t": "short",
    "uint16_t": "ushort",
}


def substitute(source: str, replacements: dict[str, str]) -> Template:
    """Replaces whole identifiers, the longest placeholder first.

    A placeholder may carry a vector or matrix suffix (`TYPE4`, `TYPE2x2`): that is
    how bodies spell vectors of a templated type.
    """
    if not replacements:
        return Template(source)
    names = sorted(replacements, key=len, reverse=True)
    words = "|".join(re.escape(name) for name in names)
    pattern = re.compile(rf"(?<!\w)(packed_)?({words})((?:[234](?:x[234])?)?)(?!\w)")
    result = Template()
    position = 0
    for match in pattern.finditer(source):
        result.text += source[position : match.start(2)]
        result.pieces.append((len(result.text), match.start(2)))
        name = replacements[match.group(2)]
        result.text += _VECTOR_NAMES.get(name, name) if match.group(3) else name
        result.pieces.append((len(result.text), match.end(2)))
        position = match.end(2)
    result.text += source[position:]
    return result


@dataclass
class GeneratedSource:
    """The text of one kernel, and where the user's strings lie in it."""

    name: str
    text: str
    body: Template
    body_start: int
    helper: Template
    helper_start: int

    def locate(self, line: int, column: int) -> tuple[str, int] | None:
        """("src" or "helper_src", offset in it) of a 1-based line and byte column.

        What follows the body belongs to its end: there, something in it is open.
        """
        lines = self.text.split("\n")
        if not 1 <= line <= len(lines):
            return None
        text = lines[line - 1]
        before = text.encode()[: max(column - 1, 0)].decode(errors="ignore")
        return self._part(sum(len(x) + 1 for x in lines[: line - 1]) + len(before))

    def located_lines(self) -> Iterator[tuple[str, int] | None]:
        """The same for each line: where the user's text in it begins."""
        start = 0
        for line in self.text.split("\n"):
            holds_body = start <= self.body_start <= start + len(line)
            yield self._part(self.body_start if holds_body else start)
            start += len(line) + 1

    @property
    def signature_line(self) -> int:
        """The line on which the generated signature stands."""
        end = self.helper_start + len(self.helper.text)
        return self.text.count("\n", 0, end) + 2

    def _part(self, offset: int) -> tuple[str, int] | None:
        for kind, start, part in (
            ("src", self.body_start, self.body),
            ("helper_src", self.helper_start, self.helper),
        ):
            if start <= offset <= start + len(part.text):
                if kind == "helper_src" and not part.text:
                    continue
                return kind, part.original_offset(offset - start)
        if offset > self.body_start:
            return "src", self.body.original_end
        return None


def scalar_literal(metal_type: str, value) -> str:
    """The MSL literal of a Python scalar."""
    if metal_type == "float":
        return f"{float(value)!r}f"
    if metal_type == "bool":
        return "true" if value else "false"
    return str(int(value))


def content_suffix(content: str) -> str:
    """Eight lowercase letters that depend on the content alone."""
    number = int.from_bytes(hashlib.sha256(content.encode()).digest(), "big")
    letters = []
    for _ in range(SUFFIX_LENGTH):
        number, digit = divmod(number, 26)
        letters.append(chr(ord("a") + digit))
    return "".join(letters)


def generate(
    name: str,
    inputs: list[BufferParameter],
    results: list[BufferParameter],
    metal_params,
    src: str,
    helper_src: str | None = None,
    replacements: dict[str, str] | None = None,
    scalars: list[tuple[str, str, object]] = (),
    salt: str = "",
) -> GeneratedSource:
    """The source of one kernel. `scalars`: (metal type, name, value) to declare.

    The kernel's name ends in letters that depend on the content, and on `salt`.
    """
    replacements = replacements or {}
    helper = substitute(helper_src or "", replacements)
    body = substitute(src, replacements)
    parameters = [p.declare(i) for i, p in enumerate([*inputs, *results])]
    parameters += [f"{p.dtype} {p.name} [[{p.attr}]]" for p in metal_params]
    before, after = "{ ", " }"
    if scalars:
        declarations = "".join(
            f"{kind} {scalar} = {scalar_literal(kind, value)};\n"
            for kind, scalar, value in scalars
        )
        before, after = "{ {\n" + declarations, "\n} }"

    head = f"{PROLOGUE}{helper.text}\n[[kernel]] void "
    tail = f"({', '.join(parameters)}) {before}"
    unique = f"{name}_{content_suffix(head + name + tail + body.text + after + salt)}"
    return GeneratedSource(
        name=unique,
        text=f"{head}{unique}{tail}{body.text}{after}",
        body=body,
        body_start=len(head) + len(unique) + len(tail),
        helper=helper,
        helper_start=len(PROLOGUE),
    )
