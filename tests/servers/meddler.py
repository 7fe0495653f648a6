"""A proxy that forwards to a real server, and meddles with what it is told to."""

import http.client
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urlsplit


@dataclass
class Answer:
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


Forward = Callable[[], Answer]
Meddle = Callable[[Forward], Answer]

_HOP = frozenset({"connection", "transfer-encoding", "content-length", "date", "server"})


class Meddler:
    """Listens on a free loopback port between enter and exit.

    ``meddle[method]`` gets a function that forwards the request and returns the server's answer; it
    returns the answer to give. ``seen`` holds the methods and headers that came in.
    """

    def __init__(self, upstream: str) -> None:
        self._upstream = urlsplit(upstream).netloc
        self.meddle: dict[str, Meddle] = {}
        self.seen: list[tuple[str, Mapping[str, str]]] = []
        self._released = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/"

    def hang(self, forward: Forward) -> Answer:
        """Let the server do it, and never tell."""
        answer = forward()
        self._released.wait()
        return answer

    def swallow(self, _: Forward) -> Answer:
        """Take the request, and neither do it nor answer."""
        self._released.wait()
        return Answer(504)

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), _handler(self, self._upstream))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of one that asked and is gone: those who ask are killed too."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def _handler(meddler: Meddler, upstream: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # headers and body in one packet, or the kernel waits 40 ms between them

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            meddler.seen.append((self.command, dict(self.headers)))

            def forward() -> Answer:
                return _forwarded(upstream, self.command, self.path, body, dict(self.headers))

            meddle = meddler.meddle.get(self.command)
            answer = meddle(forward) if meddle else forward()
            try:
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.body)))
                self.end_headers()
                self.wfile.write(answer.body)
                self.wfile.flush()
            except OSError:
                self.close_connection = True  # whoever asked has given up

        def __getattr__(self, name: str) -> Any:
            if name.startswith("do_"):
                return self._serve
            raise AttributeError(name)

        def log_message(self, *_: Any) -> None:
            """Quietly."""

    return Handler


def _forwarded(
    upstream: str, method: str, path: str, body: bytes, headers: Mapping[str, str]
) -> Answer:
    connection = http.client.HTTPConnection(upstream, timeout=20)
    try:
        plain = {"Connection": "close", "Accept-Encoding": "identity"}
        connection.request(method, path, body, {**headers, **plain})
        response = connection.getresponse()
        kept = {name: value for name, value in response.getheaders() if name.lower() not in _HOP}
        return Answer(response.status, kept, response.read())
    finally:
        connection.close()
