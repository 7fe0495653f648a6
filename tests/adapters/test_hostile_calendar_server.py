"""What a calendar's server may answer: too much, too slowly, in pieces, or another's name."""

import gzip
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from xml.etree import ElementTree as ET

import pytest

from assistant.adapters.calendar import dav_client
from assistant.adapters.calendar.caldav_account import CalDavAccount, CalDavAccounts
from assistant.adapters.calendar.changes import fetched
from assistant.domain.calendar.connecting.connection import Login
from assistant.domain.errors import Misconfigured, Unreachable

NOTHING = b'<multistatus xmlns="DAV:">%s</multistatus>'
PRINCIPAL = b"""<multistatus xmlns="DAV:"><response><href>/</href><propstat>
<status>HTTP/1.1 200 OK</status><prop><current-user-principal><href>http://127.0.0.1:9/me</href>
</current-user-principal></prop></propstat></response></multistatus>"""


@contextmanager
def answering(
    pieces: list[bytes], *, pause: float = 0.0, length: int | None = None, encoding: str = ""
) -> Iterator[CalDavAccount]:
    """Serve one answer, in pieces; ``length`` is the one that it claims."""

    class Handler(BaseHTTPRequestHandler):
        def do_PROPFIND(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(207)
            if length is not None:
                self.send_header("Content-Length", str(length))
            if encoding:
                self.send_header("Content-Encoding", encoding)
            self.end_headers()
            try:
                for piece in pieces:
                    self.wfile.write(piece)
                    self.wfile.flush()
                    time.sleep(pause)
            except OSError:
                pass  # nobody listens any more

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        accounts = CalDavAccounts(timeout=2.0, zone="UTC")
        yield accounts.log_in(Login(url=url, username="me"), "secret")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_an_answer_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dav_client, "ANSWER", 1024 * 1024)
    with (
        answering([b" " * 100_000] * 1_000) as account,
        pytest.raises(Misconfigured, match="more than 1 MiB"),
    ):
        account.calendars()


def test_a_small_answer_that_unpacks_to_a_huge_one_is_not_unpacked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dav_client, "ANSWER", 1024 * 1024)
    bomb = gzip.compress(NOTHING % (b" " * 50_000_000))
    with (
        answering([bomb], length=len(bomb), encoding="gzip") as account,
        pytest.raises(Misconfigured, match="more than 1 MiB"),
    ):
        account.calendars()


def test_an_answer_that_comes_byte_by_byte_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dav_client, "PATIENCE", 0.2)
    with answering([b" "] * 1_000, pause=0.02) as account, pytest.raises(Unreachable):
        account.calendars()


def test_a_packed_answer_that_comes_byte_by_byte_is_read_whole() -> None:
    packed = gzip.compress(NOTHING % b"")
    pieces = [packed[at : at + 1] for at in range(len(packed))]
    with answering(pieces, pause=0.001, encoding="gzip") as account:
        assert account.calendars() == []


def test_an_answer_that_breaks_off_is_none() -> None:
    whole = NOTHING % b""
    with answering([whole], length=len(whole) + 1) as account, pytest.raises(Unreachable):
        account.calendars()


def test_a_server_that_names_an_account_elsewhere_is_told_in_words() -> None:
    with answering([PRINCIPAL]) as account, pytest.raises(Misconfigured, match="another server"):
        account.calendars()


class Answers:
    """A client that is given one answer whatever it asks."""

    status = 207

    def __init__(self, body: str) -> None:
        self.tree = ET.fromstring(body)  # noqa: S314 (written above)

    def request(self, *_: object) -> "Answers":
        return self


def test_a_uid_that_no_database_can_index_is_left_out() -> None:
    event = f"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:{'é' * 600}\nEND:VEVENT\nEND:VCALENDAR\n"
    body = f"""<m:multistatus xmlns:m="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><m:response>
    <m:href>/a.ics</m:href><m:propstat><m:prop><c:calendar-data>{event}</c:calendar-data></m:prop>
    </m:propstat></m:response></m:multistatus>"""
    [found] = fetched(Answers(body), "/", ["/a.ics"])
    assert (found.uid, found.defect) == ("", "it has no UID that can be used")
