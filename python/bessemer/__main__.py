"""`python -m bessemer` and, where the package was installed by pip, `bessemer`."""

import os
import shutil
import sys
from pathlib import Path


def main() -> int:
    """Becomes the command line, which lies inside an installed package."""
    program = Path(__file__).parent / "bin" / "bessemer"
    found = str(program) if program.exists() else shutil.which("bessemer")
    if found is None:
        print("error: this package was built without the command line", file=sys.stderr)
        return 3
    os.execv(found, ["bessemer", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
