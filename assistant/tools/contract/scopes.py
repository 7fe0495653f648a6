"""Keep a call inside the paths, apps and hosts that its tool declares."""

from functools import lru_cache
from urllib.parse import urlsplit

from assistant.domain.calls import Facts
from assistant.domain.decisions import one_line
from assistant.domain.files import Scope
from assistant.domain.governance import is_plain
from assistant.domain.hosts import is_host, is_public
from assistant.domain.patterns import Glob
from assistant.domain.traits import Scopes

ANY_PUBLIC = "*"
NO_APPS = frozenset({*(scope.value for scope in Scope), "http", "https"})
"""What stands before the colon of a file's location or of an address, and so names no app."""
_ADDRESS = ("http://", "https://")


def out_of_scope(scopes: Scopes, facts: Facts) -> str:
    """Why a call with these facts is refused; empty when it stays inside the scopes."""
    for location in facts.locations:
        if why := _location_outside(scopes, location):
            return why
    for host in facts.hosts:
        if not _covers_host(scopes, host):
            return _outside(host, "hosts", scopes.network)
    return ""


def _location_outside(scopes: Scopes, location: str) -> str:
    if location.startswith(_ADDRESS):
        host = _host_of(location)
        inside = bool(host) and _covers_host(scopes, host)
        return "" if inside else _outside(location, "hosts", scopes.network)
    app, colon, _ = location.partition(":")
    if colon and app not in NO_APPS and app in scopes.apps:
        return ""
    if not is_plain(location):
        return f"{one_line(location, 120)} is no plain path; name it without empty steps, . or .."
    if any(glob.fits(location) for glob in _globs(scopes.paths)):
        return ""
    return _outside(location, "paths and apps", (*scopes.paths, *scopes.apps))


def _covers_host(scopes: Scopes, host: str) -> bool:
    return any(
        is_public(host) if entry == ANY_PUBLIC else is_host(host, entry) for entry in scopes.network
    )


def _host_of(address: str) -> str:
    """The host of a web address; empty where two readers may see two different ones."""
    if "\\" in address or not address.isprintable() or " " in address:
        return ""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _outside(what: str, kind: str, declared: tuple[str, ...]) -> str:
    allowed = ", ".join(declared) or "none"
    return f"{one_line(what, 120)} is outside the {kind} that this tool declares: {allowed}"


@lru_cache(maxsize=1_000)
def _globs(patterns: tuple[str, ...]) -> tuple[Glob, ...]:
    return tuple(Glob(pattern) for pattern in patterns)
