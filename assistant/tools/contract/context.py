"""What a tool is given with each call: whose it is, when, where, and how to stop."""

from collections.abc import Callable
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.calls.cancel import Cancel
from assistant.domain.jobs.job import Cause


def _ignore(_words: str) -> None:
    """Drop the output: nobody is watching."""


class ToolContext(BaseModel):
    """The call that a tool works for, and its owner's time and zone."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)
    cause: Cause
    call: str
    """The call's id. It keys every effect of the call, whichever attempt this is."""
    now: datetime
    zone: str
    conversation: str = ""
    """Id of the conversation that asks; empty where that does not matter."""
    cancel: Cancel = Field(default_factory=Cancel, repr=False)
    """Asked between two steps of anything that takes long; it knows the time-out too."""
    update: Callable[[str], None] = Field(default=_ignore, repr=False)
    """Shows the next piece of output to whoever watches. Never the result's only place."""
