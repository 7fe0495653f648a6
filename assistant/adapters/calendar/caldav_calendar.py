"""The owner's calendar on a CalDAV server (RFC 4791), through python-caldav and icalendar.

Reads go through caldav's searches. A write is one request with a precondition, sent through
caldav's client, so that the caller knows whether it was sent and what came back.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from typing import Any, Self
from urllib.parse import quote, unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import requests
from caldav.lib import error as dav
from urllib3.exceptions import NewConnectionError

from assistant.adapters.calendar.changes import changes_since, fetched
from assistant.adapters.calendar.dav_client import (
    GARBLED,
    calendars_of,
    is_local,
    make_client,
    reason_of,
    said,
    translated,
    untrusted,
)
from assistant.adapters.calendar.event_objects import StoredObject, created, event_of, events_in
from assistant.adapters.calendar.expansion import Expand, expand_here
from assistant.adapters.calendar.icalendar_objects import (
    MARGIN,
    UNREADABLE,
    has_people,
    parsed,
    restorable,
    rewritten,
    span_of,
    with_line_ends,
)
from assistant.adapters.calendar.series.editing import edited, is_made, is_same, is_stamped
from assistant.domain.calendar.copies.changes import CopiedObject, ObjectVersions
from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.ports import checked
from assistant.domain.calendar.series import Affected, SeriesEdit, SplitSeries
from assistant.domain.calendar.times import EventTimes
from assistant.domain.errors import (
    AlreadyThere,
    AssistantError,
    BadArguments,
    Busy,
    Denied,
    Misconfigured,
    NotFound,
    Stale,
    Unsure,
)

_CHANGE = "change it"
_PUT_BACK = "put it back"
_ICAL = {"Content-Type": "text/calendar; charset=utf-8"}
_YEARS = range(1900, 2200)
# Characters that XML 1.0 (2.2) forbids would make the server's answers unreadable for every client.
_UNSPEAKABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|\x7f")


class CalDavCalendar:
    """One calendar of one account.

    Connects at the first use. Keeps what discovery found for the process (a forked child discovers
    again) until a request fails. Threads may share it. A change takes up to three requests: one to
    find the object, the change, and one for its etag where the answer has none.

    Args:
        url: the server, the account or the calendar home; empty where ``provider`` knows it.
        username: the account's name.
        password: the account's password, or one for this application.
        calendar: the calendar's name or id; empty when the account has only one.
        provider: one of caldav's compatibility profiles, such as ``icloud`` or ``radicale``.
        timeout: seconds to connect, and seconds between two pieces of an answer.
        require_tls: False allows http to this machine, never to another.
        zone: IANA name of the owner's zone, for floating times and whole days.
        expand: expands series, best where the process may be killed: they may be a stranger's.

    Raises:
        Misconfigured: there is no such zone.
    """

    def __init__(
        self,
        *,
        url: str,
        username: str,
        password: str,
        calendar: str,
        provider: str = "",
        timeout: float,
        require_tls: bool,
        zone: str,
        expand: Expand = expand_here,
    ) -> None:
        self._url = url
        self._username = username
        self._password = password
        self._wanted = calendar
        self._provider = provider
        self._timeout = timeout
        self._require_tls = require_tls
        self._zone = _zone(zone)
        self._expand = expand
        self._found: _Link | None = None

    def address(self) -> str:
        return self._link().address

    def at(self, address: str) -> Self:
        return checked(self, address)

    def check(self) -> None:
        self._found = None
        self._link()

    def between(self, when: When) -> Sequence[Event]:
        _must_be_near(when)
        start, end = span_of(when, self._zone)
        with self._asking():
            items = self._link().calendar.search(
                event=True, start=start - MARGIN, end=end + MARGIN, post_filter=False
            )
        objects = [StoredObject(_bytes(item), item.etag or "", str(item.url)) for item in items]
        events = events_in(objects, start, end, zone=self._zone, expand=self._expand)
        return sorted(events, key=lambda event: span_of(event.when, self._zone))

    def times(self, when: When) -> EventTimes:
        return EventTimes.among(self.between(when))

    def get(self, uid: str, *, occurrence: date | None = None) -> Event:
        item = self._find(uid)
        try:
            return event_of(_bytes(item), item.etag or "", occurrence, zone=self._zone)
        except UNREADABLE as problem:
            raise _unreadable(uid) from problem

    def create(self, event: Event) -> str:
        _must_be_speakable(event.title, event.uid)
        _must_be_near(event.when)
        return self._put_new(event.uid, created(event, zone=self._zone))

    def update(self, event: Event) -> str:
        """See the port. Raises ``BadArguments`` for a series, as a change would move all of it."""
        _must_be_speakable(event.title, event.uid)
        _must_be_near(event.when)
        item = self._current(event.uid, event.etag)
        try:
            body = rewritten(parsed(item), event, self._zone)
        except UNREADABLE as problem:
            raise _unreadable(event.uid) from problem
        self._refuse_to_mail(item)
        return self._put_over(item, event.uid, body)

    def delete(self, uid: str, *, etag: str) -> None:
        item = self._current(uid, etag)
        self._refuse_to_mail(item)
        _settle(self._send("DELETE", item.url, "", {"If-Match": item.etag}))

    def refuse_to_mail(self, uid: str) -> None:
        self._refuse_to_mail(self._find(uid))

    def affected(self, edit: SeriesEdit) -> Affected:
        _, split = self._edited(edit)
        return split.affected

    def change_series(self, edit: SeriesEdit) -> str:
        try:
            item, split = self._edited(edit)
        except (Stale, NotFound):
            self._take_back(edit)
            raise
        if split.new is None:
            return self._store(item, edit.uid, split.old)
        rest = self._put_rest(edit, split.new)
        try:
            return self._store(item, edit.uid, split.old)
        except Unsure:
            raise
        except AssistantError as problem:
            self._remove_rest(edit, rest, problem)
            raise

    def holds(self, edit: SeriesEdit) -> bool:
        now = self._bytes_of(edit.uid)
        rest = self._bytes_of(edit.new_uid) if edit.new_uid else None
        return is_made(edit, now, rest, zone=self._zone)

    def _edited(self, edit: SeriesEdit) -> tuple[Any, SplitSeries]:
        """Fetch the series of an edit, and carry it out on the object that was fetched."""
        _must_be_speakable(edit.title or "", edit.new_uid)
        if edit.when is not None:
            _must_be_near(edit.when)
        item = self._current(edit.uid, edit.etag)
        split = edited(_bytes(item), edit, zone=self._zone)
        self._refuse_to_mail(item)
        return item, split

    def _store(self, item: Any, uid: str, body: bytes | None) -> str:
        """Overwrite an object, or delete it."""
        if body is not None:
            return self._put_over(item, uid, body)
        _settle(self._send("DELETE", item.url, "", {"If-Match": item.etag}))
        return ""

    def _put_rest(self, edit: SeriesEdit, body: bytes) -> str:
        """Store the rest of a series that is cut, if it is not stored yet; return its etag."""
        try:
            return self._put_new(edit.new_uid, body)
        except AlreadyThere:
            item = self._find(edit.new_uid)
            if is_same(_bytes(item), body, zone=self._zone):
                return item.etag or ""
            raise Stale("the rest of the series was stored before, and changed since") from None

    def _take_back(self, edit: SeriesEdit) -> None:
        """Remove the rest that an earlier try stored, if the series is not cut and cannot be."""
        if not edit.new_uid or self.holds(edit):
            return
        with suppress(NotFound):
            item = self._find(edit.new_uid)
            if is_stamped(_bytes(item), edit.stamp, zone=self._zone):
                self._refuse_to_mail(item)
                self._store(item, edit.new_uid, None)

    def _remove_rest(self, edit: SeriesEdit, etag: str, problem: AssistantError) -> None:
        """Remove the rest that was stored, as the series could not be cut."""
        try:
            with suppress(NotFound):
                self._store(self._current(edit.new_uid, etag), edit.new_uid, None)
        except AssistantError as kept:
            raise Unsure(f"the series is there twice from the cut on ({problem})") from kept

    def _bytes_of(self, uid: str) -> bytes | None:
        """Return an object; None if there is none."""
        try:
            return _bytes(self._find(uid))
        except NotFound:
            return None

    def raw(self, uid: str) -> bytes:
        return with_line_ends(_bytes(self._find(uid)))

    def restore(self, uid: str, ics: bytes, *, etag: str) -> str:
        """See the port and ``_refuse_to_mail``."""
        calendar = restorable(ics, uid)
        _must_be_speakable(ics.decode())
        if has_people(calendar):
            self._must_not_mail(_PUT_BACK)
        if not etag:
            return self._put_new(uid, ics)
        item = self._current(uid, etag)
        self._refuse_to_mail(item, _PUT_BACK)
        return self._put_over(item, uid, ics)

    def changes(self, token: str) -> ObjectVersions:
        """See ``CalendarChanges``."""
        with self._asking():
            link = self._link()
            return changes_since(link.client, str(link.calendar.url), token)

    def objects(self, names: Sequence[str]) -> Sequence[CopiedObject]:
        """See ``CalendarChanges``."""
        with self._asking():
            link = self._link()
            return fetched(link.client, str(link.calendar.url), names)

    def _put_new(self, uid: str, body: str | bytes) -> str:
        """Store a new object; return its etag."""
        if self._must_look() and self._holds(uid):
            raise AlreadyThere(uid)
        url = self._link().calendar.url.join(_resource(uid))
        answer = self._send("PUT", url, body, {"If-None-Match": "*", **_ICAL})
        if answer.status == requests.codes.precondition_failed or answer.uid_taken:
            raise AlreadyThere(uid)
        if answer.status in (requests.codes.not_found, requests.codes.conflict):
            self._found = None
            raise Misconfigured(f"the calendar is gone (the server answered {answer.status})")
        if answer.status == requests.codes.forbidden:
            raise Misconfigured(
                "the calendar server answered 403: the account may not change this calendar, or "
                "another calendar of it has this event"
            )
        _settle(answer)
        return self._etag_after(answer, uid)

    def _put_over(self, item: Any, uid: str, body: str | bytes) -> str:
        """Overwrite an object; return its new etag."""
        answer = self._send("PUT", item.url, body, {"If-Match": item.etag, **_ICAL})
        _settle(answer)
        return self._etag_after(answer, uid)

    def _refuse_to_mail(self, item: Any, instead: str = _CHANGE) -> None:
        """Raise ``Denied`` if a change of the object would make the server mail others.

        A server with ``calendar-auto-schedule`` (RFC 6638, 3) sends invitations, cancellations and
        replies whenever an object with attendees appears, changes or goes. Removing the attendees,
        or asking the server for silence (``SCHEDULE-AGENT``, 7.1), is itself a change that it
        announces. Only the owner may send such mail, so nothing is changed, and nothing is lost.
        """
        try:
            may_have_people = has_people(parsed(item))
        except UNREADABLE:
            may_have_people = True
        if may_have_people:
            self._must_not_mail(instead)

    def _must_not_mail(self, instead: str) -> None:
        """Raise ``Denied`` unless the server lists its features, and scheduling is none of them."""
        link = self._link()
        with self._asking():
            answer = link.client.options(str(link.calendar.url))
        if answer.status // 100 != 2:  # noqa: PLR2004  # 2xx
            raise said(answer.status)
        able = {word.strip() for word in answer.headers.get("DAV", "").lower().split(",")}
        if "calendar-access" not in able or "calendar-auto-schedule" in able:
            raise Denied(
                "others take part in this event, and the calendar server might write to them; "
                f"{instead} in your own calendar program"
            )

    def _must_look(self) -> bool:
        """Return whether to look for a UID first: False if the server refuses a UID that is taken.

        The precondition of a PUT covers only its own address.
        """
        return not self._link().client.features.is_supported("save.no-uid-conflict")

    def _holds(self, uid: str) -> bool:
        try:
            self._find(uid)
        except NotFound:
            return False
        return True

    def _current(self, uid: str, etag: str) -> Any:
        item = self._find(uid)
        if not _same_version(item.etag or "", etag):
            raise Stale
        return item

    def _find(self, uid: str) -> Any:
        with self._asking():
            try:
                return self._link().calendar.get_event_by_uid(uid)
            except dav.NotFoundError as missing:
                # With a status, the server was asked and the calendar itself is missing.
                if missing.status is not None:
                    raise
                raise NotFound("the event") from missing

    def _etag_after(self, answer: "_Answer", uid: str) -> str:
        """Return the etag of a write. iCloud may leave it out, and a weak one never matches."""
        if answer.etag and not answer.etag.startswith("W/"):
            return answer.etag
        try:
            return self._find(uid).etag or ""
        except AssistantError as problem:
            raise Unsure(f"{uid} was written, but cannot be found again ({problem})") from problem

    def _send(
        self, method: str, url: Any, body: str | bytes, headers: Mapping[str, str]
    ) -> "_Answer":
        """Send one request that changes something; return the answer, whatever its status.

        Raises:
            Unreachable: the request was never sent.
            Unsure: the request was sent, and no answer came.
        """
        link = self._link()
        try:
            response = link.client.request(str(url), method, body, headers)
        except dav.DAVError as refused:
            return _Answer(status=refused.status or 0, preconditions=refused.preconditions)
        except requests.RequestException as lost:
            self._found = None
            if _never_left(lost):
                raise translated(lost, at=self._url or self._provider) from lost
            raise Unsure(f"{method} was sent, no answer came ({type(lost).__name__})") from lost
        except GARBLED as garbled:
            raise Unsure(f"{method} was sent, the answer is unreadable") from garbled
        return _Answer(
            status=response.status,
            etag=response.headers.get("ETag", ""),
            preconditions=dav.parse_preconditions(response.raw),
        )

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Translate errors of a read; forget what discovery found, as it may have moved."""
        try:
            yield
        except (dav.DAVError, requests.RequestException, *GARBLED) as problem:
            self._found = None
            raise translated(problem, at=self._url or self._provider) from problem

    def _link(self) -> "_Link":
        """Return the link. Two threads may both discover it: a lock would break after a fork."""
        link = self._found
        if link is None or link.pid != os.getpid():
            link = self._found = self._discover()
        return link

    def _discover(self) -> "_Link":
        with self._asking():
            client = self._client()
            calendar = _chosen(calendars_of(client), self._wanted)
        # A redirected PUT would become a GET, and look as if it had been done.
        client.session.max_redirects = 0
        return _Link(
            pid=os.getpid(),
            client=client,
            calendar=calendar,
            address=f"{_without_port(str(calendar.url))} as {client.username}",
        )

    def _client(self) -> Any:
        return make_client(
            url=self._url,
            username=self._username,
            password=self._password,
            features=self._provider,
            timeout=self._timeout,
            require_tls=self._require_tls,
        )


@dataclass(frozen=True, kw_only=True)
class _Link:
    """The result of discovery, and the process that did it."""

    pid: int
    client: Any
    calendar: Any
    address: str


@dataclass(frozen=True, kw_only=True)
class _Answer:
    status: int
    etag: str = ""
    preconditions: Sequence[str] = ()

    @property
    def uid_taken(self) -> bool:
        """Another object holds the UID (RFC 4791, 5.3.2.1)."""
        return bool(dav.UID_CONFLICT_PRECONDITIONS.intersection(self.preconditions))


def _settle(answer: _Answer) -> None:
    """Return if the change was done; else raise the error of the status."""
    words = f"the calendar server answered {answer.status}"
    match answer.status:
        case 200 | 201 | 204:
            return
        case 401 | 403:
            raise Misconfigured(f"{words}: the account may not change this calendar")
        case 404 | 410:
            raise NotFound("the event")
        case 412:
            raise Stale
        case 408 | 423 | 425 | 429 | 503:
            raise Busy(words)
        case refused if refused // 100 == 4:  # noqa: PLR2004  # 4xx
            raise BadArguments(words)
        case _:
            raise Unsure(words)


def _never_left(lost: requests.RequestException) -> bool:
    """Return whether the server certainly did not act on the request.

    urllib3 raises proxy errors only before it is connected, and redirects are not followed.
    """
    certain = (
        requests.exceptions.ConnectTimeout,
        requests.exceptions.ProxyError,
        requests.exceptions.TooManyRedirects,
        ValueError,
    )
    return (
        isinstance(lost, certain)
        or isinstance(reason_of(lost), NewConnectionError)
        or untrusted(lost)
    )


def _chosen(calendars: Sequence[Any], wanted: str) -> Any:
    """Return the wanted calendar. Raises ``Misconfigured``, which lists all calendars."""
    named = [(calendar, calendar.get_display_name() or "", calendar.id) for calendar in calendars]
    if wanted:
        fitting = [calendar for calendar, *names in named if wanted in names]
    elif len(calendars) > 1:
        fitting = [each for each in calendars if "VEVENT" in each.get_supported_components()]
    else:
        fitting = list(calendars)
    if len(fitting) == 1:
        return fitting[0]
    listing = ", ".join(f"{name!r} (id {key})" for _, name, key in named) or "none"
    asked = f"{len(fitting)} calendars are {wanted!r}" if wanted else "no calendar is named"
    raise Misconfigured(f"{asked}; the account has: {listing}")


def _bytes(item: Any) -> bytes:
    """Return the object as the server sent it, before caldav changes it."""
    raw = item.raw_data or b""
    return raw if isinstance(raw, bytes) else raw.encode()


def _without_port(url: str) -> str:
    """Return the address without credentials, and on this machine without the port.

    A local server may restart on another port, and approvals for it must stay valid.
    """
    parts = urlsplit(url)
    port = "" if parts.port is None or is_local(url) else f":{parts.port}"
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"


def _resource(uid: str) -> str:
    """Return the resource name of a UID, slashes quoted twice so that no server splits the path."""
    return f"{quote(uid.replace('/', '%2F'))}.ics"


def _same_version(one: str, other: str) -> bool:
    """Compare etags without quotes: servers quote them differently in headers and in XML."""
    return bool(one) and _bare(one) == _bare(other)


def _bare(etag: str) -> str:
    plain = unquote(etag) if etag.startswith(("%22", "W/%22")) else etag
    return plain.removeprefix("W/").strip('"')


def _must_be_speakable(*texts: str) -> None:
    if any(_UNSPEAKABLE.search(text) for text in texts):
        raise BadArguments("it has control characters")


def _must_be_near(when: When) -> None:
    """Refuse distant years, which Python's dates or the expansion of rules cannot handle."""
    if when.start.year not in _YEARS or when.end.year not in _YEARS:
        raise BadArguments(f"only the years {_YEARS.start} to {_YEARS.stop - 1} are supported")


def _unreadable(uid: str) -> BadArguments:
    return BadArguments(f"the calendar's event {uid} cannot be read")


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as unknown:
        raise Misconfigured(f"there is no time zone {name!r}") from unknown
