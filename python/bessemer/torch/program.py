"""AIProgram: a converted program, to print and to save."""

from __future__ import annotations

import os
import re
from pathlib import Path

from bessemer import _bessemer
from bessemer.authoring.constraints import check_constraints
from bessemer.errors import ArgumentError
from bessemer.options import check_path, check_text
from bessemer.runtime.asset import AIModelAsset
from bessemer.runtime.metadata import AIModelAssetMetadata, check_metadata
from bessemer.torch.static_shapes import with_static_shapes

# A graph's symbol and its arguments, in the text of a program.
_HEADER = re.compile(
    r'^ *coreai\.graph (?:noinline )?@("[^"]*"|\S+?)\((.*)\) -> ', re.M
)
_NAME = re.compile(r'coreai\.name = "([^"]*)"')


def _with_line(message: str, text: str) -> str:
    """The parser's "2:39: ..." with the line that it speaks of."""
    place = re.match(r"(\d+):(\d+): ", message)
    lines = text.splitlines()
    if not place or not 0 < int(place[1]) <= len(lines):
        return message
    line, column = lines[int(place[1]) - 1], int(place[2]) - 1
    begin = max(0, column - 40)  # Lines with Metal source are long.
    return f"{message}\n  {line[begin : column + 40]}\n  {' ' * (column - begin)}^"


class AIProgram:
    """Entry points as graphs of the coreai dialect; str() is their text."""

    def __init__(self, program: _bessemer.Program):
        self._program = program

    @classmethod
    def parse(cls, text: str) -> AIProgram:
        """A program from its text."""
        if not isinstance(text, str):
            raise ArgumentError(f"parse takes a program as a str, got {text!r}")
        check_text("the program", text)
        if not text.strip():
            raise ArgumentError("the program's text is empty")
        try:
            return cls(_bessemer.Program.parse(text))
        except ValueError as error:
            raise type(error)(_with_line(str(error), text)) from None

    def __str__(self) -> str:
        return self._program.print()

    def optimize(self) -> None:
        """Nothing to do: programs are optimised when they are loaded."""

    def save_asset(
        self,
        path: str | os.PathLike,
        metadata: AIModelAssetMetadata | None = None,
        minimum_os=None,
    ) -> AIModelAsset:
        """Writes NAME.aimodel, replacing an older one, whole or not at all."""
        path = Path(check_path(path))
        if path.suffix != ".aimodel":
            raise ValueError(
                f"save_asset path must use the .aimodel extension, got {path.suffix!r}"
            )
        metadata = metadata or AIModelAssetMetadata()
        check_metadata(metadata)
        self._program.save(
            path,
            author=metadata.author,
            license=metadata.license,
            description=metadata.model_description,
            creator_defined=metadata.creator_defined_metadata,
        )
        return AIModelAsset.load(path)

    def set_hardware_constraints(self, entrypoint: str, constraints: dict) -> None:
        """Checks the wishes; plain memory fulfils those that it accepts."""
        check_constraints(entrypoint, self._input_names(entrypoint), constraints)

    def _input_names(self, entrypoint: str) -> list[str]:
        for name, arguments in _HEADER.findall(str(self)):
            if name.strip('"') == entrypoint:
                return _NAME.findall(arguments)
        raise ValueError(f"graph {entrypoint!r} not found in program")

    def set_static_shape_config(self, entrypoint: str, config: dict) -> None:
        """Replaces an entry point by one for each configuration of sizes.

        `{"small": {"x": (2, 4)}}` makes `main_small` of `main`, which runs at these
        sizes alone.
        """
        if not isinstance(config, dict):
            raise ArgumentError(
                "set_static_shape_config takes a dict of shapes by input by suffix, "
                f"got {config!r}"
            )
        text = with_static_shapes(str(self), entrypoint, config)
        self._program = _bessemer.Program.parse(text)
