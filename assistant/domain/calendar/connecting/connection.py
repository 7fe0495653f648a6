"""Which calendar was connected, and the port of an account that has calendars."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from assistant.domain.calendar.ports import Calendar

CREDENTIAL = "calendar"
"""The name of the credential that holds the password of the connected calendar."""


class Login(BaseModel):
    """Where an account is, and whose it is."""

    model_config = ConfigDict(frozen=True)
    provider: str = ""
    url: str
    username: str


class CalendarConnection(BaseModel):
    """A calendar that was connected. Its password is kept apart from it, encrypted."""

    model_config = ConfigDict(frozen=True)
    login: Login
    calendar: str
    """Its id on the server."""
    name: str
    """What the owner calls it there."""


@dataclass(frozen=True, kw_only=True)
class CalendarThere:
    """A calendar of an account."""

    id: str
    name: str
    events: bool
    """Whether it takes events. Some take tasks alone."""
    writable: bool
    """False where the server says that this account may only read it."""

    @property
    def usable(self) -> bool:
        return self.events and self.writable

    @property
    def holds(self) -> str:
        """What it holds, in words."""
        return ", ".join(
            ("events" if self.events else "tasks", *(() if self.writable else ("read-only",)))
        )


class CalendarAccount(Protocol):
    """An account on a CalDAV server.

    Errors: ``Unreachable``, ``Busy``, and ``Misconfigured``, which says what to do.
    """

    def calendars(self) -> Sequence[CalendarThere]:
        """Return its calendars, by name."""
        ...

    def make(self, name: str) -> CalendarThere:
        """Make a calendar for events. Raises ``Misconfigured`` where the server refuses."""
        ...

    def open(self, id: str) -> Calendar:
        """Return one of its calendars."""
        ...


class CalendarAccounts(Protocol):
    """Reaches accounts."""

    def log_in(self, login: Login, password: str) -> CalendarAccount: ...
