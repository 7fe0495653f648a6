"""The port of a calendar."""

from collections.abc import Sequence
from typing import Protocol

from assistant.domain.calendar.events import Event, When


class Calendar(Protocol):
    """One calendar. Errors: ``Unreachable``, ``Misconfigured``, and those each method names."""

    def address(self) -> str:
        """Return the server, account and calendar, without a secret. Approvals are bound to it."""
        ...

    def between(self, when: When) -> Sequence[Event]:
        """Return the events that overlap the range, series expanded, by start."""
        ...

    def get(self, uid: str) -> Event:
        """Return an event. Raises ``NotFound``."""
        ...

    def create(self, event: Event) -> str:
        """Create an event; return its etag. Raises ``AlreadyThere`` (UID taken) or ``Unsure``."""
        ...

    def update(self, event: Event) -> str:
        """Change title and time of ``event.uid`` if it has ``event.etag``; return the new etag.

        Keeps everything else in the object. Raises ``Stale``, ``NotFound`` or ``Unsure``.
        """
        ...

    def delete(self, uid: str, *, etag: str) -> None:
        """Delete an event. Raises ``Stale``, ``NotFound`` or ``Unsure``."""
        ...

    def raw(self, uid: str) -> bytes:
        """Return the whole iCalendar object (RFC 5545), in UTF-8. Raises ``NotFound``."""
        ...

    def restore(self, uid: str, ics: bytes, *, etag: str) -> str:
        """Store exactly this object; return its new etag. With an empty ``etag``, only if new.

        The attendees stay in it. The object is refused where the server would write to them.

        Raises:
            AlreadyThere: the object exists, and ``etag`` is empty.
            Stale, NotFound: no object has this ``etag`` any more.
            BadArguments: it is no event, has another UID, or is a message (with METHOD).
            Denied: the server would send mail to the attendees (RFC 6638).
            Unsure: no answer came.
        """
        ...

    def check(self) -> None:
        """Raise the error that makes the calendar unusable, if any."""
        ...
