"""The port that tells what changed in a calendar since it was asked last."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypeAlias

from pydantic import BaseModel, ConfigDict

from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.series import Expanded


class SyncKind(StrEnum):
    """How a server tells what changed."""

    TOKEN = "sync token"  # noqa: S105 (no secret: RFC 6578)
    CTAG = "ctag"
    """It says whether anything changed; then everything is listed."""
    LISTING = "listing"


class ObjectVersions(BaseModel):
    """Which objects changed, by the names that the server gives them, with their etags."""

    model_config = ConfigDict(frozen=True)
    etags: Mapping[str, str]
    """What changed, or is new; everything there is where ``whole``."""
    gone: frozenset[str] = frozenset()
    """What was deleted; empty where ``whole``, as then all that is not listed is gone."""
    whole: bool
    token: str
    """What to ask with next time."""
    kind: SyncKind


class CopiedObject(BaseModel):
    """An object of the calendar, with only its title and its times."""

    model_config = ConfigDict(frozen=True)
    name: str
    """Its path on the server."""
    etag: str
    uid: str = ""
    """Empty where it cannot be read, or is no event."""
    ics: str = ""
    """A VCALENDAR of UID, title, times, rule, exceptions and status: nobody's name, no notes."""
    repeats: bool = False
    defect: str = ""
    """Why nothing can be read in it."""


class CalendarChanges(Protocol):
    """Errors: those of ``Calendar.between``."""

    def changes(self, token: str) -> ObjectVersions:
        """Return what changed since ``token`` was given; everything for a token that is lost.

        An empty token asks for everything.
        """
        ...

    def objects(self, names: Sequence[str]) -> Sequence[CopiedObject]:
        """Return these objects as they are now, at most a hundred; without those that are gone."""
        ...


class ServerCalendar(Calendar, CalendarChanges, Protocol):
    """A calendar that a copy can be kept of."""

    def at(self, address: str) -> "ServerCalendar":
        """See ``Calendar``."""
        ...


Expand: TypeAlias = Callable[[Sequence[bytes], datetime, datetime], Sequence[Expanded]]
"""Lists the times of objects within a range; of what it cannot expand, the first and why."""


def same_etag(one: str, other: str) -> bool:
    """Compare etags as strong ones without their quotes, which servers write differently."""
    return _bare(one) == _bare(other)


def _bare(etag: str) -> str:
    return etag.replace("%22", '"').removeprefix("W/").strip('"')
