"""Make the client that speaks CalDAV (RFC 4791), and translate what goes wrong with it."""

import ssl
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import requests
from caldav.davclient import DAVClient
from caldav.lib import error as dav
from requests.adapters import HTTPAdapter
from urllib3.exceptions import NameResolutionError

from assistant.domain.errors import AssistantError, Busy, Misconfigured, Unreachable, WrongPassword

GARBLED = (SyntaxError, AttributeError)
"""What lxml raises for an answer that is no XML, and caldav for a page that is no answer."""
NO_CALDAV = "the server at this address does not speak CalDAV"
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
    if not require_tls and is_local(str(client.url)):
        client.session.mount("http://", _ThisMachine())
    return client


class _ThisMachine(HTTPAdapter):
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
        case requests.exceptions.InvalidSchema():
            return Misconfigured("the calendar's address is not https (http: this machine only)")
        case ValueError():
            return Misconfigured(f"the calendar's address does not work ({type(problem).__name__})")
        case requests.exceptions.SSLError() if untrusted(problem):
            return Misconfigured("the calendar server's certificate is not trusted")
        case _ if isinstance(reason_of(problem), NameResolutionError):
            return Unreachable(f"the calendar server: no host of this name is known ({at})")
        case _:
            return Unreachable(f"the calendar server at {at} ({type(problem).__name__})")


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
