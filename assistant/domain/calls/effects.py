"""An effect: what a call changes, written as an intent before the change and as a fact after."""

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
    """One change, keyed by the call, never by the attempt."""

    model_config = ConfigDict(frozen=True)
    call: str
    kind: str
    """For example ``calendar.create``."""
    key: str
    """What makes a second attempt change nothing: a CalDAV UID, a blob's name."""
    destination: str
    before: dict[str, Any] = Field(default_factory=dict)
    after: dict[str, Any] = Field(default_factory=dict)
    inverse: dict[str, Any] = Field(default_factory=dict)
    """The call that would undo it (``tool``, ``args``, ``words``), written before the change.

    Empty where there is none.
    """
    undone: str = ""
    """Id of the call that undid it."""
    state: EffectState = EffectState.INTENDED
    fence: int = 0
    at: datetime | None = None
