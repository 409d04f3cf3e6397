"""Compiles a kernel's generated source; errors point into the user's Python file."""

from __future__ import annotations

import difflib
import re
import warnings

from bessemer import _bessemer
from bessemer._bessemer import Diagnostic
from bessemer.authoring.lint import unused_inputs, unwritten_results
from bessemer.authoring.literal import StringLiteral, find_literal
from bessemer.authoring.source import GeneratedSource
from bessemer.errors import CompileError, KernelWarning

_UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'(.*)")


def check_kernel(kernel, source: GeneratedSource) -> CompileError | None:
    """What is wrong with one source of `kernel`, or None."""
    try:
        _bessemer.compile(
            source=source.text,
            file_name=_file_name(kernel),
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


def warn_of_unused_names(kernel) -> None:
    """Warns of inputs that the body ignores and results that it never writes."""
    helper = kernel.helper_src or ""
    findings = [
        f"the body never uses the input {name!r}"
        for name in unused_inputs(kernel.input_names, kernel.src, helper)
    ]
    findings += [
        f"the body never writes the result {name!r}, so its values are undefined"
        for name in unwritten_results(kernel.result_names, kernel.src, helper)
    ]
    if findings:
        message = f"kernel {kernel.name!r} ({_place(kernel)}): {'; '.join(findings)}"
        warnings.warn(message, KernelWarning, stacklevel=4)


def _in_python(kernel, source: GeneratedSource, error: CompileError) -> CompileError:
    literals = {
        "src": find_literal(*kernel.defined_at, kernel.src),
        "helper_src": find_literal(*kernel.defined_at, kernel.helper_src or ""),
    }
    moved = []
    for diagnostic in error.diagnostics:
        diagnostic = _move(diagnostic, kernel, source, literals)
        moved += [diagnostic, *_hints(diagnostic, kernel)]
    heading = f"kernel {kernel.name!r} ({_place(kernel)}) does not compile:"
    text = "\n".join(str(d) for d in moved) if moved else str(error)
    return CompileError(f"{heading}\n{text}", moved)


def _file_name(kernel) -> str:
    return f"<kernel {kernel.name}>"


def _place(kernel) -> str:
    file, line = kernel.defined_at
    return f"{file}:{line}"


def _move(
    diagnostic: Diagnostic,
    kernel,
    source: GeneratedSource,
    literals: dict[str, StringLiteral | None],
) -> Diagnostic:
    """The diagnostic at the user's place: the Python file, or the string."""
    if diagnostic.file != _file_name(kernel):
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


def _hints(diagnostic: Diagnostic, kernel) -> list[Diagnostic]:
    """After an undeclared identifier: the names that the kernel declares."""
    match = _UNDECLARED.match(diagnostic.message)
    if not match or "did you mean" in match.group(2):
        return []
    names = {
        **dict.fromkeys(kernel.input_names, "input"),
        **dict.fromkeys(kernel.result_names, "result"),
        **{p.name: f"{p.dtype} [[{p.attr}]]" for p in kernel.metal_params},
    }
    near = difflib.get_close_matches(match.group(1), names, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    declared = ", ".join(f"{name} ({what})" for name, what in names.items())
    return [
        Diagnostic(
            "note",
            f"the kernel declares {declared}{hint}",
            diagnostic.file,
            diagnostic.line,
            diagnostic.column,
            "",
        )
    ]


def _line_of(text: str, offset: int) -> tuple[int, int, str]:
    """Line, byte column and whole line of an offset."""
    before = text[:offset]
    line = before.count("\n")
    column = len(before.rpartition("\n")[2].encode()) + 1
    return line + 1, column, text.split("\n")[line]
