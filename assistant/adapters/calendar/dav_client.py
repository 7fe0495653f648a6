"""Make the client that speaks CalDAV (RFC 4791), and translate what goes wrong with it."""

import ssl
from collections.abc import Generator, Mapping, Sequence
from ipaddress import ip_address
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import requests
from caldav.davclient import DAVClient
from caldav.lib import error as dav
from requests.adapters import HTTPAdapter
from urllib3.exceptions import NameResolutionError

from assistant.domain.errors import AssistantError, Busy, Misconfigured, Unreachable, WrongPassword
from assistant.domain.limits import MiB

GARBLED = (SyntaxError, AttributeError)
"""What lxml raises for an answer that is no XML, and caldav for a page that is no answer."""
NO_CALDAV = "the server at this address does not speak CalDAV"
ANSWER = 32 * MiB
"""The most bytes of one answer, once it is unpacked."""
PATIENCE = 60.0
"""The most seconds that one answer may take from its first line to its end."""
_PIECE = 64 * 1024
_ELSEWHERE = "the server names an account on another server, to which no password is sent"
_LOOKS: Mapping[int, tuple[type[AssistantError], str]] = {
    401: (WrongPassword, "the calendar server does not accept this username and password"),
    403: (Misconfigured, "the account may not use this calendar"),
    404: (Misconfigured, "there is no calendar at this address"),
    405: (Misconfigured, NO_CALDAV),
    501: (Misconfigured, NO_CALDAV),
    429: (Busy, "the calendar server answered 429"),
    503: (Busy, "the calendar server answered 503"),
}


def make_client(
    *, url: str, username: str, password: str, features: str, timeout: float, require_tls: bool
) -> Any:
    """Raises ``Misconfigured`` for features, or an address, that caldav does not take."""
    try:
        client = DAVClient(
            url=url,
            username=username or None,
            password=password,
            timeout=timeout,  # type: ignore[arg-type]  # requests takes fractions
            features=features or None,  # type: ignore[arg-type]  # its default is None
        )
    except ValueError as unknown:
        raise Misconfigured(str(unknown)) from unknown
    # A password in .netrc would be tried first, and might belong to another account.
    client.session.trust_env = False
    # To whatever address a server names, the password goes over TLS or not at all.
    client.session.adapters.pop("http://")
    client.session.mount("https://", _Bounded())
    if not require_tls and is_local(str(client.url)):
        client.session.mount("http://", _ThisMachine())
    return client


def calendars_of(client: Any) -> Sequence[Any]:
    """Return the calendars of an account. Raises what caldav raises, and ``Misconfigured``."""
    try:
        return list(client.get_calendars())
    except requests.RequestException:
        raise
    except ValueError as elsewhere:
        raise Misconfigured(_ELSEWHERE) from elsewhere


class AnswerTooLarge(requests.RequestException):
    """An answer has more than ``ANSWER`` bytes, and was not read to its end."""


class _Bounded(HTTPAdapter):
    """Reads no answer that never ends: neither its bytes nor its time."""

    def send(self, request: requests.PreparedRequest, *args: Any, **more: Any) -> Any:
        answer = super().send(request, *args, **more)
        answer.raw = _BoundedBody(answer.raw)
        return answer


class _BoundedBody:
    """The body of an answer as urllib3 gives it, read within bounds."""

    def __init__(self, body: Any) -> None:
        self._body = body

    def __getattr__(self, name: str) -> Any:
        return getattr(self._body, name)

    def stream(self, _size: int, **more: Any) -> Generator[bytes]:
        """Raises ``AnswerTooLarge``, or ``ReadTimeout`` where pieces keep coming for too long."""
        left, until = ANSWER, monotonic() + PATIENCE
        # ``read1`` returns what is there: a read of a size would wait for all of it.
        while piece := self._body.read1(_PIECE, **more):
            left -= len(piece)
            if left < 0:
                self._body.close()
                raise AnswerTooLarge
            if monotonic() > until:
                self._body.close()
                raise requests.ReadTimeout
            yield piece


class _ThisMachine(_Bounded):
    """Sends nothing to another machine."""

    def send(self, request: requests.PreparedRequest, *args: Any, **more: Any) -> Any:
        if not is_local(request.url or ""):
            raise requests.exceptions.InvalidSchema(request.url)
        return super().send(request, *args, **more)


def is_local(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def translated(problem: Exception, *, at: str) -> AssistantError:
    """Translate the error of a read, or of a request that was never sent."""
    match problem:
        case dav.DAVError():
            return said(problem.status or 0)
        case AnswerTooLarge() | ValueError():
            return Misconfigured(_unusable(problem))
        case requests.exceptions.SSLError() if untrusted(problem):
            return Misconfigured("the calendar server's certificate is not trusted")
        case _ if isinstance(reason_of(problem), NameResolutionError):
            return Unreachable(f"the calendar server: no host of this name is known ({at})")
        case _:
            return Unreachable(f"the calendar server at {at} ({type(problem).__name__})")


def _unusable(problem: AnswerTooLarge | ValueError) -> str:
    match problem:
        case AnswerTooLarge():
            return f"the calendar server's answer has more than {ANSWER // MiB} MiB"
        case requests.exceptions.InvalidSchema():
            return "the calendar's address is not https (http: this machine only)"
        case _:
            return f"the calendar's address does not work ({type(problem).__name__})"


def said(status: int) -> AssistantError:
    """Translate the status of a read."""
    if status in _LOOKS:
        kind, text = _LOOKS[status]
        return kind(text)
    words = f"the calendar server answered {status or 'nonsense'}"
    return Misconfigured(words) if status // 100 == 4 else Unreachable(words)  # noqa: PLR2004  # 4xx


def reason_of(lost: Exception) -> object:
    """Return why urllib3 gave up, where requests has wrapped its error."""
    return getattr(lost.args[0], "reason", None) if lost.args else None


def untrusted(lost: Exception) -> bool:
    reason = reason_of(lost)
    causes = reason.args if isinstance(reason, Exception) else ()
    return any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes)
