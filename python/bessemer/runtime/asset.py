"""AIModelAsset: an .aimodel on disk."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bessemer import _bessemer
from bessemer.devices import resolve
from bessemer.errors import AssetError, AssetNotFoundError, printable
from bessemer.runtime.metadata import AIModelAssetMetadata

_OWN_KEYS = ("author", "license", "description")


class AIModelAsset:
    """A folder NAME.aimodel; nothing is read before it is needed."""

    def __init__(self, path: str | os.PathLike):
        self.path = Path(path)

    @classmethod
    def load(cls, path: str | os.PathLike) -> AIModelAsset:
        """The asset at a path; it is looked at when something is asked of it."""
        return cls(path)

    @property
    def program(self):
        """The program inside, as text and to save again."""
        from bessemer.torch.program import AIProgram

        _require(self.path)
        return AIProgram(_bessemer.Program.load(self.path))

    @property
    def is_valid(self) -> bool:
        """Whether the folder is whole: files, version and hash."""
        try:
            _bessemer.Model.load(self.path, resolve(None))
        except (RuntimeError, LookupError, ValueError, OSError):
            return False
        return True

    @property
    def metadata(self) -> AIModelAssetMetadata:
        """Author, licence, description, date and the creator's own keys."""
        stored = self._read_metadata()
        date = stored.get("creationDate")
        parsed = date and datetime.strptime(date, "%Y%m%dT%H%M%SZ")
        return AIModelAssetMetadata(
            *(stored.get(key, "") for key in _OWN_KEYS),
            creation_date=parsed and parsed.replace(tzinfo=UTC).timestamp(),
            creator_defined_metadata=stored.get("creatorDefinedMetadata", {}),
        )

    def update_metadata(self, change) -> None:
        """Calls `change(metadata)` and writes what it left."""
        metadata = self.metadata
        change(metadata)
        stored = self._read_metadata()
        values = (metadata.author, metadata.license, metadata.model_description)
        for key, value in zip(_OWN_KEYS, values, strict=True):
            stored.pop(key, None)
            if value:
                stored[key] = value
        stored["creatorDefinedMetadata"] = metadata.creator_defined_metadata
        handle, name = tempfile.mkstemp(dir=self.path, suffix=".json")
        with os.fdopen(handle, "w") as file:
            json.dump(stored, file, indent=2)
        os.replace(name, self.path / "metadata.json")

    @contextlib.asynccontextmanager
    async def executable(self, specialization_options=None):
        """The loaded model, as an asynchronous context."""
        from bessemer.runtime.model import AIModel

        yield await AIModel.load(self.path, specialization_options)

    def _read_metadata(self) -> dict:
        _require(self.path)
        path = self.path / "metadata.json"
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError as error:
            raise AssetError(
                f"{printable(path)} is not UTF-8 text: byte {error.start} is "
                f"0x{error.object[error.start]:02x}"
            ) from None
        except (OSError, ValueError) as error:
            raise AssetError(f"{printable(path)}: {error}") from None
        if not isinstance(stored, dict):
            raise AssetError(f"{printable(path)}: a JSON object is wanted")
        return stored

    def __repr__(self) -> str:
        return f"AIModelAsset({str(self.path)!r})"


def _require(path: Path) -> None:
    if not path.exists():
        raise AssetNotFoundError(f"{printable(path)}: no such file or directory")
