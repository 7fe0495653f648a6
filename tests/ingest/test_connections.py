"""Nobody shuts a door: neither by many connections, nor by saying nothing."""

import asyncio
import smtplib
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any, Self

import pytest

from assistant.domain.limits import MailLimits
from assistant.domain.mail.mail import Received
from ingest.doors.connections import ConnectionLimits, counted_as, networks
from ingest.doors.http import make_app
from ingest.doors.http_server import RESERVE, make_server
from ingest.doors.smtp import make_lmtp, make_smtp
from tests.ingest.test_smtp import door

HERE, THERE, RELAY = "127.0.0.1", "127.0.0.2", "127.0.0.3"
"""Three addresses of this machine. Of four places, each may have three."""
FOUR = ConnectionLimits(most=4, each=1, grace=0.0)
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: me\r\n\r\n"
MAIL = b"POST /mail HTTP/1.1\r\nHost: me\r\nContent-Length: 1\r\n\r\nx"


def accept(*_: Any) -> Received:
    return Received(id="mail", known=False)


@contextmanager
def mail_door(
    make: Callable[..., Any] = make_smtp, kept_by: Callable[..., Received] = accept, **given: Any
) -> Iterator[int]:
    def factory() -> Any:
        return make(accept=kept_by, known={"me": "me"}.get, limits=MailLimits(), **given)

    with door(factory) as port:
        yield port


@contextmanager
def web_door(**given: Any) -> Iterator[int]:
    app = make_app(accept=accept, token="t", limits=MailLimits(), ready=lambda: (), live=lambda: ())
    listener = socket.create_server(("127.0.0.1", 0))
    server = make_server(app, host="127.0.0.1", port=0, **given)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join(10)
    listener.close()


class Caller:
    """A connection from one of this machine's addresses."""

    def __init__(self, port: int, address: str = HERE) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), 10, (address, 0))
        self.file = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()
        self.socket.close()

    def say(self, data: bytes) -> None:
        self.socket.sendall(data)

    def line(self) -> bytes:
        try:
            return self.file.readline()
        except ConnectionResetError:  # it was closed while something of ours was on its way
            return b""

    def asks(self, data: bytes) -> bytes:
        self.say(data)
        return self.line()

    def begins_a_mail(self) -> None:
        assert self.line().startswith(b"220")
        assert self.asks(b"HELO me\r\n").startswith(b"250")
        assert self.asks(b"MAIL FROM:<>\r\n").startswith(b"250")
        assert self.asks(b"RCPT TO:<me>\r\n").startswith(b"250")


@pytest.fixture
def calls() -> Iterator[Callable[..., Caller]]:
    """Opens connections that stay open until the end of a test."""
    with ExitStack() as held:
        yield lambda port, address=HERE: held.enter_context(Caller(port, address))


# Mail


def test_one_address_cannot_take_all_places(calls: Callable[..., Caller]) -> None:
    with mail_door(connections=FOUR) as port:
        for _ in range(3):
            calls(port).begins_a_mail()
        assert calls(port).line().startswith(b"421 4.7.0 Too many connections from your address")
        assert calls(port, THERE).line().startswith(b"220")


def test_a_stranger_has_fewer_places_than_a_neighbour() -> None:
    limits = ConnectionLimits(most=32, each=10)
    assert limits.most_from(ip_address("192.0.2.1")) == 24  # of a documentation's network
    assert limits.most_from(ip_address("8.8.8.8")) == 10
    assert limits.most_from(ip_address("2600::1")) == 10


def test_the_door_as_a_whole_has_a_limit(calls: Callable[..., Caller]) -> None:
    with mail_door(connections=FOUR) as port:
        for address in (HERE, HERE, THERE, THERE):
            calls(port, address).begins_a_mail()
        assert calls(port, RELAY).line().startswith(b"421 4.7.0 Too many connections, please")


@pytest.mark.parametrize("make", [make_smtp, make_lmtp])
def test_idle_connections_make_room(make: Any, calls: Callable[..., Caller]) -> None:
    with mail_door(make, connections=FOUR) as port:
        idle = [calls(port, address) for address in (HERE, HERE, HERE, THERE)]
        assert all(one.line().startswith(b"220") for one in idle)
        assert calls(port, RELAY).line().startswith(b"220")
        assert idle[0].line().startswith(b"421 4.7.0 Another connection needs the place")
        idle[3].say(b"NOOP\r\n")
        assert idle[3].line().startswith(b"250")


def test_a_trusted_relay_has_places_of_its_own(calls: Callable[..., Caller]) -> None:
    limits = ConnectionLimits(most=4, each=1, trusted=networks(f"{RELAY}, fd00::/8"))
    with mail_door(connections=limits) as port:
        for address in (HERE, HERE, THERE, THERE, *[RELAY] * 4):
            calls(port, address).begins_a_mail()
        assert calls(port, RELAY).line().startswith(b"421 4.7.0 Too many connections, please")


@pytest.mark.parametrize("make", [make_smtp, make_lmtp])
def test_a_mail_has_to_begin_soon_whatever_else_is_said(
    make: Any, calls: Callable[..., Caller]
) -> None:
    with mail_door(make, first=0.5) as port:
        quiet, busy = calls(port), calls(port)
        assert quiet.line().startswith(b"220")
        assert quiet.line() == b"421 4.4.2 No mail began in 0.5 seconds, closing\r\n"
        busy.line()
        said = b""
        while not said.startswith(b"421"):
            said = busy.asks(b"NOOP\r\n")
            assert said
        assert quiet.line() == b""


@pytest.mark.parametrize("make", [make_smtp, make_lmtp])
def test_a_mail_for_nobody_here_has_not_begun(make: Any, calls: Callable[..., Caller]) -> None:
    with mail_door(make, first=0.5, connections=FOUR) as port:
        hello = b"LHLO" if make is make_lmtp else b"HELO"
        quiet = [calls(port, address) for address in (HERE, HERE, THERE, THERE)]
        for one in quiet:
            one.line()
            assert one.asks(hello + b" me\r\n").startswith(b"250")
            while make is make_lmtp and one.line()[3:4] == b"-":
                pass
            assert one.asks(b"MAIL FROM:<>\r\n").startswith(b"250")
            assert one.asks(b"RCPT TO:<nobody>\r\n").startswith(b"550")
        assert calls(port, RELAY).line().startswith(b"220")
        assert quiet[0].line().startswith(b"421 4.7.0 Another connection needs the place")
        assert quiet[1].line().startswith(b"421 4.4.2 No mail began")


def test_a_mail_that_stands_still_makes_room(calls: Callable[..., Caller]) -> None:
    with mail_door(connections=FOUR, silent=0.5) as port:
        began = [calls(port, address) for address in (HERE, HERE, THERE, THERE)]
        for one in began:
            one.begins_a_mail()
        assert calls(port, RELAY).line().startswith(b"421 4.7.0 Too many connections, please")
        time.sleep(0.6)
        for one in began[1:]:
            assert one.asks(b"NOOP\r\n").startswith(b"250")
        assert calls(port, RELAY).line().startswith(b"220")
        assert began[0].line().startswith(b"421 4.7.0 Another connection needs the place")
        assert began[1].asks(b"NOOP\r\n").startswith(b"250")


def test_a_mail_that_is_being_stored_keeps_its_place(calls: Callable[..., Caller]) -> None:
    stored = threading.Event()

    def slow(*_: Any) -> Received:
        stored.wait(10)
        return accept()

    limits = ConnectionLimits(most=1, grace=0.0)
    with mail_door(kept_by=slow, connections=limits, silent=0.1) as port:
        caller = calls(port)
        caller.begins_a_mail()
        assert caller.asks(b"DATA\r\n").startswith(b"354")
        caller.say(b"Subject: Tea\r\n\r\nTea\r\n.\r\n")
        time.sleep(0.3)
        assert calls(port, THERE).line().startswith(b"421 4.7.0 Too many connections, please")
        stored.set()
        assert caller.line().startswith(b"250")


def certificate(folder: Path) -> ssl.SSLContext:
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"),
            *("-subj", "/CN=localhost", "-keyout", str(key), "-out", str(cert)),
        ],
        check=True,
        capture_output=True,
    )
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(cert, key)
    return made


@pytest.mark.parametrize("half", [b"", b"\x16\x03\x01"])
def test_a_handshake_that_does_not_come_takes_no_place(
    calls: Callable[..., Caller], tmp_path: Path, half: bytes
) -> None:
    with mail_door(first=0.5, tls=certificate(tmp_path)) as port:
        caller = calls(port)
        caller.line()
        caller.say(b"EHLO me\r\n")
        while caller.line()[3:4] == b"-":
            pass
        assert caller.asks(b"STARTTLS\r\n").startswith(b"220")
        caller.say(half)
        assert caller.line() == b""


def test_encryption_gives_no_more_time(tmp_path: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with (
        mail_door(first=1.0, tls=certificate(tmp_path)) as port,
        smtplib.SMTP("127.0.0.1", port) as client,
    ):
        client.starttls(context=context)
        client.ehlo()
        assert client.getreply()[0] == 421
        client.close()


def test_a_mail_that_began_may_take_longer(calls: Callable[..., Caller]) -> None:
    with mail_door(first=0.2) as port:
        caller = calls(port)
        caller.begins_a_mail()
        time.sleep(0.6)
        assert caller.asks(b"NOOP\r\n").startswith(b"250")
        assert caller.asks(b"RSET\r\n").startswith(b"250")
        assert caller.line().startswith(b"421 4.4.2")


# The web


def test_half_open_connections_make_room(calls: Callable[..., Caller]) -> None:
    with web_door(connections=FOUR) as port:
        for address in (HERE, HERE, HERE, THERE, THERE, RELAY):
            calls(port, address).say(b"POST /mail HTTP/1.1\r\n")
        assert b" 401 " in calls(port, RELAY).asks(MAIL)


def test_health_is_told_though_the_door_is_full(calls: Callable[..., Caller]) -> None:
    limits = ConnectionLimits(most=4, each=1, grace=60.0)  # so that nobody makes room
    with web_door(connections=limits) as port:
        for address in (HERE, HERE, HERE, THERE):
            calls(port, address).say(b"POST /mail HTTP/1.1\r\n")
        for _ in range(2 * RESERVE):
            calls(port, THERE).say(b"GET /healthz")
        assert b" 200 " in calls(port, RELAY).asks(HEALTH)
        assert b" 200 " in calls(port).asks(HEALTH.replace(b"healthz", b"readyz"))
        assert b" 503 " in calls(port, RELAY).asks(MAIL)


def test_a_head_has_to_come_soon(calls: Callable[..., Caller]) -> None:
    with web_door(first=0.3) as port:
        quiet, slow, again = calls(port), calls(port), calls(port)
        slow.say(b"GET /healthz HTTP/1.1\r\n")
        assert b" 200 " in again.asks(HEALTH)
        while again.line() != b"\r\n":
            pass
        again.file.read(len(b'{"ok":true}'))
        again.say(b"G")  # a second head that does not come
        assert [quiet.line(), slow.line(), again.line()] == [b"", b"", b""]


def test_a_request_that_takes_long_is_not_cut_off(calls: Callable[..., Caller]) -> None:
    head = (
        b"POST /mail HTTP/1.1\r\nHost: me\r\nAuthorization: Bearer t\r\n"
        b"Content-Type: message/rfc822\r\nContent-Length: 2\r\n\r\n"
    )
    with web_door(first=0.2) as port:
        caller = calls(port)
        caller.say(head + b"a")
        time.sleep(0.6)
        assert b" 202 " in caller.asks(b"b")


def test_a_length_given_in_two_ways_is_refused(calls: Callable[..., Caller]) -> None:
    with web_door() as port:
        caller = calls(port)
        said = caller.asks(
            b"POST /mail HTTP/1.1\r\nHost: me\r\nContent-Length: 4\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HEALTH
        )
        assert b" 400 " in said
        rest = caller.file.read()
        assert b"not both" in rest
        assert b" 200 " not in rest  # what came after it is no request


# Addresses


def test_an_ipv6_customer_counts_as_one() -> None:
    one = counted_as(ip_address("2001:db8:1:2:aaaa::1"))
    assert one == counted_as(ip_address("2001:db8:1:2:bbbb::2")) == ip_network("2001:db8:1:2::/64")
    assert one != counted_as(ip_address("2001:db8:1:3::1"))
    assert counted_as(ip_address("192.0.2.1")) != counted_as(ip_address("192.0.2.2"))


def test_an_ipv4_peer_on_a_socket_for_both_counts_as_ipv4() -> None:
    from ingest.doors.connections import peer_of  # noqa: PLC0415

    class Transport(asyncio.BaseTransport):
        def __init__(self, *peer: object) -> None:
            self.peer = peer

        def get_extra_info(self, name: str, default: Any = None) -> Any:
            return self.peer if name == "peername" else default

    assert peer_of(Transport("::ffff:192.0.2.1", 1)) == ip_address("192.0.2.1")
    assert peer_of(Transport("fe80::1%eth0", 1, 0, 2)) == ip_address("fe80::1")
    assert peer_of(Transport()).is_loopback


@pytest.mark.parametrize("wrong", ["relay.example.org", "10.0.0.1/8", "10.0.0"])
def test_what_is_no_network_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong.partition(".")[0]):
        networks(f"192.0.2.1, {wrong}")
