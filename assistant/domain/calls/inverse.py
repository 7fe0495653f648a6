"""What would take a change back."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class Inverse(BaseModel):
    """A call that undoes another one. It is judged as what it is, like any call."""

    model_config = ConfigDict(frozen=True)
    tool: str
    args: dict[str, Any]
    """As they would be asked for."""
    words: str
    """What a person is told it does: ``Delete the event “Lunch” again``."""
