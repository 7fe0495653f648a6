"""The file store: paths in three scopes, versions that are kept."""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from assistant.domain.conversation.conversation import Origin


class Scope(StrEnum):
    PRIVATE = "private"
    """The owner's alone; what names no scope is here."""
    SHARED = "shared"
    """Others may be let in."""
    PUBLIC = "public"
    """Anybody may read it."""


class FileVersion(BaseModel):
    """What a path held from ``at`` on, until the next version. Versions begin with 1."""

    model_config = ConfigDict(frozen=True)
    path: str
    """Canonical, with its scope: ``private:/notes/rent.txt``."""
    version: int = 0
    deleted: bool = False
    size: int = 0
    sha256: str = ""
    blob: str = ""
    """Name of the immutable bytes; empty where it was deleted."""
    content_type: str = "text/plain"
    origin: Origin = Origin.OUTSIDE
    """Who wrote what it holds: outside unless everything in view was clean."""
    source: str = ""
    """Where words from outside come from."""
    call: str = ""
    by: str = ""
    at: datetime | None = None
