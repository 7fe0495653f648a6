"""Each server of the suite once, and what iCloud does otherwise than others."""

from datetime import date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
import requests
from caldav.davclient import DAVClient

from assistant.adapters.calendar.caldav_calendar import CalDavCalendar
from assistant.domain.calendar.events import Event
from assistant.domain.errors import Misconfigured, NotFound, WrongPassword
from tests.contract.calendar_benches import BERLIN, Bench, RealBench, days, timed, vevent
from tests.servers.icloud import LikeICloud
from tests.servers.radicale import RadicaleServer

TEA = Event(uid="tea", title="Tea", when=timed(datetime(2026, 11, 24, 9, tzinfo=BERLIN)))
THAT_DAY = days(date(2026, 11, 24))


@pytest.mark.parametrize("name", ["xandikos", "icloud"])
def test_an_event_lives_and_ends_there(request: pytest.FixtureRequest, name: str) -> None:
    bench: Bench = request.getfixturevalue(name)
    etag = bench.calendar.create(TEA)
    assert etag
    assert list(bench.calendar.between(THAT_DAY)) == [bench.calendar.get("tea")]
    later = TEA.model_copy(update={"title": "Late tea", "etag": etag})
    etag = bench.calendar.update(later)
    assert bench.calendar.get("tea").title == "Late tea"
    bench.calendar.delete("tea", etag=etag)
    with pytest.raises(NotFound):
        bench.calendar.get("tea")


def test_the_calendars_are_on_another_host_than_the_account(
    on_icloud: RealBench, like_icloud: LikeICloud
) -> None:
    on_icloud.calendar.create(TEA)
    to_home = {method for method, _, port in like_icloud.seen if port == like_icloud.home_port}
    to_account = {method for method, _, port in like_icloud.seen if port != like_icloud.home_port}
    assert to_account == {"PROPFIND"}
    assert {"PUT", "REPORT"} <= to_home
    assert on_icloud.calendar.address().startswith("http://localhost/")


def test_a_wrong_password_is_told_where_two_ways_to_log_in_are_offered(
    on_icloud: RealBench,
) -> None:
    with pytest.raises(WrongPassword):
        CalDavCalendar(**{**on_icloud.settings, "password": "wrong"}).check()


def test_a_uid_that_another_calendar_has_is_refused_and_nothing_is_stored(
    on_icloud: RealBench, server: RadicaleServer
) -> None:
    files = server.files
    with DAVClient(
        url=files.url, username=files.username, password=files.password, features="radicale"
    ) as client:
        other: Any = client.get_principal().make_calendar(name=uuid4().hex)
        lines = ("UID:tea", "DTSTART:20261124T090000Z", "DTEND:20261124T100000Z")
        other.add_event(vevent(*lines))
        with pytest.raises(Misconfigured, match="403"):
            on_icloud.calendar.create(TEA)
        with pytest.raises(NotFound):
            on_icloud.calendar.get("tea")
        other.delete()


def test_it_refuses_what_icloud_refuses(on_icloud: RealBench, like_icloud: LikeICloud) -> None:
    """The stand-in itself: without this, a proof with it would prove nothing."""
    settings = on_icloud.settings
    on_icloud.calendar.create(TEA)
    there = f"http://localhost:{like_icloud.home_port}/{settings['username']}/"
    there += settings["calendar"]
    session = requests.Session()
    session.auth = (settings["username"], settings["password"])

    def puts(name: str, *lines: str, match: str = "") -> requests.Response:
        body = vevent(f"UID:{name}", "DTSTART:20261124T090000Z", *lines)
        headers = {"Content-Type": "text/calendar", **({"If-Match": match} if match else {})}
        return session.put(f"{there}/{name}.ics", body, headers=headers, timeout=10)

    assert puts("endless").status_code == 403
    whole = puts("whole", "DTEND:20261124T100000Z")
    assert (whole.status_code, "ETag" in whole.headers) == (201, False)
    assert puts("whole", "DTEND:20261124T100000Z", match="*").status_code == 412
    assert puts("fresh", "DTEND:20261124T100000Z", match="*").status_code == 201
    asked = '<C:free-busy-query xmlns:C="urn:ietf:params:xml:ns:caldav"/>'
    assert session.request("REPORT", f"{there}/", data=asked, timeout=10).status_code == 400
    challenge = requests.get(f"{there}/", timeout=10).headers["WWW-Authenticate"]
    assert challenge.startswith("X-MobileMe-AuthToken")
    assert "Basic" in challenge


def test_free_times_are_read_without_a_query_for_them(
    on_icloud: RealBench, like_icloud: LikeICloud
) -> None:
    on_icloud.calendar.create(TEA)
    like_icloud.latency = 0.05
    week = days(date(2026, 11, 23), count=7)
    assert [event.when.end - event.when.start for event in on_icloud.calendar.between(week)] == [
        timedelta(hours=1)
    ]
