"""A server that behaves like iCloud's CalDAV service, in front of a real one. It fails when told.

It was made from what others measured there; nobody has compared it with Apple's.
"""

import http.client
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urlsplit

import icalendar

_HOP = frozenset({"connection", "transfer-encoding", "content-length", "date", "server"})
_CHALLENGES = ('X-MobileMe-AuthToken realm="MMCalDav"', 'Basic realm="MMCalDav"')
_HOME = re.compile(rb"(<(?:\w+:)?calendar-home-set>\s*<(?:\w+:)?href>)(/[^<]*)")
_HANG = 60.0


class Fault(Enum):
    """What goes wrong with one request."""

    DROPPED_BEFORE = "dropped before it was done"
    DROPPED_AFTER = "dropped after it was done"
    UNAUTHORIZED = "401 in mid-session"
    PRECONDITION = "412"
    TOO_MANY = "429"
    UNAVAILABLE = "503"
    HUNG_BEFORE = "not done, and no answer"
    HUNG_AFTER = "done, and no answer"
    TRUNCATED = "done, and half an answer"


_ANSWERS: Mapping[Fault, tuple[int, tuple[tuple[str, str], ...]]] = {
    Fault.UNAUTHORIZED: (401, tuple(("WWW-Authenticate", one) for one in _CHALLENGES)),
    Fault.PRECONDITION: (412, ()),
    Fault.TOO_MANY: (429, (("Retry-After", "1"),)),
    Fault.UNAVAILABLE: (503, ()),
}


@dataclass
class _Answer:
    status: int
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""


@dataclass
class _Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def header(self, name: str) -> str:
        return next((v for k, v in self.headers.items() if k.lower() == name.lower()), "")


class LikeICloud:
    """Listens on two free ports between enter and exit.

    ``url`` is the account's, at ``127.0.0.1``; it names a home at ``localhost`` on another port,
    where the calendars are. ``latency`` is added to each answer, in seconds.
    """

    def __init__(self, upstream: str, *, latency: float = 0.0) -> None:
        self._upstream = urlsplit(upstream).netloc
        self._faults: list[tuple[str, Fault]] = []
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self.latency = latency
        self.seen: list[tuple[str, str, int]] = []
        """Method, path and the port it came to."""

    def fails(self, method: str, fault: Fault, *, times: int = 1) -> None:
        """Let the next requests of a method fail."""
        self._faults += [(method, fault)] * times

    def works(self) -> None:
        """Forget what was to fail."""
        self._faults.clear()

    @property
    def left(self) -> int:
        """Faults that nothing has met yet."""
        return len(self._faults)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.account_port}/"

    @property
    def account_port(self) -> int:
        return int(self._account.server_address[1])

    @property
    def home_port(self) -> int:
        return int(self._home.server_address[1])

    def __enter__(self) -> Self:
        self._account = _server(self)
        self._home = _server(self)
        self._threads = [
            threading.Thread(target=one.serve_forever, args=(0.02,))
            for one in (self._account, self._home)
        ]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for server in (self._account, self._home):
            server.shutdown()
            server.server_close()
        for thread in self._threads:
            thread.join()

    def answer(self, request: _Request, port: int) -> tuple[_Answer | None, Fault | None]:
        """Return the answer, and the fault that its sending has; None to send nothing."""
        self.seen.append((request.method, request.path, port))
        self._ended.wait(self.latency)
        fault = self._next_fault(request.method)
        if fault is not None and fault in _ANSWERS:
            status, headers = _ANSWERS[fault]
            return _Answer(status, list(headers)), None
        if fault is Fault.DROPPED_BEFORE:
            return None, None
        if fault is Fault.HUNG_BEFORE:
            self._ended.wait(_HANG)
            return None, None
        answer = self._as_icloud(request, port)
        if fault is Fault.DROPPED_AFTER:
            return None, None
        if fault is Fault.HUNG_AFTER:
            self._ended.wait(_HANG)
            return None, None
        return answer, fault

    def _next_fault(self, method: str) -> Fault | None:
        with self._lock:
            for n, (of, fault) in enumerate(self._faults):
                if of == method:
                    del self._faults[n]
                    return fault
        return None

    def _as_icloud(self, request: _Request, port: int) -> _Answer:
        if refused := self._refused(request, port):
            return refused
        answer = self._forwarded(request)
        if answer.status == 401:
            plain = [one for one in answer.headers if one[0].lower() != "www-authenticate"]
            answer.headers = plain + [("WWW-Authenticate", one) for one in _CHALLENGES]
        if request.method == "PUT":
            answer.headers = [one for one in answer.headers if one[0].lower() != "etag"]
        if answer.status == 207 and port == self.account_port:
            home = f"http://localhost:{self.home_port}".encode()
            answer.body = _HOME.sub(rb"\g<1>" + home + rb"\g<2>", answer.body)
        return answer

    def _refused(self, request: _Request, port: int) -> _Answer | None:
        below = [step for step in urlsplit(request.path).path.split("/") if step]
        if port == self.account_port and len(below) > 1:
            there = f"http://localhost:{self.home_port}{request.path}"
            return _Answer(301, [("Location", there)])
        deep = request.method == "PROPFIND" and request.header("Depth") not in ("0", "")
        if port == self.account_port and below and deep:
            return _Answer(400)
        if request.method == "REPORT" and b"free-busy-query" in request.body:
            return _Answer(400)
        if request.method == "PUT":
            return self._refused_put(request)
        return None

    def _refused_put(self, request: _Request) -> _Answer | None:
        if request.header("If-Match").strip() == "*":
            if self._holds(request):
                return _Answer(412)
            del request.headers["If-Match"]
        calendar = icalendar.Calendar.from_ical(request.body)
        for event in calendar.walk("VEVENT"):
            if "DTEND" not in event:
                return _Answer(403)
        return _Answer(403) if self._is_elsewhere(request, calendar) else None

    def _is_elsewhere(self, request: _Request, calendar: icalendar.Calendar) -> bool:
        """Whether another calendar of the account has an event of this UID."""
        uids = [str(event["UID"]) for event in calendar.walk("VEVENT")]
        collection = request.path.rpartition("/")[0]
        home = collection.rpartition("/")[0]
        for sibling in self._collections(home, request):
            if uids and sibling.strip("/") != collection.strip("/"):
                body = _BY_UID.format(uid=uids[0]).encode()
                asked = _Request("REPORT", sibling, {**request.headers, "Depth": "1"}, body)
                if b"<getetag>" in self._forwarded(asked).body:
                    return True
        return False

    def _collections(self, home: str, request: _Request) -> list[str]:
        asked = _Request("PROPFIND", f"{home}/", {**request.headers, "Depth": "1"}, b"")
        found = re.findall(rb"<(?:\w+:)?href>([^<]+)<", self._forwarded(asked).body)
        return sorted({one.decode() for one in found if one.decode().strip("/") != home.strip("/")})

    def _holds(self, request: _Request) -> bool:
        asked = _Request("GET", request.path, request.headers, b"")
        return self._forwarded(asked).status == 200

    def _forwarded(self, request: _Request) -> _Answer:
        connection = http.client.HTTPConnection(self._upstream, timeout=20)
        try:
            dropped = ("host", "content-length", "connection", "accept-encoding")
            kept = {k: v for k, v in request.headers.items() if k.lower() not in dropped}
            connection.request(request.method, request.path, request.body, kept)
            response = connection.getresponse()
            headers = [one for one in response.getheaders() if one[0].lower() not in _HOP]
            return _Answer(response.status, headers, response.read())
        finally:
            connection.close()


_BY_UID = """<?xml version="1.0"?>
<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:">
<D:prop><D:getetag/></D:prop><C:filter><C:comp-filter name="VCALENDAR">
<C:comp-filter name="VEVENT"><C:prop-filter name="UID">
<C:text-match collation="i;octet">{uid}</C:text-match>
</C:prop-filter></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>"""


def _server(icloud: LikeICloud) -> ThreadingHTTPServer:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(icloud))
    server.daemon_threads = True
    return server


def _handler(icloud: LikeICloud) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # headers and body in one packet, or the kernel waits 40 ms between them

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            request = _Request(self.command, self.path, dict(self.headers), body)
            answer, fault = icloud.answer(request, int(self.connection.getsockname()[1]))
            try:
                if answer is None:
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                for name, value in answer.headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.body) or int(fault is not None)))
                self.end_headers()
                whole = len(answer.body)
                self.wfile.write(answer.body[: whole // 2] if fault else answer.body)
                self.wfile.flush()
                self.close_connection = self.close_connection or fault is not None
            except OSError:
                self.close_connection = True  # whoever asked has given up

        def __getattr__(self, name: str) -> Any:
            if name.startswith("do_"):
                return self._serve
            raise AttributeError(name)

        def log_message(self, *_: Any) -> None:
            """Quietly."""

    return Handler
