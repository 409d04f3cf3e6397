"""Writes the .metal files of a folder as C++ initialisers {name, text}."""

import pathlib
import sys


def literal(line: str) -> str:
    escaped = line.replace("\\", "\\\\").replace('"', '\\"')
    return f'    "{escaped}\\n"'


def main() -> None:
    output, folder = (pathlib.Path(argument) for argument in sys.argv[1:])
    entries = []
    for path in sorted(folder.glob("*.metal")):
        text = "\n".join(map(literal, path.read_text().splitlines()))
        entries.append(f'{{"{path.stem}",\n{text}}},\n')
    output.write_text("".join(entries))


if __name__ == "__main__":
    main()
