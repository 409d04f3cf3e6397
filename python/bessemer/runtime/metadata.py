"""What an asset says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bessemer.errors import ArgumentError
from bessemer.options import check_text


@dataclass
class AIModelAssetMetadata:
    """Author, licence, description and keys of the creator's own."""

    author: str = ""
    license: str = ""
    model_description: str = ""
    creation_date: float | None = None
    creator_defined_metadata: dict[str, str] = field(default_factory=dict)

    def set_custom(self, key: str, value: str) -> None:
        """Sets a key of the creator's own."""
        self.creator_defined_metadata[key] = value

    def remove_custom(self, key: str) -> None:
        """Removes a key of the creator's own, if it is there."""
        self.creator_defined_metadata.pop(key, None)


def check_metadata(metadata: AIModelAssetMetadata) -> None:
    """All of it is text."""
    custom = metadata.creator_defined_metadata
    if not isinstance(custom, Mapping):
        raise ArgumentError(
            "metadata: creator_defined_metadata must be a dict of str by str, got "
            f"{custom!r}"
        )
    values = {
        "author": metadata.author,
        "license": metadata.license,
        "model_description": metadata.model_description,
    }
    for key, value in custom.items():
        values[f"creator_defined_metadata[{key!r}]"] = value
        values[f"the key {key!r} of creator_defined_metadata"] = key
    for label, value in values.items():
        if not isinstance(value, str):
            raise ArgumentError(f"metadata: {label} must be a str, got {value!r}")
        check_text(f"metadata: {label}", value)
