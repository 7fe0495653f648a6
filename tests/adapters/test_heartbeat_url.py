"""The heartbeat calls an address over HTTP, and whatever happens there stays there."""

import logging
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import pytest

from assistant.adapters.heartbeat_url import HeartbeatUrl
from tests.servers.radicale import free_port


class Listener:
    """A server of this machine that answers with one status; -1: not until it is closed."""

    def __init__(self, status: int = 200, *, to: str = "") -> None:
        self.status = status
        self.heard: list[str] = []
        self.closed = threading.Event()
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                listener.heard.append(self.path)
                if listener.status < 0:
                    listener.closed.wait(10)
                    return
                self.send_response(listener.status)
                if to:
                    self.send_header("Location", to)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/ping-secret"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closed.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    with Listener() as listener:
        yield listener


@pytest.fixture
def warnings(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, logger="assistant.adapters.heartbeat_url")
    return caplog


def call(heart: HeartbeatUrl) -> None:
    """Call, and wait until that has ended."""
    heart.call()
    give_up = time.monotonic() + 10
    while heart.calling:
        assert time.monotonic() < give_up
        time.sleep(0.005)


def test_it_is_called(listener: Listener, warnings: pytest.LogCaptureFixture) -> None:
    heart = HeartbeatUrl(listener.url)
    call(heart)
    call(heart)
    assert listener.heard == ["/ping-secret", "/ping-secret"]
    assert warnings.messages == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nobody_is_called_whom_the_address_names(
    status: int, listener: Listener, warnings: pytest.LogCaptureFixture
) -> None:
    with Listener(status, to=listener.url) as elsewhere:
        call(HeartbeatUrl(elsewhere.url))
        assert elsewhere.heard == ["/ping-secret"]
    assert listener.heard == []
    assert warnings.messages == [f"the heartbeat was not heard: it was answered {status}"]


def test_a_failure_is_logged_once_until_it_is_heard_again(
    listener: Listener, warnings: pytest.LogCaptureFixture
) -> None:
    heart = HeartbeatUrl(listener.url)
    listener.status = 500
    for _ in range(3):
        call(heart)
    assert warnings.messages == ["the heartbeat was not heard: it was answered 500"]
    listener.status = 200
    call(heart)
    listener.status = 404
    call(heart)
    assert warnings.messages[1:] == [
        "the heartbeat is heard again",
        "the heartbeat was not heard: it was answered 404",
    ]


@pytest.mark.parametrize(
    "url",
    [f"http://127.0.0.1:{free_port()}/ping-secret", "http://a..b/ping-secret", "http://[/x"],
    ids=["nobody listens", "no host", "no address"],  # the port differs in each process
)
def test_what_cannot_be_called_raises_nothing_and_names_no_address(
    url: str, warnings: pytest.LogCaptureFixture
) -> None:
    call(HeartbeatUrl(url))
    [said] = warnings.messages
    assert said.startswith("the heartbeat was not heard: ")
    assert "secret" not in said
    assert "Traceback" not in warnings.text


def test_a_server_that_does_not_answer_is_given_up(
    listener: Listener, warnings: pytest.LogCaptureFixture
) -> None:
    listener.status = -1
    heart = HeartbeatUrl(listener.url, seconds=0.2)
    began = time.monotonic()
    heart.call()
    heart.call()  # returns at once, and begins no second call
    assert time.monotonic() - began < 0.2
    call(heart)
    assert listener.heard[0] == "/ping-secret"
    assert len(warnings.messages) == 1


def test_a_machine_that_has_no_thread_left_is_told_of_and_tried_again(
    listener: Listener, warnings: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    heart = HeartbeatUrl(listener.url)

    def fails(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", fails)
        heart.call()
    call(heart)
    assert listener.heard == ["/ping-secret"]
    assert warnings.messages[0] == "the heartbeat was not heard: RuntimeError"
