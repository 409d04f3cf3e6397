"""Running the program `bessemer`, and modules as programs."""

import os
import shutil
import subprocess
import sys

BESSEMER = shutil.which("bessemer") or os.path.join(
    os.environ.get("BESSEMER_BUILD", ""), "bin", "bessemer"
)


def bessemer(*words, cwd=None, **environment):
    """The result; each of `words` is one word, or a line of them."""
    words = [
        w for line in words for w in (line.split() if " " in str(line) else [line])
    ]
    return subprocess.run(
        [BESSEMER, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=os.environ | environment,
    )


def python_module(*words):
    """The result of `python -m` with these words."""
    return subprocess.run(
        [sys.executable, "-m", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )


def refused(result, message):
    """Whether it is bad usage or input, and says so."""
    assert result.returncode == 2 and message in result.stderr, result.stderr
    assert result.stdout == ""
    return True
