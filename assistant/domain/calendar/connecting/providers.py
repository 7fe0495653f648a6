"""What is known of each provider of calendars, a row each."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

NOT_TRIED = "not tried against the real service"


@dataclass(frozen=True, kw_only=True)
class Provider:
    """A service or a server that keeps calendars for CalDAV clients."""

    name: str
    """As the setting ``CALDAV_PROVIDER`` and ``--provider`` have it."""
    title: str
    features: str = ""
    """Its profile in the caldav library; empty where that has none."""
    url: str = ""
    """Its address, where everybody has the same."""
    example: str = ""
    """What an address looks like, where everybody has another."""
    password: str = ""
    """Where the password is made that it wants in place of the account's; empty: the account's."""
    poll: float
    """Seconds between two looks for changes made elsewhere."""
    tried: bool = False
    """Whether our tests run against the server itself."""
    note: str = ""
    """What its owner should know before connecting it."""
    quirks: tuple[str, ...] = ()
    """What it does otherwise than others, which our code takes into account."""

    @property
    def standing(self) -> str:
        """How far it was tried, in words."""
        return "our tests run against it" if self.tried else (self.note or NOT_TRIED)


_TABLE = (
    Provider(
        name="icloud",
        title="iCloud",
        features="icloud",
        url="https://caldav.icloud.com/",
        password="an app-specific password: account.apple.com, Sign-In and Security",  # noqa: S106 (says where one is made)
        poll=75.0,
        note=f"{NOT_TRIED}; our tests run against a server on this machine that behaves like it",
        quirks=(
            "the calendars are on another host (pNN-caldav.icloud.com) than the account",
            "an event without an end is refused, so each is written with DTEND",
            "`If-Match: *` works the wrong way round, so it is never sent",
            "a query for free and busy times is answered 400, so these are computed here",
            "the answer to a write may have no ETag, so the event is then read again",
            "a UID that another calendar of the account has is refused",
            "a 401 offers two ways to log in, of which Basic works",
        ),
    ),
    Provider(
        name="radicale",
        title="Radicale",
        features="radicale",
        example="https://calendar.example.org/",
        poll=30.0,
        tried=True,
        quirks=("a new account has no calendar", "of a list of RDATEs it keeps one"),
    ),
    Provider(
        name="xandikos",
        title="Xandikos",
        features="xandikos",
        example="https://calendar.example.org/",
        poll=30.0,
        tried=True,
    ),
    Provider(
        name="nextcloud",
        title="Nextcloud",
        features="nextcloud",
        example="https://cloud.example.org/remote.php/dav/",
        password="an app password: Settings, Security, Devices & sessions",  # noqa: S106 (as above)
        poll=60.0,
    ),
    Provider(
        name="fastmail",
        title="Fastmail",
        url="https://caldav.fastmail.com/",
        password="an app password: Settings, Privacy & Security, App passwords",  # noqa: S106 (as above)
        poll=60.0,
    ),
    Provider(
        name="google",
        title="Google",
        url="https://apidata.googleusercontent.com/caldav/v2/",
        poll=90.0,
        note=f"{NOT_TRIED}; Google documents OAuth for CalDAV, and may refuse every password",
    ),
)

PROVIDERS: Mapping[str, Provider] = {one.name: one for one in _TABLE}

ANY = Provider(name="", title="Another CalDAV server", poll=60.0)
"""Stands for a server of which nothing is known."""


def provider_of(name: str) -> Provider:
    """Return the row of a provider; ``ANY`` for a name that has none."""
    return PROVIDERS.get(name, ANY)


def known_names() -> str:
    return ", ".join(PROVIDERS)


def unknown(name: str) -> str:
    """Say that there is no such provider, which ones there are, and which one may be meant."""
    near = get_close_matches(name.lower(), PROVIDERS, n=1)
    meant = f"; did you mean {near[0]}?" if near else ""
    return f"{name!r} is no provider we know ({known_names()}){meant}"
