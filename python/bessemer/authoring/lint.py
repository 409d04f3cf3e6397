"""What a kernel's body does with the names it was given, judged by its text.

Only certain findings are reported: a name that nothing mentions, and a result
that every mention only reads. Macros and helper functions may hide uses, so a
name that the helper source mentions is left alone.
"""

from __future__ import annotations

import re

_COMMENT_OR_STRING = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL
)
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|<<=|>>=|[-+*/%&|^]=|\+\+|--|[=!<>]=|\S")
_ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
_STEPS = {"++", "--"}
_QUERIES = {"get_extent", "get_rank", "get_stride"}


def unused_inputs(names: list[str], body: str, helper: str) -> list[str]:
    """Inputs that neither the body nor the helper source mentions."""
    words = set(_tokens(body)) | set(_tokens(helper))
    return [name for name in names if name not in words]


def unwritten_results(names: list[str], body: str, helper: str) -> list[str]:
    """Results that the body never writes."""
    tokens = _tokens(body)
    hidden = set(_tokens(helper))
    return [
        name for name in names if name not in hidden and not _may_write(name, tokens)
    ]


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(_COMMENT_OR_STRING.sub(" ", text))


def _may_write(name: str, tokens: list[str]) -> bool:
    return any(
        token == name and not _only_reads(tokens, i) for i, token in enumerate(tokens)
    )


def _only_reads(tokens: list[str], i: int) -> bool:
    """Whether the mention at `i` certainly leaves the tensor's elements alone."""
    before = tokens[i - 1] if i else ""
    rest = tokens[i + 1 : i + 3]
    if rest[:1] == ["."] and rest[1] in _QUERIES:
        return True
    if before in _STEPS or before == "&" or rest[:1] != ["["]:
        return False
    after = _after_brackets(tokens, i + 1)
    # References bound to the element: a variable, or a function's parameter.
    if before == "=" and tokens[i - 3 : i - 2] == ["&"]:
        return False
    if before in ("(", ",") and after in (")", ","):
        return False
    return after not in _ASSIGNMENTS | _STEPS | {"."}


def _after_brackets(tokens: list[str], start: int) -> str:
    """The token after the subscripts that open at `start`."""
    depth = 0
    for j in range(start, len(tokens)):
        depth += (tokens[j] == "[") - (tokens[j] == "]")
        if depth == 0 and tokens[j + 1 : j + 2] != ["["]:
            return tokens[j + 1] if j + 1 < len(tokens) else ""
    return ""
