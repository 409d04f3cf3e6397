"""What an asset says of itself."""

from __future__ import annotations

from dataclasses import dataclass, field


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
