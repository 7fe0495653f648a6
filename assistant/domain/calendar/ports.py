"""The port of a calendar."""

from collections.abc import Sequence
from datetime import date
from typing import Protocol, TypeVar

from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.series import Affected, SeriesEdit
from assistant.domain.calendar.times import EventTimes
from assistant.domain.errors import Stale

C = TypeVar("C", bound="Calendar")


def checked(calendar: C, address: str) -> C:
    """Return a calendar whose address is this one. Raises ``Stale`` if it is another."""
    if calendar.address() != address:
        raise Stale(f"it was meant for {address}; the calendar is another one now")
    return calendar


class Calendar(Protocol):
    """One calendar. Errors: ``Unreachable``, ``Misconfigured``, and those each method names."""

    def address(self) -> str:
        """Return the server, account and calendar, without a secret. Approvals are bound to it."""
        ...

    def at(self, address: str) -> "Calendar":
        """Return the calendar for a change, if its address is this one.

        What is returned stays the same, whichever calendar is connected meanwhile.

        Raises:
            Stale: it is another calendar now.
        """
        ...

    def between(self, when: When) -> Sequence[Event]:
        """Return the events that overlap the range, series expanded, by start.

        An occurrence of a series has ``recurrence_id``. A series that cannot be expanded, as it
        repeats every second or is broken, stands as one event with a ``defect``, at its first time.
        That may be before the range. Whoever shows the range says so.
        """
        ...

    def times(self, when: When) -> EventTimes:
        """Return when the events are that ``between`` returns, which takes less time."""
        ...

    def get(self, uid: str, *, occurrence: date | None = None) -> Event:
        """Return an event; of a series its first part, or the occurrence of a ``recurrence_id``.

        Raises:
            NotFound: there is no such event.
            NoSuchOccurrence: the series has no such occurrence, or it was cancelled.
        """
        ...

    def create(self, event: Event) -> str:
        """Create an event, or a series if ``event.recurrence`` is set; return its etag.

        Raises:
            AlreadyThere: the UID is taken.
            BadRecurrence: the repetition does not fit the first day.
            Unsure: no answer came.
        """
        ...

    def update(self, event: Event) -> str:
        """Change title and time of ``event.uid`` if it has ``event.etag``; return the new etag.

        For events that do not repeat; ``change_series`` is for the others. Keeps everything else in
        the object, alerts too. Raises ``Stale``, ``NotFound`` or ``Unsure``, and ``Denied`` as
        ``refuse_to_mail`` does.
        """
        ...

    def delete(self, uid: str, *, etag: str) -> None:
        """Delete an event; all of a series.

        Raises ``Stale``, ``NotFound`` or ``Unsure``, and ``Denied`` as ``refuse_to_mail`` does.
        """
        ...

    def refuse_to_mail(self, uid: str) -> None:
        """Check that the server writes to nobody when an event is changed. Changes nothing.

        Raises:
            NotFound: there is no such event.
            Denied: it has attendees or an organizer, and the server would mail them (RFC 6638).
        """
        ...

    def affected(self, edit: SeriesEdit) -> Affected:
        """Return which occurrences an edit touches, for the card. Changes nothing.

        Raises what ``change_series`` would raise before it writes.
        """
        ...

    def change_series(self, edit: SeriesEdit) -> str:
        """Carry out an edit if the series has ``edit.etag``; return the new etag, "" if it is gone.

        Cuts a series by storing the rest first, under ``edit.new_uid``, and then what stays. A
        worker that dies between the two leaves occurrences doubled, and never lost. Whoever does
        not know how an edit ended asks ``holds``, and carries it out again if not: that finishes
        half an edit, or takes it back and raises ``Stale`` if the series was changed meanwhile.

        To take an edit back, keep ``raw(edit.uid)`` from before it, and the etag returned:

        - the object is still there: ``restore`` what was kept, over that etag;
        - the object is gone (etag ""): ``restore`` it with an empty etag;
        - a series was cut (then ``get(edit.new_uid)`` finds the rest; keep its etag too):
          ``restore`` what was kept, and then ``delete`` the rest.

        Raises:
            Stale, NotFound: the series has no such version any more.
            NoSuchOccurrence: the series has no such occurrence.
            BadSeries: it cannot be read, or not be changed like this.
            BadRecurrence: the new repetition does not fit the day.
            Denied: the server would send mail to the attendees.
            Unsure: no answer came.
        """
        ...

    def holds(self, edit: SeriesEdit) -> bool:
        """Return whether an edit is carried out, all of it; False where only half of it is.

        Tells by what the series is now, and where that is not enough by ``edit.stamp``.
        """
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
