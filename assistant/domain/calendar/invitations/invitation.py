"""An invitation that came by mail: what one calendar object says, and nothing that it decides.

All words and times in it are a stranger's claims. It is read by ``ingest.invitations``.
"""

from datetime import date
from enum import StrEnum

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from assistant.domain.calendar.events import TITLE_LIMIT, When

UID_LIMIT = 255
RULE_LIMIT = 500
DATES_LIMIT = 100
"""The most dates that are kept which a series leaves out or adds."""


class CalendarMethod(StrEnum):
    """What a calendar object asks for (RFC 5546, 1.4)."""

    REQUEST = "request"
    CANCEL = "cancel"
    REPLY = "reply"
    COUNTER = "counter"
    PUBLISH = "publish"
    ADD = "add"
    REFRESH = "refresh"
    DECLINE_COUNTER = "declinecounter"
    OTHER = "other"


class Invitation(BaseModel):
    """One event, or one occurrence of a series, in one calendar object."""

    model_config = ConfigDict(frozen=True)
    method: CalendarMethod
    uid: str = Field(max_length=UID_LIMIT)
    recurrence_id: AwareDatetime | date | None = None
    """The occurrence that it is about, by the time it had in the series, in UTC; None: all."""
    and_following: bool = False
    """Whether it is about that occurrence and all later ones."""
    sequence: int = Field(default=0, ge=0)
    dtstamp: AwareDatetime | None = None
    title: str = Field(default="", max_length=TITLE_LIMIT)
    when: When | None = None
    """None where it has no time that can be read."""
    zone: str = ""
    """The IANA zone that its times are written in; empty for whole days and fixed offsets."""
    rrule: str = Field(default="", max_length=RULE_LIMIT)
    """Its rule of recurrence (RFC 5545, 3.3.10); empty where it has none, or one refused."""
    recurrence: str = ""
    """The same in words, of a refused rule too."""
    refused_rule: bool = False
    """Whether it has a rule that repeats within a day, or cannot be read."""
    left_out: tuple[AwareDatetime | date, ...] = ()
    """Occurrences that the rule gives and that do not take place (EXDATE)."""
    added: tuple[AwareDatetime | date, ...] = ()
    """Occurrences beside those of the rule (RDATE)."""
    location: str = ""
    organizer: str = ""
    """The organizer's address, in small letters."""
    attendees: int = 0
    mine: bool | None = None
    """Whether the owner is among the attendees; None where the owner's addresses are not known."""
    status: str = ""
    sender: str = ""
    """The address in From of the message that it came with."""
    forwarded: bool = False
    """Whether it came inside a message that was forwarded."""
    defects: tuple[str, ...] = ()

    @property
    def cancels(self) -> bool:
        """Return whether it says that the event does not take place."""
        if self.method is CalendarMethod.CANCEL:
            return True
        return self.status == "CANCELLED" and self.method in _TELLS

    @property
    def from_organizer(self) -> bool:
        """Return whether its message names the organizer as its sender, or nobody organizes it."""
        return not self.organizer or self.sender.lower() == self.organizer

    @property
    def repeats(self) -> bool:
        return bool(self.rrule or self.refused_rule or self.added)

    @property
    def tells(self) -> bool:
        """Return whether it tells guests of an event, and does not answer its organizer."""
        return self.method in _TELLS


_TELLS = frozenset(
    {
        CalendarMethod.REQUEST,
        CalendarMethod.CANCEL,
        CalendarMethod.PUBLISH,
        CalendarMethod.ADD,
    }
)
