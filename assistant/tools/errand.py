"""For which call a tool works, and how it is spoken with meanwhile."""

from collections.abc import Callable
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.calls.cancel import Cancel
from assistant.domain.jobs.job import Cause


def _unheard(_words: str) -> None:
    """Nobody listens."""


class Errand(BaseModel):
    """For which call a tool works, and when and where its owner is."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)
    cause: Cause
    call: str
    """The call's id: what keys its effects, whichever attempt it is."""
    now: datetime
    zone: str
    cancel: Cancel = Field(default_factory=Cancel, repr=False)
    """Asked between two steps of anything that takes long; it knows the time-out too."""
    update: Callable[[str], None] = Field(default=_unheard, repr=False)
    """Takes the next piece of output, for whoever watches. Never the result's only place."""
