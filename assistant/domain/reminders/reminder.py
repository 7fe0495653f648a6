"""A reminder: words that the owner is told at a moment, once or again and again."""

from collections.abc import Mapping
from enum import StrEnum

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, NaiveDatetime

from assistant.domain.calendar.recurrence import Recurrence

MOST_WAITING = 500
"""How many reminders of an owner may wait at one time."""
TEXT_LIMIT = 500
"""Characters of what is told."""


class ReminderState(StrEnum):
    WAITING = "waiting"
    TOLD = "told"
    """It was told, and does not come again."""
    CANCELLED = "cancelled"


REMINDER_NAMES: Mapping[ReminderState, str] = {
    ReminderState.WAITING: "waits",
    ReminderState.TOLD: "was told",
    ReminderState.CANCELLED: "cancelled",
}


class Reminder(BaseModel):
    """One row. ``at`` decides when it is told; ``wall`` and ``zone`` say when the next one is."""

    model_config = ConfigDict(frozen=True)
    id: str
    number: int = 0
    """What people type for it, as ``R3``; the store gives it."""
    owner: str
    text: str = Field(max_length=TEXT_LIMIT)
    at: AwareDatetime
    """When it is told next, or was told last."""
    wall: NaiveDatetime
    """What clocks in ``zone`` showed at the first time of it. A series keeps this time of day."""
    zone: str
    """The IANA zone that it was meant in."""
    repeats: Recurrence | None = None
    state: ReminderState = ReminderState.WAITING
    told: AwareDatetime | None = None
    """When it was told last."""
    call: str = ""
    """Id of the call that made it."""
    tainted: bool = False
    """True if outside text was in view when it was made."""
    made: AwareDatetime
    trace: str = ""

    @property
    def handle(self) -> str:
        return f"R{self.number}"
