"""What a test lets go wrong with REST requests."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from tests.servers.discord.state import Asked, Json


class Route(StrEnum):
    """Method and path of what is served, as in Discord's reference."""

    GATEWAY = "GET /gateway"
    GATEWAY_BOT = "GET /gateway/bot"
    ME = "GET /users/@me"
    USER = "GET /users/{user_id}"
    APPLICATION = "GET /applications/@me"
    OAUTH_APPLICATION = "GET /oauth2/applications/@me"
    OPEN_DM = "POST /users/@me/channels"
    CHANNEL = "GET /channels/{channel_id}"
    EDIT_CHANNEL = "PATCH /channels/{channel_id}"
    TYPING = "POST /channels/{channel_id}/typing"
    HISTORY = "GET /channels/{channel_id}/messages"
    SEND = "POST /channels/{channel_id}/messages"
    MESSAGE = "GET /channels/{channel_id}/messages/{message_id}"
    EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"
    DELETE = "DELETE /channels/{channel_id}/messages/{message_id}"
    THREAD = "POST /channels/{channel_id}/threads"
    THREAD_OF_MESSAGE = "POST /channels/{channel_id}/messages/{message_id}/threads"
    COMMANDS = "GET /applications/{application_id}/commands"
    UPSERT_COMMANDS = "PUT /applications/{application_id}/commands"
    CALLBACK = "POST /interactions/{interaction_id}/{token}/callback"
    FOLLOWUP = "POST /webhooks/{application_id}/{token}"
    ANSWER = "GET /webhooks/{application_id}/{token}/messages/{message_id}"
    EDIT_ANSWER = "PATCH /webhooks/{application_id}/{token}/messages/{message_id}"
    DELETE_ANSWER = "DELETE /webhooks/{application_id}/{token}/messages/{message_id}"


@dataclass(frozen=True)
class Canned:
    """An answer given in place of the real one; the request has no effect."""

    status: int
    body: Json
    headers: dict[str, str] = field(default_factory=dict)


Which = Callable[[Asked], bool]


@dataclass
class Fault:
    """Meets the next ``times`` requests to ``route`` for which ``which`` holds.

    ``before`` and ``after`` are seconds of delay, around the effect. ``drop`` closes the connection
    before the effect, or after it in place of the answer.
    """

    route: Route
    times: int
    which: Which
    canned: Canned | None = None
    before: float = 0.0
    after: float = 0.0
    drop: Literal["", "before", "after"] = ""


def any_request(_: Asked) -> bool:
    return True


class Faults:
    """Each method plans one; a request meets the first planned fault that fits it, and no other."""

    def __init__(self) -> None:
        self._planned: list[Fault] = []

    def rate_limit(
        self,
        route: Route,
        *,
        times: int = 1,
        retry_after: float = 0.05,
        via: bool = True,
        scope: Literal["user", "shared", "global"] = "user",
        which: Which = any_request,
    ) -> None:
        """429. Without ``via`` it comes from Cloudflare, as far as clients can tell."""
        body = {
            "message": "You are being rate limited.",
            "retry_after": retry_after,
            "global": scope == "global",
        }
        headers = {
            "Retry-After": str(max(1, round(retry_after))),
            "X-RateLimit-Limit": "5",
            "X-RateLimit-Remaining": "0",
            "X-RateLimit-Reset": f"{time.time() + retry_after:.3f}",
            "X-RateLimit-Reset-After": f"{retry_after:.3f}",
            "X-RateLimit-Bucket": "planned",
            "X-RateLimit-Scope": scope,
        }
        if scope == "global":
            headers["X-RateLimit-Global"] = "true"
        if via:
            headers["Via"] = "1.1 google"
        self._plan(Fault(route, times, which, canned=Canned(429, body, headers)))

    def fail(
        self,
        route: Route,
        status: int,
        *,
        code: int = 0,
        message: str = "as planned",
        times: int = 1,
        which: Which = any_request,
    ) -> None:
        """Any refusal: 500, 502, 503; 403 with 50007; 404 with 10008; ... Nothing takes effect."""
        canned = Canned(status, {"message": message, "code": code})
        self._plan(Fault(route, times, which, canned=canned))

    def slow(
        self,
        route: Route,
        *,
        before: float = 0.0,
        after: float = 0.0,
        times: int = 1,
        which: Which = any_request,
    ) -> None:
        self._plan(Fault(route, times, which, before=before, after=after))

    def lose_request(self, route: Route, *, times: int = 1, which: Which = any_request) -> None:
        """The connection closes, and nothing has happened."""
        self._plan(Fault(route, times, which, drop="before"))

    def lose_answer(self, route: Route, *, times: int = 1, which: Which = any_request) -> None:
        """It has happened, but the connection closes before the answer."""
        self._plan(Fault(route, times, which, drop="after"))

    def clear(self) -> None:
        self._planned.clear()

    def take(self, asked: Asked) -> Fault | None:
        for fault in self._planned:
            if fault.times > 0 and fault.route == asked.route and fault.which(asked):
                fault.times -= 1
                return fault
        return None

    def _plan(self, fault: Fault) -> None:
        self._planned.append(fault)
