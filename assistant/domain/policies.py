"""A policy as it was written, and which one is in force."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict


class PolicyText(BaseModel):
    """One version of an owner's policy. Version 0 is the built-in one, which has no text."""

    model_config = ConfigDict(frozen=True)
    version: int = 0
    digest: str = ""
    """SHA-256 of ``text``."""
    text: str = ""
    by: str = ""
    at: datetime | None = None
