"""Compiles a kernel's generated source; errors point into the user's Python file."""

from __future__ import annotations

from bessemer import _bessemer
from bessemer._bessemer import Diagnostic
from bessemer.authoring.literal import StringLiteral, find_literal
from bessemer.authoring.source import GeneratedSource
from bessemer.errors import CompileError


def check_kernel(kernel, source: GeneratedSource) -> CompileError | None:
    """What is wrong with one source of `kernel`, or None."""
    try:
        _bessemer.compile(
            source=source.text,
            file_name=f"<kernel {kernel.name}>",
            first_line=1,
            include_dirs=[],
            defines=[],
            math="relaxed",
            language="4.0",
            function_constants={},
        )
    except CompileError as error:
        return _in_python(kernel, source, error)
    return None


def _in_python(kernel, source: GeneratedSource, error: CompileError) -> CompileError:
    literals = {
        "src": find_literal(*kernel.defined_at, kernel.src),
        "helper_src": find_literal(*kernel.defined_at, kernel.helper_src or ""),
    }
    moved = [_move(d, kernel, source, literals) for d in error.diagnostics]
    file, line = kernel.defined_at
    heading = f"kernel {kernel.name!r} ({file}:{line}) does not compile:"
    text = "\n".join(str(d) for d in moved) if moved else str(error)
    return CompileError(f"{heading}\n{text}", moved)


def _move(
    diagnostic: Diagnostic,
    kernel,
    source: GeneratedSource,
    literals: dict[str, StringLiteral | None],
) -> Diagnostic:
    """The diagnostic at the user's place: the Python file, or the string."""
    if diagnostic.file != f"<kernel {kernel.name}>":
        return diagnostic
    found = source.locate(diagnostic.line, diagnostic.column)
    if found is None:
        return diagnostic
    part, offset = found
    literal = literals[part]
    if literal is not None:
        place = literal.position(offset)
        file, line, column, text = place.file, place.line, place.column, place.text
    else:
        original = kernel.src if part == "src" else kernel.helper_src
        line, column, text = _line_of(original, offset)
        file = f"<kernel {kernel.name} {part}>"
    return Diagnostic(diagnostic.severity, diagnostic.message, file, line, column, text)


def _line_of(text: str, offset: int) -> tuple[int, int, str]:
    """Line, byte column and whole line of an offset."""
    before = text[:offset]
    line = before.count("\n")
    column = len(before.rpartition("\n")[2].encode()) + 1
    return line + 1, column, text.split("\n")[line]
