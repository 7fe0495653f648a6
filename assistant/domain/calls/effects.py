"""What a call changes in the world: written as an intent before, as a fact after."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class EffectState(StrEnum):
    INTENDED = "intended"
    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Effect(BaseModel):
    """One change, keyed by the call and never by the attempt."""

    model_config = ConfigDict(frozen=True)
    call: str
    kind: str
    """Such as ``calendar.create``."""
    key: str
    """What makes doing it twice show once: a CalDAV UID, a blob's name."""
    destination: str
    before: dict[str, Any] = Field(default_factory=dict)
    after: dict[str, Any] = Field(default_factory=dict)
    inverse: dict[str, Any] = Field(default_factory=dict)
    """The call that would take it back (``tool``, ``args``, ``words``), written before the act.

    Empty where there is none.
    """
    undone: str = ""
    """Id of the call that took it back."""
    state: EffectState = EffectState.INTENDED
    fence: int = 0
    at: datetime | None = None
