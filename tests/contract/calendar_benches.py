"""The calendars that the suites of the calendar port run over.

``bench`` is any of them: add a param to ``CALENDARS`` and a fixture of that name for another.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Protocol
from uuid import uuid4
from zoneinfo import ZoneInfo

import icalendar
import pytest
from caldav.davclient import DAVClient

from assistant.adapters.calendar.caldav_calendar import CalDavCalendar
from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.recurrence import Frequency, Recurrence
from tests.memory_calendar import MemoryCalendar
from tests.servers.icloud import LikeICloud
from tests.servers.meddler import Meddler
from tests.servers.radicale import RadicaleServer
from tests.servers.xandikos import XandikosServer

ZONE = "Europe/Berlin"
BERLIN = ZoneInfo(ZONE)
TOKYO = ZoneInfo("Asia/Tokyo")
CALENDARS = (
    "memory",
    "radicale",
    pytest.param("xandikos", marks=pytest.mark.weather),
    pytest.param("icloud", marks=pytest.mark.weather),
)


class Hand(Protocol):
    """What the owner does to the calendar without the assistant."""

    def retitles(self, event: Event, title: str) -> None: ...
    def repeats_weekly(self, event: Event, times: int) -> None: ...
    def puts_whole(self, uid: str, ical: str) -> None: ...


class HandInMemory:
    def __init__(self, calendar: MemoryCalendar) -> None:
        self._calendar = calendar

    def retitles(self, event: Event, title: str) -> None:
        self._calendar.put(event.model_copy(update={"title": title}))

    def repeats_weekly(self, event: Event, times: int) -> None:
        self._calendar.put(event.model_copy(update={"recurrence": weekly(times)}))

    def puts_whole(self, uid: str, ical: str) -> None:
        self._calendar.put_object(uid, ical.encode())


class HandOnServer:
    def __init__(self, collection: Any) -> None:
        self._collection = collection

    def puts(self, *lines: str) -> None:
        """Store an event of these lines; UID and DTSTAMP are ``owners`` and some day."""
        self.puts_object(vevent("UID:owners", *lines))

    def puts_object(self, ical: str) -> None:
        self._collection.add_event(ical, increase_seqno=False)

    def puts_at(self, name: str, ical: str) -> None:
        answer = self._collection.client.put(
            self._collection.url.join(name), ical, {"Content-Type": "text/calendar"}
        )
        assert answer.status == 201

    def puts_whole(self, uid: str, ical: str) -> None:
        self.puts_at(f"by-hand-{uid}.ics", ical)

    def fetches(self, uid: str) -> bytes:
        """The body of a GET, byte for byte."""
        item = self._collection.get_event_by_uid(uid).load()
        return bytes(item.raw_data)

    def holds(self, uid: str) -> icalendar.Calendar:
        raw = self._collection.get_event_by_uid(uid).raw_data
        return icalendar.Calendar.from_ical(raw)

    def retitles(self, event: Event, title: str) -> None:
        item = self._collection.get_event_by_uid(event.uid)
        with item.edit_icalendar_component() as part:
            part["SUMMARY"] = title
        item.save()

    def repeats_weekly(self, event: Event, times: int) -> None:
        self.puts_object(
            vevent(
                f"UID:{event.uid}",
                f"SUMMARY:{event.title}",
                f"DTSTART;TZID={ZONE}:{event.when.start:%Y%m%dT%H%M%S}",
                f"DTEND;TZID={ZONE}:{event.when.end:%Y%m%dT%H%M%S}",
                f"RRULE:FREQ=WEEKLY;COUNT={times}",
            )
        )


@dataclass
class Bench:
    calendar: Calendar
    owner: Hand
    mails: bool = False
    """Whether the server writes to the people in an event."""


@dataclass
class RealBench:
    calendar: CalDavCalendar
    owner: HandOnServer
    settings: Mapping[str, Any]
    """What another adapter for the same calendar is made with."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RadicaleServer]:
    with RadicaleServer(tmp_path_factory.mktemp("radicale") / "data") as server:
        yield server


@pytest.fixture
def real(server: RadicaleServer) -> Iterator[RealBench]:
    files = server.files
    with DAVClient(
        url=files.url, username=files.username, password=files.password, features="radicale"
    ) as client:
        name = uuid4().hex
        collection: Any = client.get_principal().make_calendar(name=name, cal_id=name)
        settings: dict[str, Any] = {
            "url": files.url,
            "username": files.username,
            "password": files.password,
            "calendar": name,
            "provider": "radicale",
            "timeout": 10.0,
            "require_tls": False,
            "zone": ZONE,
        }
        yield RealBench(CalDavCalendar(**settings), HandOnServer(collection), settings)
        collection.delete()


@pytest.fixture
def meddler(server: RadicaleServer) -> Iterator[Meddler]:
    with Meddler(server.files.url) as meddler:
        yield meddler


@pytest.fixture
def meddled(real: RealBench, meddler: Meddler) -> RealBench:
    """The same calendar, reached through something that meddles."""
    settings = {**real.settings, "url": meddler.url, "timeout": 5.0}
    return RealBench(CalDavCalendar(**settings), real.owner, settings)


@pytest.fixture
def memory() -> Bench:
    calendar = MemoryCalendar(zone=ZONE)
    return Bench(calendar, HandInMemory(calendar))


@pytest.fixture
def radicale(real: RealBench) -> Bench:
    return Bench(real.calendar, real.owner)


@pytest.fixture(scope="module")
def xandikos_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[XandikosServer]:
    with XandikosServer(tmp_path_factory.mktemp("xandikos")) as server:
        yield server


@pytest.fixture
def xandikos(xandikos_server: XandikosServer) -> Iterator[Bench]:
    login: dict[str, Any] = {"url": xandikos_server.url, "username": "owner", "password": "any"}
    with DAVClient(**login, features="xandikos") as client:
        name = uuid4().hex
        collection: Any = client.get_principal().make_calendar(name=name, cal_id=name)
        settings = {"calendar": name, "timeout": 10.0, "require_tls": False, "zone": ZONE}
        calendar = CalDavCalendar(**login, provider="xandikos", **settings)  # type: ignore[arg-type]  # one dict, many types
        yield Bench(calendar, HandOnServer(collection), mails=True)
        collection.delete()


@pytest.fixture
def like_icloud(server: RadicaleServer) -> Iterator[LikeICloud]:
    """What behaves like iCloud, in front of Radicale."""
    with LikeICloud(server.files.url) as icloud:
        yield icloud


@pytest.fixture
def on_icloud(real: RealBench, like_icloud: LikeICloud) -> RealBench:
    settings = {**real.settings, "url": like_icloud.url, "provider": "icloud", "timeout": 5.0}
    return RealBench(CalDavCalendar(**settings), real.owner, settings)


@pytest.fixture
def icloud(on_icloud: RealBench) -> Bench:
    return Bench(on_icloud.calendar, on_icloud.owner)


@pytest.fixture(params=CALENDARS)
def bench(request: pytest.FixtureRequest) -> Bench:
    """Any calendar: one param is the name of one fixture that makes a ``Bench``."""
    found: Bench = request.getfixturevalue(request.param)
    return found


def weekly(times: int) -> Recurrence:
    return Recurrence(frequency=Frequency.WEEKLY, count=times)


def timed(start: datetime, *, hours: float = 1) -> When:
    return When(start=start, end=start + timedelta(hours=hours))


def days(first: date, *, count: int = 1) -> When:
    return When(start=first, end=first + timedelta(days=count))


def vevent(*lines: str) -> str:
    return vcalendar("BEGIN:VEVENT", "DTSTAMP:20260102T000000Z", *lines, "END:VEVENT")


def vcalendar(*lines: str) -> str:
    head = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//owner//EN")
    return "\r\n".join((*head, *lines, "END:VCALENDAR", ""))
