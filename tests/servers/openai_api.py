"""OpenAI's chat completions, on a loopback port and from a script."""

import json
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any, Self

from assistant.domain.mail.understanding.report_tool import REPORT

KEY = "the-right-key"


@dataclass(frozen=True)
class Reply:
    """What the server answers once.

    ``calls`` are a tool's name and its arguments as raw JSON; ``ids`` are theirs, else each has its
    own.
    """

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    status: int = 200
    code: str = ""
    hang: bool = False
    finish: str = ""
    ids: tuple[str, ...] = ()

    def body(self) -> dict[str, Any]:
        if self.status != 200:  # HTTP
            return {"error": {"message": "as the script says", "type": "error", "code": self.code}}
        calls = [
            {"id": id, "type": "function", "function": {"name": name, "arguments": args}}
            for id, (name, args) in zip(self.ids or _some_ids(), self.calls, strict=False)
        ]
        message: dict[str, Any] = {"role": "assistant", "content": self.text or None}
        if calls:
            message["tool_calls"] = calls
        finish = self.finish or ("tool_calls" if calls else "stop")
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_790_000_000,
            "model": "scripted",
            "choices": [{"index": 0, "finish_reason": finish, "message": message}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        }


def _some_ids() -> Iterator[str]:
    return (f"call_{n}" for n in count())


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    path: str
    key: str
    body: dict[str, Any]

    @property
    def messages(self) -> Sequence[dict[str, Any]]:
        asked: list[dict[str, Any]] = self.body["messages"]
        return asked

    @property
    def reports_a_mail(self) -> bool:
        """Whether it asks what a mail says."""
        tools = self.body.get("tools", ())
        return [tool["function"]["name"] for tool in tools] == [REPORT.name]


@dataclass
class OpenAIServer:
    """Answers what it was told to, in that order; after that, ``text`` for ever.

    Requests without the key are turned away with 401 and use up nothing of the script.
    """

    text: str = "well"
    requests: list[Asked] = field(default_factory=list)
    _script: deque[Reply] = field(default_factory=deque)
    _stopping: threading.Event = field(default_factory=threading.Event)

    def say(self, *replies: Reply) -> None:
        self._script.extend(replies)

    def forget(self) -> None:
        """What was left to say."""
        self._script.clear()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def reply_to(self, asked: Asked) -> Reply:
        self.requests.append(asked)
        if asked.key != f"Bearer {KEY}":
            return Reply(status=401, code="invalid_api_key")
        return self._script.popleft() if self._script else Reply(text=self.text)

    def hang(self) -> None:
        self._stopping.wait(60)


def _handler_of(server: OpenAIServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the standard library's name
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            key = self.headers.get("Authorization", "")
            reply = server.reply_to(Asked(path=self.path, key=key, body=body))
            if reply.hang:
                server.hang()
                return
            answer = json.dumps(reply.body()).encode()
            self.send_response(reply.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    return Handler
