"""Texts that would swallow what the generated source puts before or behind them."""

from __future__ import annotations

import re

from bessemer.authoring.braces import SKIPPED


def bad_edges(source, src: str, helper_src: str):
    """(part, offset, what is wrong) of every text that does not fit its place.

    The body follows `{ ` on one line and ` }` follows it, unless literals of scalars
    put lines of their own around it.
    """
    start, end = source.body_start, source.body_start + len(source.body.text)
    if source.text[start - 1] != "\n" and re.match(r"[ \t]*#", src):
        yield (
            "src",
            src.index("#"),
            "a preprocessor line cannot begin src, which follows the kernel's brace: "
            "put a new line before it",
        )
    what = _open_end(src)
    if what and source.text[end] != "\n":
        offset = len(src) - len(src.rpartition("\n")[2])
        yield (
            "src",
            offset,
            f"{what} at the end of src takes in the kernel's closing brace: put a new "
            "line after it",
        )
    if re.search(r"\\[ \t]*\Z", helper_src):
        yield (
            "helper_src",
            helper_src.rindex("\\"),
            "this backslash joins the kernel's line to helper_src: put a new line "
            "after it",
        )


def _open_end(text: str) -> str:
    """What the last line is, if anything after it would belong to it."""
    last = text.rpartition("\n")[2]
    if last.lstrip().startswith("#"):
        return "a preprocessor line"
    if re.search(r"\\[ \t]*\Z", last):
        return "a backslash"
    skipped = [match for match in SKIPPED.finditer(text) if match.end() == len(text)]
    return "a // comment" if skipped and skipped[0].group().startswith("//") else ""
