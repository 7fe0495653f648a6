"""What a tool is given with each call: whose it is, when, where, and how to stop."""

from collections.abc import Callable
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.calls.cancel import Cancel
from assistant.domain.jobs.job import Cause


def _ignore(_words: str) -> None:
    """Drop the output: nobody is watching."""


def _anything(_name: str) -> bool:
    """Let every name be known: a person asked, or no words of others were in view."""
    return True


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
    knows: Callable[[str], bool] = Field(default=_anything, repr=False)
    """Whether who asks knows of a thing by this name. Where others' words were in view, only what
    the owner said or a tool of the same app has shown is known: a tool that finds private things by
    name asks before it looks, so that its answer does not tell whether there is such a thing."""
    update: Callable[[str], None] = Field(default=_ignore, repr=False)
    """Shows the next piece of output to whoever watches. Never the result's only place."""
