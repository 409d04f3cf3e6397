"""python -m bessemer.torch.check_functors FILE.metal [OPTIONS]"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from pathlib import Path

from bessemer.errors import CompileError, InputError
from bessemer.torch.functors import check_functors


def _reference(text: str):
    """NAME=MODULE.FUNCTION"""
    name, equal, path = text.partition("=")
    module, dot, function = path.rpartition(".")
    if not (equal and dot):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=MODULE.FUNCTION")
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from None
    if not callable(found):
        raise argparse.ArgumentTypeError(f"{text!r}: {path} is no function")
    return name, found


def _regex(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from None
    return text


def _writable(text: str) -> Path:
    """A file that can be written, found out before the work; it stays as it was."""
    path = Path(text)
    existed = path.exists()
    try:
        path.open("a").close()
        if not existed:
            path.unlink()
    except OSError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return path


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bessemer.torch.check_functors",
        description="Runs the kernels of a functor file of PyTorch's Metal backend "
        "over layouts and shapes, and compares them with ATen on the CPU.",
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", default=".*", type=_regex, metavar="REGEX",
                        help="operators or whole names of kernels")  # fmt: skip
    parser.add_argument("--reference", action="append", default=[], type=_reference,
                        metavar="NAME=MODULE.FUNCTION",
                        help="what an operator is compared with")  # fmt: skip
    parser.add_argument("--junit", type=_writable, metavar="FILE",
                        help="writes results")  # fmt: skip
    return parser


def main() -> int:
    options = _parser().parse_args()
    count = 0

    def seen(result) -> None:
        nonlocal count
        count += 1
        if sys.stderr.isatty():
            print(f"\r{count} {result.functor.kernel[:60]:60}", end="", file=sys.stderr)

    try:
        report = check_functors(
            options.file.read_text(encoding="utf-8"),
            references=dict(options.reference),
            only=options.only,
            seen=seen,
        )
    except (OSError, UnicodeDecodeError, CompileError, InputError) as error:
        print(f"error: {options.file}: {error}", file=sys.stderr)
        return 2
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(report)
    if not report.results:
        print(
            f"error: {options.file}: nothing was checked: it has no kernel of a "
            f"functor that matches --only {options.only!r}",
            file=sys.stderr,
        )
        return 2
    if options.junit:
        options.junit.write_text(report.to_junit(), encoding="utf-8")
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
