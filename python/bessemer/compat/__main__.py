"""python -m bessemer.compat SCRIPT.py [ARGS], and the other forms of `python`."""

from __future__ import annotations

import os
import runpy
import sys
import types

from bessemer import compat

USAGE = (
    "usage: python -m bessemer.compat SCRIPT.py | FOLDER | - | -c CODE | -m MODULE "
    "[ARGS]"
)


def main() -> None:
    arguments = sys.argv[1:]
    first = arguments[0] if arguments else ""
    if first in ("-h", "--help"):
        print(USAGE)
        return
    if len(arguments) < (2 if first in ("-m", "-c") else 1):
        _refuse(USAGE)
    if first == "-m":
        sys.argv = arguments[1:]
        compat.install()
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    elif first == "-c":
        _run_text(arguments[1], "<string>", ["-c", *arguments[2:]])
    elif first == "-":
        _run_text(sys.stdin.read(), "<stdin>", arguments)
    elif first.startswith("-"):
        _refuse(f"bessemer.compat: no such option: {first}\n{USAGE}")
    else:
        _run_path(first, arguments)


def _refuse(message: str) -> None:
    print(message, file=sys.stderr)
    sys.exit(2)


def _run_text(text: str, name: str, arguments: list[str]) -> None:
    sys.argv = arguments
    sys.path[0] = ""
    compat.install()
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    exec(compile(text, name, "exec", dont_inherit=True), module.__dict__)


def _run_path(path: str, arguments: list[str]) -> None:
    sys.argv = arguments
    if not os.path.exists(path):
        _refuse(f"bessemer.compat: no such file: {path}")
    if os.path.isdir(path):
        if not os.path.exists(os.path.join(path, "__main__.py")):
            _refuse(f"bessemer.compat: the folder has no __main__.py: {path}")
        # runpy puts the folder there.
        del sys.path[0]
    else:
        sys.path[0] = os.path.dirname(os.path.abspath(path))
    compat.install()
    runpy.run_path(path, run_name="__main__")


if __name__ == "__main__":
    main()
