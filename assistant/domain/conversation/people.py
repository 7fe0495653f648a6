"""Whom a channel knows by which id, and whom the assistant listens to."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict


class Person(BaseModel):
    """A channel's own id of somebody who speaks for an owner: never a name or a role."""

    model_config = ConfigDict(frozen=True)
    channel: str
    id: str
    owner: str
    by: str = ""
    """How they came to be known: ``paired`` or ``settings``."""
    at: datetime | None = None
