"""The HTTP door over a real socket."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
import requests
import uvicorn
from starlette.applications import Starlette

from assistant.domain.errors import Denied, TooLarge, Unreachable
from assistant.domain.limits import MailLimits
from assistant.domain.mail.envelope import Envelope
from assistant.domain.mail.mail import Received
from ingest.doors.http import MAIL_SECONDS, make_app
from tests.ingest.messages import PLAIN

TOKEN = "correct horse"
MAIL = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "message/rfc822"}


class Inbox:
    """An accept function that remembers, and fails when told to."""

    def __init__(self) -> None:
        self.got: list[bytes] = []
        self.envelope = Envelope()
        self.fail: Exception | None = None
        self.wrong: list[str] = []
        self.looked = 0
        self.takes = 0.0

    def accept(self, raw: bytes, envelope: Envelope) -> Received:
        self.envelope = envelope
        if self.fail:
            raise self.fail
        known = raw in self.got
        self.got.append(raw)
        return Received(id="mail1", known=known)

    def ready(self) -> Sequence[str]:
        self.looked += 1
        time.sleep(self.takes)
        return list(self.wrong)

    def app(self, token: str = TOKEN, *, fresh: float = 0.0) -> Starlette:
        return make_app(
            accept=self.accept,
            token=token,
            limits=MailLimits(message=10_000),
            ready=self.ready,
            live=lambda: (),
            fresh=fresh,
        )


@contextmanager
def door(app: Starlette) -> Iterator[str]:
    """The address of a server that runs."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
    listener.close()


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[Inbox, str]]:
    inbox = Inbox()
    with door(inbox.app()) as address:
        yield inbox, address


@pytest.fixture
def inbox(running: tuple[Inbox, str]) -> Inbox:
    inbox, _ = running
    inbox.__init__()  # type: ignore[misc]  # the server keeps this one
    return inbox


@pytest.fixture
def address(running: tuple[Inbox, str], inbox: Inbox) -> str:  # noqa: ARG001 it is fresh first
    return running[1]


def post(address: str, data: object = PLAIN, **headers: str) -> requests.Response:
    return requests.post(
        f"{address}/mail",
        data=data,  # type: ignore[arg-type]  # bytes, or an iterator of them
        headers=MAIL | {name.replace("_", "-"): value for name, value in headers.items()},
        timeout=10,
    )


def test_a_mail_is_accepted_as_it_was_sent(address: str, inbox: Inbox) -> None:
    answer = post(address)
    assert (answer.status_code, answer.json()) == (202, {"id": "mail1", "known": False})
    assert inbox.got == [PLAIN]


def test_the_envelope_is_what_a_mail_server_before_the_door_passes_on(
    address: str, inbox: Inbox
) -> None:
    post(address)
    assert inbox.envelope == Envelope(peer="127.0.0.1")
    passed = {"X_Envelope_From": "", "X_Envelope_To": "me@x.org, me+a@x.org,"}
    post(address, **passed, X_Envelope_Helo="relay.example.net")
    assert inbox.envelope == Envelope(
        mail_from="",
        recipients=("me@x.org", "me+a@x.org"),
        helo="relay.example.net",
        peer="127.0.0.1",
    )


def test_the_same_mail_again_is_known(address: str, inbox: Inbox) -> None:
    post(address)
    assert post(address).json() == {"id": "mail1", "known": True}
    assert len(inbox.got) == 2


@pytest.mark.parametrize(
    "given",
    ["", "Bearer", "Bearer wrong", "Basic correct horse", "Bearer correct horse2", "Bearer é"],
)
def test_without_the_token_nothing_is_taken(address: str, inbox: Inbox, given: str) -> None:
    answer = post(address, Authorization=given.encode().decode("latin-1"))
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert "error" in answer.json()
    assert inbox.got == []


def test_a_door_without_a_token_is_shut(inbox: Inbox) -> None:
    with door(inbox.app(token="")) as address:
        answer = post(address, Authorization="Bearer ")
        assert answer.status_code == 503
        assert "it has no token" in answer.json()["error"]
    assert inbox.got == []


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded"])
def test_what_is_no_message_is_not_taken(address: str, inbox: Inbox, kind: str) -> None:
    assert post(address, Content_Type=kind).status_code == 415
    assert inbox.got == []


def test_a_type_with_parameters_is_understood(address: str, inbox: Inbox) -> None:
    assert post(address, Content_Type="Message/RFC822; charset=utf-8").status_code == 202
    assert len(inbox.got) == 1


def test_an_announced_size_over_the_limit_is_refused_before_the_body_is_sent(address: str) -> None:
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)
    connection.putrequest("POST", "/mail")
    for name, value in (MAIL | {"Content-Length": "10001"}).items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status == 413
    assert "10000 bytes" in json.loads(answer.read())["error"]
    connection.close()


def test_a_stream_over_the_limit_is_refused(address: str, inbox: Inbox) -> None:
    assert post(address, iter([b"x" * 6_000, b"y" * 6_000])).status_code == 413
    assert inbox.got == []


def test_a_stream_within_the_limit_is_taken(address: str, inbox: Inbox) -> None:
    assert post(address, iter([b"Subject: x\r\n", b"\r\nhi"])).status_code == 202
    assert inbox.got == [b"Subject: x\r\n\r\nhi"]


@pytest.mark.parametrize("body", [b"", b" \r\n"])
def test_an_empty_message_is_refused(address: str, body: bytes) -> None:
    assert post(address, body).status_code == 400


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Unreachable("the disk"), 503),
        (TooLarge("x"), 413),
        (Denied("x"), 422),
        (KeyError("x"), 500),
    ],
)
def test_what_is_not_kept_is_not_accepted(
    address: str, inbox: Inbox, error: Exception, status: int
) -> None:
    inbox.fail = error
    answer = post(address)
    assert answer.status_code == status
    assert answer.json().keys() == {"error"}
    assert ("Retry-After" in answer.headers) == (status == 503)


def test_it_lives(address: str) -> None:
    answer = requests.get(f"{address}/healthz", timeout=10)
    assert (answer.status_code, answer.json()) == (200, {"ok": True})


def test_it_says_why_it_is_not_ready(address: str, inbox: Inbox) -> None:
    assert requests.get(f"{address}/readyz", timeout=10).status_code == 200
    inbox.wrong = ["the database does not answer"]
    answer = requests.get(f"{address}/readyz", timeout=10)
    assert answer.status_code == 503
    assert answer.json() == {"ok": False, "reasons": ["the database does not answer"]}


def test_however_many_ask_whether_it_is_ready_it_looks_once_in_a_while(inbox: Inbox) -> None:
    inbox.takes = 0.2
    with door(inbox.app(fresh=60.0)) as address, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(requests.get, [f"{address}/readyz"] * 24))
        inbox.wrong = ["the database does not answer"]
        answers.append(requests.get(f"{address}/readyz", timeout=10))
    assert {answer.status_code for answer in answers} == {200}
    assert inbox.looked == 1


def test_those_who_ask_while_it_looks_are_told_what_it_finds(inbox: Inbox) -> None:
    inbox.takes = 0.5
    inbox.wrong = ["the disk is full"]
    with door(inbox.app(fresh=0.0)) as address, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(requests.get, [f"{address}/readyz"] * 8))
        assert [answer.status_code for answer in answers] == [503] * 8
        assert inbox.looked < 8
        inbox.wrong = []
        assert requests.get(f"{address}/readyz", timeout=10).status_code == 200


def test_what_is_not_there_is_an_error_in_json(address: str) -> None:
    assert requests.get(f"{address}/mail", timeout=10).json() == {"error": "Method Not Allowed"}
    assert requests.get(f"{address}/nothing", timeout=10).json() == {"error": "Not Found"}


def test_the_largest_mail_comes_in_over_a_line_of_two_megabits_a_second() -> None:
    assert MailLimits().message * 8 / 2_000_000 < MAIL_SECONDS
