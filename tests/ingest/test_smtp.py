"""The SMTP and LMTP doors over real sockets, knocked on by the standard library."""

import asyncio
import smtplib
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import pytest

from assistant.domain.errors import TooLarge, Unreachable, Unreadable
from assistant.domain.limits import MailLimits
from assistant.domain.mail.envelope import Envelope
from assistant.domain.mail.mail import Received
from ingest.doors.connections import ConnectionLimits
from ingest.doors.smtp import make_lmtp, make_smtp
from tests.ingest.messages import PLAIN

OWNERS = {"ada@example.org": "ada", "a.l@example.org": "ada", "bob@example.org": "bob"}


class Inbox:
    """An accept function that remembers, and fails when told to."""

    def __init__(self) -> None:
        self.got: list[tuple[bytes, tuple[str, ...]]] = []
        self.envelopes: list[Envelope] = []
        self.fail: dict[str, Exception] = {}

    def accept(self, raw: bytes, envelope: Envelope) -> Received:
        recipients = envelope.recipients
        self.envelopes.append(envelope)
        for address in recipients:
            if address in self.fail:
                raise self.fail[address]
        known = (raw, recipients) in self.got
        self.got.append((raw, recipients))
        return Received(id=f"mail{len(self.got)}", known=known)


@contextmanager
def door(factory: Callable[[], Callable[[], asyncio.Protocol]]) -> Iterator[int]:
    """The port of a door that is open."""
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(loop.create_server(factory(), "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield server.sockets[0].getsockname()[1]
    asyncio.run_coroutine_threadsafe(_stop(server), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()


async def _stop(server: asyncio.AbstractServer) -> None:
    server.close()
    sessions = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for session in sessions:
        session.cancel()
    await asyncio.gather(*sessions, return_exceptions=True)


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def smtp(inbox: Inbox) -> Iterator[int]:
    limits = MailLimits(message=10_000)
    with door(lambda: make_smtp(accept=inbox.accept, known=OWNERS.get, limits=limits)) as port:
        yield port


@pytest.fixture
def lmtp(inbox: Inbox) -> Iterator[int]:
    limits = MailLimits(message=10_000)
    with door(lambda: make_lmtp(accept=inbox.accept, known=OWNERS.get, limits=limits)) as port:
        yield port


class Line:
    """A client that says exactly what it is told to."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.file = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()
        self.socket.close()

    def say(self, data: bytes, *, answers: int = 1) -> list[bytes]:
        self.socket.sendall(data)
        return [self.answer() for _ in range(answers)]

    def answer(self) -> bytes:
        while (line := self.file.readline()) and line[3:4] == b"-":
            pass
        return line.rstrip(b"\r\n")

    def ready_for_data(self, hello: bytes, *recipients: bytes) -> None:
        self.answer()
        self.say(hello + b" me\r\n")
        self.say(b"MAIL FROM:<>\r\n")
        for recipient in recipients:
            self.say(b"RCPT TO:<" + recipient + b">\r\n")
        assert self.say(b"DATA\r\n")[0].startswith(b"354")


# SMTP


def test_a_mail_is_accepted_as_it_was_sent(smtp: int, inbox: Inbox) -> None:
    with smtplib.SMTP("127.0.0.1", smtp) as client:
        assert client.sendmail("x@example.net", "ada@example.org", PLAIN) == {}
    assert inbox.got == [(PLAIN, ("ada@example.org",))]


def test_the_envelope_comes_with_the_mail(smtp: int, inbox: Inbox) -> None:
    with smtplib.SMTP("127.0.0.1", smtp, local_hostname="relay.example.net") as client:
        client.sendmail("x@example.net", "ada@example.org", PLAIN)
        client.sendmail("", ["ada@example.org", "a.l@example.org", "bob@example.org"], PLAIN)
    said = {"helo": "relay.example.net", "peer": "127.0.0.1", "tls": ""}
    ada, both, bob = ("ada@example.org",), ("ada@example.org", "a.l@example.org"), "bob@example.org"
    assert inbox.envelopes == [
        Envelope(mail_from="x@example.net", recipients=ada, **said),
        Envelope(mail_from="", recipients=both, **said),
        Envelope(mail_from="", recipients=(bob,), **said),
    ]


def test_the_answer_names_the_mail_and_comes_after_it_is_kept(smtp: int, inbox: Inbox) -> None:
    with smtplib.SMTP("127.0.0.1", smtp) as client:
        client.ehlo()
        client.mail("x@example.net")
        client.rcpt("ada@example.org")
        assert client.data(PLAIN) == (250, b"2.0.0 Kept as mail1")
    assert len(inbox.got) == 1


def test_the_answer_says_when_the_same_bytes_were_here_before(smtp: int) -> None:
    with smtplib.SMTP("127.0.0.1", smtp) as client:
        client.ehlo()
        for said in (b"2.0.0 Kept as mail1", b"2.0.0 Known already as mail2"):
            client.mail("x@example.net")
            client.rcpt("ada@example.org")
            assert client.data(PLAIN) == (250, said)


def test_two_addresses_of_one_owner_are_one_mail(smtp: int, inbox: Inbox) -> None:
    with smtplib.SMTP("127.0.0.1", smtp) as client:
        client.sendmail("x@example.net", ["ada@example.org", "a.l@example.org"], PLAIN)
    assert inbox.got == [(PLAIN, ("ada@example.org", "a.l@example.org"))]


def test_each_owner_gets_a_mail(smtp: int, inbox: Inbox) -> None:
    with smtplib.SMTP("127.0.0.1", smtp) as client:
        client.sendmail("x@example.net", list(OWNERS), PLAIN)
    assert [recipients for _, recipients in inbox.got] == [
        ("ada@example.org", "a.l@example.org"),
        ("bob@example.org",),
    ]


def test_an_address_of_nobody_is_refused_and_the_others_are_served(smtp: int, inbox: Inbox) -> None:
    with smtplib.SMTP("127.0.0.1", smtp) as client:
        refused = client.sendmail("x@y.z", ["ada@example.org", "eve@example.org"], PLAIN)
    assert refused == {"eve@example.org": (550, b"5.1.1 No such address here")}
    assert inbox.got == [(PLAIN, ("ada@example.org",))]


def test_nothing_is_relayed(smtp: int, inbox: Inbox) -> None:
    with smtplib.SMTP("127.0.0.1", smtp) as client:
        for address in ("someone@elsewhere.net", "ada%elsewhere.net@relay", "elsewhere.net!ada"):
            with pytest.raises(smtplib.SMTPRecipientsRefused):
                client.sendmail("x@y.z", address, PLAIN)
    assert inbox.got == []


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (
            Unreachable("the database"),
            (451, b"4.3.0 The mail cannot be stored now, please try again later"),
        ),
        (Unreadable("it is\r\nempty"), (554, b"5.6.0 The message cannot be read: it is empty")),
        (TooLarge("9 bytes"), (552, b"5.3.4 Too large: 9 bytes")),
        (
            RuntimeError("a secret"),
            (451, b"4.3.0 The mail cannot be stored now, please try again later"),
        ),
    ],
)
def test_what_is_not_kept_is_not_accepted(
    smtp: int, inbox: Inbox, error: Exception, answer: object
) -> None:
    inbox.fail["ada@example.org"] = error
    with smtplib.SMTP("127.0.0.1", smtp) as client, pytest.raises(smtplib.SMTPDataError) as refused:
        client.sendmail("x@y.z", "ada@example.org", PLAIN)
    assert (refused.value.smtp_code, refused.value.smtp_error) == answer


def test_of_two_owners_the_one_who_must_wait_decides(smtp: int, inbox: Inbox) -> None:
    inbox.fail = {"ada@example.org": Unreadable("x"), "bob@example.org": Unreachable("x")}
    with smtplib.SMTP("127.0.0.1", smtp) as client, pytest.raises(smtplib.SMTPDataError) as refused:
        client.sendmail("x@y.z", ["ada@example.org", "bob@example.org"], PLAIN)
    assert refused.value.smtp_code == 451


def test_a_mail_announced_as_too_large_is_refused_at_once(smtp: int) -> None:
    with smtplib.SMTP("127.0.0.1", smtp) as client:
        client.ehlo()
        assert client.esmtp_features["size"] == "10000"
        code, words = client.mail("x@y.z", ["size=10001"])
    assert (code, words[:5]) == (552, b"5.3.4")


def test_a_mail_that_turns_out_too_large_is_refused(smtp: int, inbox: Inbox) -> None:
    with Line(smtp) as line:
        line.ready_for_data(b"EHLO", b"ada@example.org")
        line.socket.sendall((b"x" * 70 + b"\r\n") * 200 + b".\r\n")
        assert line.answer().startswith(b"552 5.3.4")
    assert inbox.got == []


def test_what_the_door_offers_is_what_it_can_do(smtp: int) -> None:
    with smtplib.SMTP("127.0.0.1", smtp) as client:
        client.ehlo()
        assert {"size", "8bitmime", "smtputf8", "pipelining", "enhancedstatuscodes"} <= set(
            client.esmtp_features
        )
        assert not {"chunking", "auth", "starttls"} & set(client.esmtp_features)


def test_an_address_in_utf_8_is_lookup_status(inbox: Inbox) -> None:
    known = {"jürg@example.org": "juerg"}.get
    with (
        door(lambda: make_smtp(accept=inbox.accept, known=known, limits=MailLimits())) as port,
        smtplib.SMTP("127.0.0.1", port) as client,
    ):
        client.ehlo()
        client.mail("x@y.z", ["SMTPUTF8", "BODY=8BITMIME"])
        assert client.rcpt("jürg@example.org")[0] == 250
        assert client.data(PLAIN)[0] == 250
    assert inbox.got[0][1] == ("jürg@example.org",)


def test_an_address_that_is_no_text_is_nobodys(smtp: int) -> None:
    with Line(smtp) as line:
        line.answer()
        said = line.say(b"EHLO me\r\nMAIL FROM:<>\r\nRCPT TO:<\xff@example.org>\r\n", answers=3)
    assert said[2].startswith(b"550 5.1.1")


def test_more_recipients_than_allowed_are_sent_away_for_now(inbox: Inbox) -> None:
    with (
        door(
            lambda: make_smtp(
                accept=inbox.accept, known=lambda _: "ada", limits=MailLimits(), recipients=2
            )
        ) as port,
        smtplib.SMTP("127.0.0.1", port) as client,
    ):
        client.ehlo()
        client.mail("x@y.z")
        assert [client.rcpt(f"{n}@y.z")[0] for n in range(3)] == [250, 250, 452]


def test_who_lives_here_is_not_told(smtp: int) -> None:
    with smtplib.SMTP("127.0.0.1", smtp) as client:
        client.ehlo()
        assert client.verify("ada@example.org") == client.verify("eve@example.org")


@pytest.mark.parametrize("ending", [b"\n.\n", b"\n.\r\n", b"\r.\r", b"\r\n.\n", b"\r\n.\r"])
def test_only_a_dot_between_two_proper_line_ends_ends_a_mail(
    smtp: int, inbox: Inbox, ending: bytes
) -> None:
    hidden = b"MAIL FROM:<evil@y.z>\r\nRCPT TO:<bob@example.org>\r\nDATA\r\nSubject: evil\r\n\r\n"
    with Line(smtp) as line:
        line.ready_for_data(b"EHLO", b"ada@example.org")
        said = line.say(
            b"Subject: one\r\n\r\nhi" + ending + hidden + b"\r\n.\r\nNOOP\r\n", answers=2
        )
    assert [answer[:3] for answer in said] == [b"250", b"250"]
    assert len(inbox.got) == 1
    assert b"RCPT TO" in inbox.got[0][0]


def test_a_dot_at_the_start_of_a_line_is_part_of_the_mail(smtp: int, inbox: Inbox) -> None:
    with smtplib.SMTP("127.0.0.1", smtp) as client:
        client.sendmail("x@y.z", "ada@example.org", b"Subject: x\r\n\r\n.hidden\r\n..\r\n")
    assert inbox.got[0][0].endswith(b"\r\n.hidden\r\n..\r\n")


def test_a_long_line_is_taken(smtp: int, inbox: Inbox) -> None:
    with smtplib.SMTP("127.0.0.1", smtp) as client:
        client.sendmail("x@y.z", "ada@example.org", b"Subject: x\r\n\r\n" + b"y" * 5_000)
    assert b"y" * 5_000 in inbox.got[0][0]


def test_a_session_goes_on_after_a_refusal(smtp: int, inbox: Inbox) -> None:
    inbox.fail["ada@example.org"] = Unreadable("x")
    with smtplib.SMTP("127.0.0.1", smtp) as client:
        with pytest.raises(smtplib.SMTPDataError):
            client.sendmail("x@y.z", "ada@example.org", PLAIN)
        client.sendmail("x@y.z", "bob@example.org", PLAIN)
    assert len(inbox.got) == 1


def test_commands_sent_ahead_are_answered_in_order(smtp: int, inbox: Inbox) -> None:
    with Line(smtp) as line:
        line.answer()
        said = line.say(
            b"EHLO me\r\nMAIL FROM:<x@y.z>\r\nRCPT TO:<ada@example.org>\r\nDATA\r\n", answers=4
        )
        assert [answer[:3] for answer in said] == [b"250", b"250", b"250", b"354"]
        assert line.say(PLAIN + b".\r\nQUIT\r\n", answers=2)[1].startswith(b"221 2.0.0")
    assert len(inbox.got) == 1


def test_more_connections_than_allowed_are_sent_away_for_now(inbox: Inbox) -> None:
    factory = lambda: make_smtp(  # noqa: E731 a name for one call
        accept=inbox.accept,
        known=OWNERS.get,
        limits=MailLimits(),
        connections=ConnectionLimits(most=1),
    )
    with door(factory) as port:
        with Line(port) as first, Line(port) as second:
            assert first.answer().startswith(b"220")
            assert second.answer().startswith(b"421 4.7.0")
        _soon(lambda: _greeting(port).startswith(b"220"))


def test_a_connection_that_says_nothing_is_closed(inbox: Inbox) -> None:
    factory = lambda: make_smtp(  # noqa: E731 a name for one call
        accept=inbox.accept, known=OWNERS.get, limits=MailLimits(), idle=0.2
    )
    with door(factory) as port, Line(port) as line:
        line.answer()
        assert line.answer() == b""


def test_starttls_is_offered_when_there_is_a_certificate(inbox: Inbox, tmp_path: Path) -> None:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"),
            *("-subj", "/CN=localhost", "-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours.load_cert_chain(certificate, key)
    theirs = ssl.create_default_context(cafile=str(certificate))
    theirs.check_hostname = False
    limits = MailLimits()
    with (
        door(
            lambda: make_smtp(accept=inbox.accept, known=OWNERS.get, limits=limits, tls=ours)
        ) as port,
        smtplib.SMTP("127.0.0.1", port) as client,
    ):
        client.starttls(context=theirs)
        client.ehlo()
        assert "auth" not in client.esmtp_features
        client.sendmail("x@y.z", "ada@example.org", PLAIN)
    assert inbox.got == [(PLAIN, ("ada@example.org",))]
    assert inbox.envelopes[0].tls.startswith("TLSv1.")


# LMTP


def test_lmtp_delivers_too(lmtp: int, inbox: Inbox) -> None:
    with smtplib.LMTP("127.0.0.1", lmtp) as client:
        assert client.sendmail("x@y.z", "ada@example.org", PLAIN) == {}
    assert inbox.got == [(PLAIN, ("ada@example.org",))]


def test_lmtp_answers_once_for_each_recipient(lmtp: int, inbox: Inbox) -> None:
    inbox.fail["bob@example.org"] = Unreachable("the disk")
    with Line(lmtp) as line:
        line.ready_for_data(b"LHLO", b"ada@example.org", b"bob@example.org", b"a.l@example.org")
        said = line.say(PLAIN + b".\r\nNOOP\r\n", answers=4)
    assert [answer[:9] for answer in said] == [
        b"250 2.0.0",
        b"451 4.3.0",
        b"250 2.0.0",
        b"250 2.0.0",
    ]
    assert inbox.got == [(PLAIN, ("ada@example.org", "a.l@example.org"))]


def test_lmtp_answers_for_each_recipient_of_a_mail_that_is_too_large(lmtp: int) -> None:
    with Line(lmtp) as line:
        line.ready_for_data(b"LHLO", b"ada@example.org", b"bob@example.org")
        said = line.say((b"x" * 70 + b"\r\n") * 200 + b".\r\nNOOP\r\n", answers=3)
    assert [answer[:3] for answer in said] == [b"552", b"552", b"250"]


def test_lmtp_answers_only_once_when_there_is_nobody_to_deliver_to(lmtp: int) -> None:
    with Line(lmtp) as line:
        line.answer()
        line.say(b"LHLO me\r\n")
        line.say(b"MAIL FROM:<x@y.z>\r\n")
        said = line.say(b"DATA\r\nNOOP\r\n", answers=2)
    assert [answer[:3] for answer in said] == [b"503", b"250"]


def test_lmtp_knows_no_ehlo(lmtp: int) -> None:
    with Line(lmtp) as line:
        line.answer()
        assert line.say(b"EHLO me\r\n")[0].startswith(b"500")


def _greeting(port: int) -> bytes:
    with Line(port) as line:
        return line.answer()


def _soon(holds: Callable[[], bool]) -> None:
    for _ in range(100):
        if holds():
            return
        time.sleep(0.02)
    pytest.fail("it did not become true within two seconds")
