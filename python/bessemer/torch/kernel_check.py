"""Compiles a kernel's generated source; errors point into the user's Python file."""

from __future__ import annotations

import re
import warnings

from bessemer import _bessemer
from bessemer._bessemer import Diagnostic
from bessemer.authoring.braces import unbalanced_brace
from bessemer.authoring.edges import bad_edges
from bessemer.authoring.hints import hint
from bessemer.authoring.lint import unused_inputs, unwritten_results
from bessemer.authoring.places import Places, definition
from bessemer.authoring.source import GeneratedSource
from bessemer.errors import CompileError, KernelWarning


def check_kernel(kernel, source: GeneratedSource) -> CompileError | None:
    """What is wrong with one source of `kernel`, or None."""
    places = Places(kernel, source)
    misplaced = _text_errors(kernel, places)
    if misplaced:
        return _failure(kernel, misplaced)
    try:
        library = _bessemer.compile(
            source=source.text,
            file_name=places.generated,
            first_line=1,
            include_dirs=[],
            defines=[],
            math="relaxed",
            language="4.0",
            function_constants={},
        )
    except CompileError as error:
        moved = []
        for diagnostic in error.diagnostics:
            moved += _moved(diagnostic, kernel, places)
        return _failure(kernel, moved, str(error))
    missing = _missing_constants(library, kernel, source, places)
    return _failure(kernel, missing) if missing else None


def warn_of_unused_names(kernel) -> None:
    """Warns of inputs that the body ignores and results that it never writes."""
    helper = kernel.helper_src or ""
    findings = [
        f"the body never uses the input {name!r}"
        for name in unused_inputs(kernel.input_names, kernel.src, helper)
    ]
    findings += [
        f"the body never writes the result {name!r}, so it stays zero"
        for name in unwritten_results(kernel.result_names, kernel.src, helper)
    ]
    if findings:
        message = (
            f"kernel {kernel.name!r} ({definition(kernel)}): {'; '.join(findings)}"
        )
        warnings.warn(message, KernelWarning, stacklevel=4)


def _failure(kernel, diagnostics: list[Diagnostic], otherwise="") -> CompileError:
    heading = f"kernel {kernel.name!r} ({definition(kernel)}) does not compile:"
    text = "\n".join(map(str, diagnostics)) or otherwise
    return CompileError(f"{heading}\n{text}", diagnostics)


def _missing_constants(library, kernel, source, places) -> list[Diagnostic]:
    """Errors for function constants: a model has no values for them."""
    if not library.function_constants:
        return []
    code = library.emit(source.name, "ir", (0, 0, 0), "cpu", False)
    mark = re.search(r'"bsm\.undefined_constants"="([^"]*)"', code)
    errors = []
    for name in mark[1].split(",") if mark else ():
        message = (
            f"function constants have no values in a model, but the kernel uses "
            f"{name!r}; write the value in the source, or make it a scalar input"
        )
        word = re.compile(rf"\b{re.escape(name)}\b")
        part = "helper_src" if word.search(kernel.helper_src or "") else "src"
        found = word.search(getattr(kernel, part) or "")
        errors.append(places.at("error", message, part, found.start() if found else 0))
    return errors


def _text_errors(kernel, places: Places) -> list[Diagnostic]:
    """What would make a mess of the generated text around src and helper_src."""
    errors = [
        places.at("error", what, part, offset)
        for part, offset, what in bad_edges(
            places.source, kernel.src, kernel.helper_src or ""
        )
    ]
    for part in ("helper_src", "src"):
        found = unbalanced_brace(getattr(kernel, part) or "")
        if found:
            offset, what = found
            message = f"{what} (the generated kernel has its own around {part})"
            errors.append(places.at("error", message, part, offset))
    return errors


def _moved(diagnostic: Diagnostic, kernel, places: Places) -> list[Diagnostic]:
    """The diagnostic at the user's place, and advice on it."""
    moved = places.move(diagnostic)
    part = places.part_of(diagnostic)
    advice = hint(moved.message, part, kernel) if part else ""
    if not advice:
        return [moved]
    where = moved.file, moved.line, moved.column
    return [moved, Diagnostic("note", advice, *where, "")]
