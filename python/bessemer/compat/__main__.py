"""python -m bessemer.compat SCRIPT.py [ARGS] | -m MODULE [ARGS]"""

from __future__ import annotations

import os
import runpy
import sys

from bessemer import compat

USAGE = "usage: python -m bessemer.compat SCRIPT.py [ARGS] | -m MODULE [ARGS]"


def main() -> None:
    arguments = sys.argv[1:]
    if arguments and arguments[0] in ("-h", "--help"):
        print(USAGE)
        return
    is_module = bool(arguments) and arguments[0] == "-m"
    if len(arguments) < 1 + is_module:
        print(USAGE, file=sys.stderr)
        sys.exit(2)
    if is_module:
        sys.argv = arguments[1:]
        compat.install()
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return
    sys.argv = arguments
    if not os.path.exists(arguments[0]):
        print(f"bessemer.compat: no such file: {arguments[0]}", file=sys.stderr)
        sys.exit(2)
    sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
    compat.install()
    runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main()
