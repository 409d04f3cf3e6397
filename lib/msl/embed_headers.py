"""Writes the built-in Metal headers as C++ initialisers, for EmbeddedHeaders.inc."""

import pathlib
import sys


def literal(line: str) -> str:
    escaped = line.replace("\\", "\\\\").replace('"', '\\"')
    return f'    "{escaped}\\n"'


def main() -> None:
    output, *roots = (pathlib.Path(argument) for argument in sys.argv[1:])
    entries = []
    for root in roots:
        for path in sorted(p for p in root.rglob("*") if p.is_file()):
            lines = path.read_text().splitlines()
            text = "\n".join(literal(line) for line in lines)
            entries.append(f'{{"{path.relative_to(root).as_posix()}",\n{text}}},\n')
    output.write_text("".join(entries))


if __name__ == "__main__":
    main()
