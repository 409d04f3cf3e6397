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
from bessemer.options import check_path
from bessemer.runtime.metadata import AIModelAssetMetadata, check_metadata
from bessemer.runtime.summary import AIModelAssetSummary

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
        return AIModelAssetMetadata(
            *(stored.get(key, "") for key in _OWN_KEYS),
            creation_date=_seconds(stored.get("creationDate")),
            creator_defined_metadata=stored.get("creatorDefinedMetadata", {}),
        )

    def summary(self, *, include_statistics: bool = True) -> AIModelAssetSummary:
        """What the program holds; str() prints it."""
        functions = _bessemer.Model.load(self.path, resolve(None)).function_names
        text = str(self.program) if include_statistics else ""
        return AIModelAssetSummary.of(functions, text)

    def update_metadata(self, change) -> None:
        """Calls `change(metadata)` and writes what it left, whole or not at all."""
        metadata = self.metadata
        change(metadata)
        check_metadata(metadata)
        stored = self._read_metadata()
        values = (metadata.author, metadata.license, metadata.model_description)
        for key, value in zip(_OWN_KEYS, values, strict=True):
            stored.pop(key, None)
            if value:
                stored[key] = value
        stored["creatorDefinedMetadata"] = dict(metadata.creator_defined_metadata)
        text = json.dumps(stored, indent=2, ensure_ascii=False) + "\n"
        _replace(self.path / "metadata.json", text.encode())

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
        except (OSError, ValueError, RecursionError) as error:
            raise AssetError(f"{printable(path)}: {error}") from None
        wrong = _wrong_member(stored)
        if wrong:
            raise AssetError(f"{printable(path)}: {wrong}")
        return stored

    def __repr__(self) -> str:
        return f"AIModelAsset({str(self.path)!r})"


def _wrong_member(stored) -> str:
    """What the file holds that is not text where text belongs; "" if all is well."""
    if not isinstance(stored, dict):
        return "a JSON object is wanted"
    for key in ("assetVersion", *_OWN_KEYS, "creationDate"):
        if not isinstance(stored.get(key, ""), str):
            return f"{key!r} must be a string, it is {stored[key]!r}"
    if not isinstance(stored.get("creatorDefinedMetadata", {}), dict):
        return "'creatorDefinedMetadata' must be an object"
    return ""


def _seconds(date: str | None) -> float | None:
    """Since 1970; None for a date in another form: it is information only."""
    try:
        parsed = datetime.strptime(date or "", "%Y%m%dT%H%M%SZ")
    except ValueError:
        return None
    return parsed.replace(tzinfo=UTC).timestamp()


def _replace(path: Path, data: bytes) -> None:
    """The file's new content; a failure leaves the old one, and nothing else."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".metadata")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, path.stat().st_mode & 0o777)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _require(path: Path) -> None:
    check_path(path)
    if not path.exists():
        raise AssetNotFoundError(f"{printable(path)}: no such file or directory")
