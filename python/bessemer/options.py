"""What users pass to `compile`, checked: one message for each mistake."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from bessemer.errors import ArgumentError, printable

_MATH_MODES = ("relaxed", "fast", "safe")
_LANGUAGES = ("1.0", "1.1", "1.2", "2.0", "2.1", "2.2", "2.3", "2.4", "3.0", "3.1")
_LANGUAGES += ("3.2", "4.0", "4.1")
_FILE_NAME = re.compile(r"\S+\.(metal|h|txt)")
_MACRO = re.compile(r"[A-Za-z_]\w*(\([\w\s,.]*\))?")


def read_source(source: str | Path) -> tuple[str, str]:
    """The file name for messages, and the text."""
    if isinstance(source, Path):
        try:
            return printable(source), source.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise ArgumentError(
                f"{printable(source)} is not UTF-8 text: byte {error.start} is "
                f"0x{error.object[error.start]:02x}"
            ) from None
    if not isinstance(source, str):
        raise TypeError(
            "source is a str with Metal text or a pathlib.Path, got "
            f"{type(source).__name__}"
        )
    if _FILE_NAME.fullmatch(source):
        raise ArgumentError(
            f"{source!r} is a file's name, and a str is Metal text; to compile the "
            f"file, pass pathlib.Path({source!r})"
        )
    check_text("the source", source)
    return "<source>", source


def check_text(label: str, text: str) -> None:
    """Refuses what has no UTF-8, such as half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise ArgumentError(
            f"line {line} of {label} has {text[error.start]!r}, which is no "
            "character of UTF-8"
        ) from None


def check_path(path: str | os.PathLike) -> str | os.PathLike:
    """The path, which must not hold what no file system takes."""
    try:
        text = os.fsdecode(path)
    except TypeError:
        raise ArgumentError(f"a path is a str or a Path, got {path!r}") from None
    if "\0" in text:
        raise ArgumentError(f"the path {text!r} holds a zero byte")
    return path


def check_choices(math, language) -> None:
    for label, value, known in (
        ("math", math, _MATH_MODES),
        ("language", language, _LANGUAGES),
    ):
        if value not in known:
            raise ArgumentError(
                f"{label} must be one of {', '.join(map(repr, known))}; got {value!r}"
            )


def include_folders(value) -> list[Path]:
    if isinstance(value, (str, os.PathLike)) or not isinstance(value, Iterable):
        raise ArgumentError(
            f"include_dirs must be a list of folders, got {value!r}; write "
            f"include_dirs=[{value!r}]"
        )
    try:
        return [Path(os.fsdecode(check_path(folder))) for folder in value]
    except TypeError as error:
        raise ArgumentError(f"include_dirs must hold paths: {error}") from None


def macros(value) -> list[tuple[str, str]]:
    if value is not None and not isinstance(value, Mapping):
        raise ArgumentError(
            f"defines must be a dict of values by macro name, got {value!r}"
        )
    for name in value or {}:
        if not isinstance(name, str) or not _MACRO.fullmatch(name):
            raise ArgumentError(f"defines: {name!r} is no name of a macro")
        check_text(f"defines[{name!r}]", str(value[name]))
    return [(name, str(text)) for name, text in (value or {}).items()]
