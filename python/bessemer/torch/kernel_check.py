"""Compiles a kernel's generated source; errors point into the user's Python file."""

from __future__ import annotations

import difflib
import re
import warnings

from bessemer import _bessemer
from bessemer._bessemer import Diagnostic
from bessemer.authoring.braces import unbalanced_brace
from bessemer.authoring.lint import unused_inputs, unwritten_results
from bessemer.authoring.places import Places, definition
from bessemer.authoring.source import GeneratedSource
from bessemer.errors import CompileError, KernelWarning

_UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'(.*)")
_UNKNOWN_TYPE = re.compile(r"unknown type name '(\w+)'(.*)")


def check_kernel(kernel, source: GeneratedSource) -> CompileError | None:
    """What is wrong with one source of `kernel`, or None."""
    places = Places(kernel, source)
    braces = _brace_errors(kernel, places)
    if braces:
        return _failure(kernel, braces)
    try:
        _bessemer.compile(
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
        for diagnostic in map(places.move, error.diagnostics):
            moved += [diagnostic, *_hints(diagnostic, kernel)]
        return _failure(kernel, moved, str(error))
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
        message = (
            f"kernel {kernel.name!r} ({definition(kernel)}): {'; '.join(findings)}"
        )
        warnings.warn(message, KernelWarning, stacklevel=4)


def _failure(kernel, diagnostics: list[Diagnostic], otherwise="") -> CompileError:
    heading = f"kernel {kernel.name!r} ({definition(kernel)}) does not compile:"
    text = "\n".join(map(str, diagnostics)) or otherwise
    return CompileError(f"{heading}\n{text}", diagnostics)


def _brace_errors(kernel, places: Places) -> list[Diagnostic]:
    errors = []
    for part in ("helper_src", "src"):
        found = unbalanced_brace(getattr(kernel, part) or "")
        if found:
            offset, what = found
            message = f"{what} (the generated kernel has its own around {part})"
            errors.append(places.at("error", message, part, offset))
    return errors


def _hints(diagnostic: Diagnostic, kernel) -> list[Diagnostic]:
    """After an unknown name: what the kernel declares."""
    match = _UNDECLARED.match(diagnostic.message)
    kind = _UNKNOWN_TYPE.match(diagnostic.message)
    if match and "did you mean" not in match.group(2):
        hint = _declared_names(match.group(1), kernel)
    elif kind and kind.group(1).isupper() and kernel.input_names:
        hint = (
            f"to have {kind.group(1)} stand for an input's element type, pass "
            f"template_dtypes={{{kernel.input_names[0]!r}: {kind.group(1)!r}}}"
        )
    else:
        return []
    where = diagnostic.file, diagnostic.line, diagnostic.column
    return [Diagnostic("note", hint, *where, "")]


def _declared_names(unknown: str, kernel) -> str:
    names = {
        **dict.fromkeys(kernel.input_names, "input"),
        **dict.fromkeys(kernel.result_names, "result"),
        **{p.name: f"{p.dtype} [[{p.attr}]]" for p in kernel.metal_params},
    }
    near = difflib.get_close_matches(unknown, names, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    declared = ", ".join(f"{name} ({what})" for name, what in names.items())
    return f"the kernel declares {declared}{hint}"
