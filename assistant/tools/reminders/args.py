"""The arguments of the tools of reminders, their results, and how facts hold a reminder."""

from datetime import date, datetime
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    NaiveDatetime,
)

from assistant.domain.calendar.recurrence import Recurrence
from assistant.domain.policy.traits import Scopes
from assistant.domain.reminders.reminder import TEXT_LIMIT

REMINDERS = Scopes(apps=("reminders",))
_DAY_ALONE = len("2026-11-30")
_JOINERS = frozenset("\u00ad\u200c\u200d")
"""Invisible characters that words and emoji are written with."""


def _no_naive(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _DAY_ALONE:
        try:
            naive = datetime.fromisoformat(value).tzinfo is None
        except ValueError:
            return value
        if naive:
            raise ValueError("a time needs its offset, such as 2026-11-30T10:00:00+01:00")
    return value


def _plain(value: str) -> str:
    text = " ".join(value.split())
    if not text or not all(char.isprintable() or char in _JOINERS for char in text):
        raise ValueError("what to remind of is one line of text that can be shown")
    return text


def _asked(**example: JsonValue) -> ConfigDict:
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [example]})


Moment = Annotated[AwareDatetime | date, BeforeValidator(_no_naive)]
Words = Annotated[str, Field(min_length=1, max_length=TEXT_LIMIT), AfterValidator(_plain)]


class RemindMe(BaseModel):
    """Remind the owner of something at a moment, once or again and again.

    A time carries its offset (2030-11-30T09:00:00+01:00); a day alone (2030-11-30) means 9:00. What
    repeats keeps its time of day when the clocks change; its first time is ``at``.
    """

    model_config = _asked(text="Call Bob", at="2030-11-29T09:00:00+01:00")
    text: Words = Field(description="what to remind of, as the owner is told it")
    at: Moment = Field(description="when, or when for the first time")
    repeats: Recurrence | None = None


class ListReminders(BaseModel):
    """List the reminders that wait, the next one first."""

    model_config = _asked(limit=20)
    limit: int = Field(20, ge=1, le=100)


class CancelReminder(BaseModel):
    """Cancel a reminder, with all its repetitions."""

    model_config = _asked(reminder="R1")
    reminder: str = Field(min_length=1, max_length=64, description="such as R3")


class ResumeReminder(BaseModel):
    """Let a cancelled reminder wait again."""

    model_config = _asked(reminder="R1")
    reminder: str = Field(min_length=1, max_length=64)


class SetReminder(BaseModel):
    """A reminder as facts and results hold it."""

    id: str
    text: str
    at: AwareDatetime
    wall: NaiveDatetime
    zone: str
    repeats: Recurrence | None = None


class FoundReminder(SetReminder):
    """A reminder that waits, with what it is called."""

    handle: str


class FoundReminders(BaseModel):
    """The reminders that were found."""

    reminders: list[FoundReminder]
