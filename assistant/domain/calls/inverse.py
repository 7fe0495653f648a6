"""The call that would undo a change."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class Inverse(BaseModel):
    """A call that undoes another one. The policy judges it like any call."""

    model_config = ConfigDict(frozen=True)
    tool: str
    args: dict[str, Any]
    """The arguments, as a model would give them."""
    words: str
    """What it does, in words for a person: ``Delete the event “Lunch” again``."""
    of_creation: bool = False
    """True when the change made something where nothing was, so that only that goes again."""
