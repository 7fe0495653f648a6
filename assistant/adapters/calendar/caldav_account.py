"""An account on a CalDAV server: which calendars it has, and a new one."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import requests
from caldav.lib import error as dav

from assistant.adapters.calendar.caldav_calendar import CalDavCalendar
from assistant.adapters.calendar.dav_client import (
    GARBLED,
    NO_CALDAV,
    calendars_of,
    is_local,
    make_client,
    translated,
)
from assistant.adapters.calendar.expansion import Expand, expand_here
from assistant.domain.calendar.connecting.connection import CalendarThere, Login
from assistant.domain.calendar.connecting.providers import PROVIDERS
from assistant.domain.errors import Misconfigured

_ASK = """<?xml version="1.0" encoding="utf-8"?>
<D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop>
<D:current-user-privilege-set/><C:supported-calendar-component-set/>
</D:prop></D:propfind>"""
_DAV, _CALDAV = "{DAV:}", "{urn:ietf:params:xml:ns:caldav}"
_WRITES = frozenset(f"{_DAV}{name}" for name in ("all", "write", "write-content", "bind"))


class CalDavAccounts:
    """See ``assistant.domain.calendar.connecting.connection.CalendarAccounts``.

    Args:
        timeout: seconds to connect, and seconds between two pieces of an answer.
        zone: IANA name of the owner's zone.
    """

    def __init__(self, *, timeout: float, zone: str) -> None:
        self._timeout = timeout
        self._zone = zone

    def log_in(self, login: Login, password: str) -> "CalDavAccount":
        return CalDavAccount(login, password, timeout=self._timeout, zone=self._zone)


class CalDavAccount:
    """See ``assistant.domain.calendar.connecting.connection.CalendarAccount``."""

    def __init__(self, login: Login, password: str, *, timeout: float, zone: str) -> None:
        self._login = login
        self._password = password
        self._timeout = timeout
        self._zone = zone

    def calendars(self) -> Sequence[CalendarThere]:
        with self._asking():
            client = self._client()
            found = [_there(client, one) for one in calendars_of(client)]
        return sorted(found, key=lambda one: one.name.casefold())

    def make(self, name: str) -> CalendarThere:
        with self._asking():
            client = self._client()
            try:
                made = client.get_principal().make_calendar(
                    name=name, supported_calendar_component_set=["VEVENT"]
                )
            except dav.AuthorizationError as refused:
                if refused.status == requests.codes.unauthorized:
                    raise
                raise _not_made(name) from refused
            except dav.DAVError as refused:
                if refused.status and refused.status // 100 == 5:  # noqa: PLR2004  # 5xx
                    raise
                raise _not_made(name) from refused
            return _there(client, made)

    def open(self, id: str) -> CalDavCalendar:
        return open_calendar(
            self._login, self._password, calendar=id, timeout=self._timeout, zone=self._zone
        )

    def _client(self) -> Any:
        return make_client(
            url=url_of(self._login),
            username=self._login.username,
            password=self._password,
            features=features_of(self._login),
            timeout=self._timeout,
            require_tls=not is_local(url_of(self._login)),
        )

    @contextmanager
    def _asking(self) -> Iterator[None]:
        try:
            yield
        except GARBLED as problem:
            raise Misconfigured(NO_CALDAV) from problem
        except (dav.DAVError, requests.RequestException) as problem:
            host = urlsplit(url_of(self._login)).netloc
            raise translated(problem, at=host) from problem


def open_calendar(
    login: Login,
    password: str,
    *,
    calendar: str,
    timeout: float,
    zone: str,
    expand: Expand = expand_here,
) -> CalDavCalendar:
    """Return a calendar of an account, by its id or its name. ``expand`` expands series."""
    url = url_of(login)
    return CalDavCalendar(
        url=url,
        username=login.username,
        password=password,
        calendar=calendar,
        provider=features_of(login),
        timeout=timeout,
        require_tls=not is_local(url),
        zone=zone,
        expand=expand,
    )


def url_of(login: Login) -> str:
    """Return where an account is; empty where only caldav's profile of its provider knows."""
    known = PROVIDERS.get(login.provider)
    return login.url or (known.url if known else "")


def features_of(login: Login) -> str:
    """Return caldav's profile for an account."""
    known = PROVIDERS.get(login.provider)
    return known.features if known else login.provider


def _not_made(name: str) -> Misconfigured:
    return Misconfigured(
        f"the server does not let this account make a calendar: make one called {name!r} in your "
        "calendar program, and choose it here"
    )


def _there(client: Any, calendar: Any) -> CalendarThere:
    """Ask what a calendar takes. What a server does not say is taken for possible."""
    answer = client.request(str(calendar.url), "PROPFIND", _ASK, {"Depth": "0"})
    tree = answer.tree
    comps = [] if tree is None else [one.get("name", "") for one in tree.iter(f"{_CALDAV}comp")]
    rights = [] if tree is None else [one for one in tree.iter(f"{_DAV}privilege") for one in one]
    return CalendarThere(
        id=str(calendar.id),
        name=calendar.get_display_name() or str(calendar.id),
        events=not comps or "VEVENT" in comps,
        writable=not rights or any(one.tag in _WRITES for one in rights),
    )
