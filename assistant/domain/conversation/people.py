"""The people whom the assistant listens to, by the id that a channel gives them."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict


class Person(BaseModel):
    """Somebody who speaks for an owner, by the channel's id and never by a name or a role."""

    model_config = ConfigDict(frozen=True)
    channel: str
    id: str
    owner: str
    by: str = ""
    """Who added them: ``paired`` or ``settings``."""
    at: datetime | None = None
