"""Braces of a body or helper source, which the generated text encloses."""

from __future__ import annotations

import re

SKIPPED = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL
)
_CONDITIONAL = re.compile(r"^\s*#\s*(?:if|else|elif)", re.MULTILINE)


def unbalanced_brace(text: str) -> tuple[int, str] | None:
    """(offset, what is wrong) of the first brace without a partner.

    Text with preprocessor conditionals is left to the compiler: its branches may
    hold braces that exclude each other.
    """
    if _CONDITIONAL.search(text):
        return None
    blanked = SKIPPED.sub(lambda match: " " * len(match.group()), text)
    open_braces = []
    for match in re.finditer(r"[{}]", blanked):
        if match.group() == "{":
            open_braces.append(match.start())
        elif open_braces:
            open_braces.pop()
        else:
            return match.start(), "this '}' closes no brace of the text"
    if open_braces:
        return open_braces[-1], "this '{' is never closed"
    return None
