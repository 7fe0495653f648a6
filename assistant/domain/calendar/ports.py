"""A calendar."""

from collections.abc import Sequence
from typing import Protocol

from assistant.domain.calendar.events import Event, When


class Calendar(Protocol):
    """One calendar. Errors: ``Unreachable``, ``Misconfigured``, and those each method names."""

    def address(self) -> str:
        """What an approval is bound to: server, account and calendar; no secret in it."""
        ...

    def between(self, when: When) -> Sequence[Event]:
        """Events that touch the range, series expanded, by start."""
        ...

    def get(self, uid: str) -> Event:
        """Raises ``NotFound``."""
        ...

    def create(self, event: Event) -> str:
        """Its etag. Raises ``AlreadyThere`` (the UID is taken) or ``Unsure``."""
        ...

    def update(self, event: Event) -> str:
        """Change title and time of ``event.uid`` if it still is at ``event.etag``; the new etag.

        Everything else the object holds is kept. Raises ``Stale``, ``NotFound`` or ``Unsure``.
        """
        ...

    def delete(self, uid: str, *, etag: str) -> None:
        """Raises ``Stale``, ``NotFound`` or ``Unsure``."""
        ...

    def raw(self, uid: str) -> bytes:
        """The iCalendar object (RFC 5545) with all it holds, in UTF-8. Raises ``NotFound``."""
        ...

    def restore(self, uid: str, ics: bytes, *, etag: str) -> str:
        """Put exactly that object; its new etag. With an empty ``etag`` only if there is none.

        People in it stay in it. Where that would have the server write to them, it is not put.

        Raises:
            AlreadyThere: there is one, and ``etag`` is empty.
            Stale, NotFound: there is none any more that is at ``etag``.
            BadArguments: it is no event, another UID's, or a message (with METHOD).
            Denied: the server would send mail to the people in it (RFC 6638).
            Unsure: as above.
        """
        ...

    def check(self) -> None:
        """Raises what is wrong with it, if anything."""
        ...
