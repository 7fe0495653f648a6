"""A calendar event, with only what the assistant may know: title and time."""

from datetime import date, datetime, timedelta
from typing import Annotated, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from assistant.domain.calendar.recurrence import Recurrence

TITLE_LIMIT = 500
MOST_ALERTS = 10
LONGEST_ALERT = timedelta(days=366)
TITLES = "titles in the calendar"
"""Where the words of titles come from. They are outside text, whoever made the event."""
MORE_FOLLOW = "more occurrences are not listed"
"""The defect of the last occurrence that is listed of a series. Its own time is true."""


class When(BaseModel):
    """A time span, the end excluded.

    Timed: two aware datetimes. All day: two dates, the end being the day after the last one
    (RFC 5545, 3.6.1).
    """

    model_config = ConfigDict(frozen=True)
    start: AwareDatetime | date
    end: AwareDatetime | date

    @property
    def all_day(self) -> bool:
        return not isinstance(self.start, datetime)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if isinstance(self.start, datetime) != isinstance(self.end, datetime):
            raise ValueError("start and end must be both times or both dates")
        if self.end <= self.start:
            raise ValueError("the end is not after the start")
        if self.end - self.start > timedelta(days=366):
            raise ValueError("an event may last 366 days at the most")
        return self


Alert = Annotated[timedelta, Field(ge=timedelta(), le=LONGEST_ALERT)]


class Event(BaseModel):
    model_config = ConfigDict(frozen=True)
    uid: str
    title: str = Field(max_length=TITLE_LIMIT)
    when: When
    etag: str = ""
    """The server's version of the object, for ``If-Match``, with quotes if the server sends any."""
    recurring: bool = False
    """True for an occurrence of a series; ``uid`` then names the series."""
    recurrence_id: AwareDatetime | date | None = None
    """Which occurrence of a series: when it would begin if nobody had moved it."""
    recurrence: Recurrence | None = None
    """How it repeats: of an event to create, and of a series as a whole.

    None also where ``Recurrence`` has no words for it.
    """
    alerts: tuple[Alert, ...] = Field(default=(), max_length=MOST_ALERTS)
    """How long before its begin the owner's programs show a reminder."""
    defect: str = ""
    """Why a series cannot be expanded. It takes place, but nobody knows when: ``when`` is its first
    time. Or ``MORE_FOLLOW``."""

    @property
    def unread(self) -> bool:
        """Whether nobody knows when it takes place, so that ``when`` is not to be gone by."""
        return self.defect not in {"", MORE_FOLLOW}
