"""A version of a file, and the three scopes of paths."""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from assistant.domain.conversation.conversation import Origin


class Scope(StrEnum):
    PRIVATE = "private"
    """For the owner alone; the scope of a path that names none."""
    SHARED = "shared"
    """For people whom the owner lets in."""
    PUBLIC = "public"
    """For anybody to read."""


class FileVersion(BaseModel):
    """The content of a path from ``at`` until the next version. The first version is 1."""

    model_config = ConfigDict(frozen=True)
    path: str
    """Canonical, with its scope: ``private:/notes/rent.txt``."""
    version: int = 0
    deleted: bool = False
    size: int = 0
    sha256: str = ""
    blob: str = ""
    """Name of the immutable bytes; empty for a deleted file."""
    content_type: str = "text/plain"
    origin: Origin = Origin.OUTSIDE
    """Who wrote the content: outside unless everything in view was clean."""
    source: str = ""
    """Where outside text comes from."""
    call: str = ""
    by: str = ""
    at: datetime | None = None
