"""Places in generated sources as places in the user's Python files."""

from __future__ import annotations

import linecache
import os
import re
import weakref

from bessemer._bessemer import Diagnostic
from bessemer.authoring.literal import find_literal
from bessemer.authoring.source import GeneratedSource

# The kernels of this process by the names of their sources.
_kernels: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
# How a fault names the place.
_FAULT = re.compile(r"([^\s:][^:\n]*):(\d+): kernel '(\w+)'")


def remember(kernel, name: str) -> None:
    _kernels[name] = kernel


def line_map(kernel, source: GeneratedSource) -> list[tuple[int, str, int]]:
    """(line of the source, the user's file, line there); lines count on from each.

    Without a file the text is generated; the signature stands for the call that made
    the kernel. If no literal holds the kernel's text, the file is `<kernel NAME src>`.
    """
    places = Places(kernel, source)
    result: list[tuple[int, str, int]] = []
    for number, found in enumerate(source.located_lines(), 1):
        file, line = places.position(*found)[:2] if found else ("", 0)
        if not file and number == source.signature_line:
            file, line = kernel.calls[0]
        if result and result[-1][1] == file:
            begin, _, first = result[-1]
            if not file or line == first + number - begin:
                continue
        result.append((number, file, line))
    return result


def with_folder(message: str) -> str:
    """A model's fault, whose file has no folder, if the kernel was made here."""
    match = _FAULT.search(message)
    for source_name, kernel in list(_kernels.items()) if match else ():
        if kernel.name != match[3] or not hasattr(kernel, "calls"):
            continue
        for _, file, _ in line_map(kernel, kernel._sources[source_name]):
            if os.path.basename(file) == match[1]:
                return _placed(message, match, file, int(match[2]))
    return message


def in_python(message: str, kernel, source: GeneratedSource) -> str:
    """A fault of a kernel's source, which was compiled by itself."""
    message = message.replace(f"'{source.name}'", f"'{kernel.name}'")
    match = _FAULT.search(message)
    if not match:
        return message
    generated = int(match[2])
    before = [place for place in line_map(kernel, source) if place[0] <= generated]
    begin, file, line = before[-1]
    return _placed(message, match, file, line + generated - begin) if file else message


def _placed(message: str, match: re.Match, file: str, line: int) -> str:
    excerpt = linecache.getline(file, line).strip()
    end = f" ({excerpt})" if excerpt else ""
    return f"{message[: match.start()]}{file}:{line}{message[match.end(2) :]}{end}"


def definition(kernel) -> str:
    """FILE:LINE of the call that made the kernel."""
    file, line = kernel.calls[0]
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
            file, line = self.kernel.calls[0]
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
        return Diagnostic(severity, message, *self.position(part, offset))

    def position(self, part: str, offset: int) -> tuple[str, int, int, str]:
        """File, line, byte column and the whole line of such an offset."""
        text = getattr(self.kernel, part) or ""
        if part not in self._literals:
            self._literals[part] = find_literal(self.kernel.calls, text)
        literal = self._literals[part]
        if literal is not None:
            place = literal.position(offset)
            return place.file, place.line, place.column, place.text
        return f"<kernel {self.kernel.name} {part}>", *_line_of(text, offset)


def _line_of(text: str, offset: int) -> tuple[int, int, str]:
    """Line, byte column and whole line of an offset."""
    begin = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    column = len(text[begin:offset].encode()) + 1
    line = text[begin:] if end < 0 else text[begin:end]
    return text.count("\n", 0, offset) + 1, column, line
