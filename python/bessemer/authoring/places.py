"""Places in generated sources as places in the user's Python files."""

from __future__ import annotations

import re
import weakref

from bessemer._bessemer import Diagnostic
from bessemer.authoring.literal import find_literal
from bessemer.authoring.source import GeneratedSource

# The kernels of this process by the names of their sources.
_kernels: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
_GENERATED = re.compile(r"(\w+)\.metal:(\d+)")


def remember(kernel, name: str) -> None:
    _kernels[name] = kernel


def in_python(message: str) -> str:
    """A runtime message that names a generated source, with the user's place."""
    match = _GENERATED.search(message)
    kernel = _kernels.get(match.group(1)) if match else None
    if kernel is None or not hasattr(kernel, "defined_at"):
        return message
    source = kernel._sources[match.group(1)]
    found = source.locate_line(int(match.group(2)))
    if found is None:
        return f"{message} ({definition(kernel)})"
    place = Places(kernel, source).at("note", "", *found)
    return f"{message} ({place.file}:{place.line}: {place.source_line.strip()})"


def definition(kernel) -> str:
    """FILE:LINE of the call that made the kernel."""
    file, line = kernel.defined_at
    return f"{file}:{line}"


class Places:
    """The user's places for those of the generated text."""

    def __init__(self, kernel, source: GeneratedSource):
        self.kernel, self.source = kernel, source
        self.generated = f"<kernel {kernel.name}>"
        self._literals: dict = {}

    def move(self, diagnostic: Diagnostic) -> Diagnostic:
        """The diagnostic at the user's place: the Python file, or the string."""
        if diagnostic.file != self.generated:
            return diagnostic
        found = self.source.locate(diagnostic.line, diagnostic.column)
        if found is None:  # The generated signature, made from the kernel's names.
            file, line = self.kernel.defined_at
            message = f"{diagnostic.message} (in the generated signature)"
            return Diagnostic(diagnostic.severity, message, file, line, 1, "")
        return self.at(diagnostic.severity, diagnostic.message, *found)

    def part_of(self, diagnostic: Diagnostic) -> str:
        """ "src" or "helper_src"; "" outside both."""
        if diagnostic.file != self.generated:
            return ""
        found = self.source.locate(diagnostic.line, diagnostic.column)
        return found[0] if found else ""

    def at(self, severity: str, message: str, part: str, offset: int) -> Diagnostic:
        """A diagnostic at an offset of "src" or "helper_src"."""
        text = getattr(self.kernel, part)
        if part not in self._literals:
            self._literals[part] = find_literal(*self.kernel.defined_at, text)
        literal = self._literals[part]
        if literal is not None:
            place = literal.position(offset)
            return Diagnostic(
                severity, message, place.file, place.line, place.column, place.text
            )
        line, column, excerpt = _line_of(text, offset)
        file = f"<kernel {self.kernel.name} {part}>"
        return Diagnostic(severity, message, file, line, column, excerpt)


def _line_of(text: str, offset: int) -> tuple[int, int, str]:
    """Line, byte column and whole line of an offset."""
    before = text[:offset]
    line = before.count("\n")
    column = len(before.rpartition("\n")[2].encode()) + 1
    return line + 1, column, text.split("\n")[line]
