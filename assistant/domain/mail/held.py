"""Held mails, grouped by why they could not be read."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from assistant.domain.errors import Unreadable

_KIND = 120
"""The most characters of a kind of reason."""
_SAID_OF_ALL = f"{str(Unreadable()).removesuffix('.')}: "
_SPACE = re.compile(r"\s+")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)")
_NAMED = re.compile(r"\S*[/\\@]\S*|\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b")
"""A path, an address, or an id in hexadecimal digits."""
_NUMBER = re.compile(r"\d+(?:[.,_]\d+)*")


class HeldMail(BaseModel):
    """A held mail, as it is looked up to be read again."""

    model_config = ConfigDict(frozen=True)
    id: str
    number: int
    """Grows with each new mail, whatever its state."""
    reason: str


class HeldReason(BaseModel):
    """How many mails are held for this very reason."""

    model_config = ConfigDict(frozen=True)
    reason: str
    count: int
    newest: datetime
    """When the last of them was received."""


class HeldGroup(BaseModel):
    """Mails that are held for reasons of one kind."""

    model_config = ConfigDict(frozen=True)
    kind: str
    count: int
    newest: datetime


class Retried(BaseModel):
    """What became of held mails that were to be read again."""

    model_config = ConfigDict(frozen=True)
    again: tuple[str, ...] = ()
    """Ids of those that are read again."""
    gone: int = 0
    """How many were not held any more, as somebody else retried or forgot them."""

    def and_also(self, more: "Retried") -> "Retried":
        return Retried(again=self.again + more.again, gone=self.gone + more.gone)


def kind_of(reason: str) -> str:
    """Return a reason without its numbers (N) and names (NAME), which differ from mail to mail."""
    text = _SPACE.sub(" ", reason).strip().removeprefix(_SAID_OF_ALL)
    text = _NAMED.sub("NAME", _QUOTED.sub("NAME", text))
    return _NUMBER.sub("N", text)[:_KIND].strip()


def bare_reason(reason: str) -> str:
    """Return a reason without what is said of every held mail."""
    return reason.removeprefix(_SAID_OF_ALL)


def has_words(reason: str, words: str) -> bool:
    """Return whether these words stand in a reason, or in its kind, whatever their case."""
    wanted = _SPACE.sub(" ", words).strip().casefold()
    said = _SPACE.sub(" ", reason).casefold()
    return wanted in said or wanted in kind_of(reason).casefold()


def groups_of(reasons: Iterable[HeldReason]) -> Sequence[HeldGroup]:
    """Group reasons by their kind, the kind with the newest mail first."""
    groups: dict[str, HeldGroup] = {}
    for one in reasons:
        kind = kind_of(one.reason)
        known = groups.get(kind, HeldGroup(kind=kind, count=0, newest=one.newest))
        groups[kind] = HeldGroup(
            kind=kind,
            count=known.count + one.count,
            newest=max(known.newest, one.newest),
        )
    return sorted(groups.values(), key=lambda group: group.newest, reverse=True)


def counted(mails: int) -> str:
    """Such as ``1 mail`` or ``2,000 mails``."""
    return "1 mail" if mails == 1 else f"{mails:,} mails"


def retry_line(group: HeldGroup | None = None) -> str:
    """Return the command line that reads every held mail of a group again, or of all groups."""
    reason = f" --reason '{_quoted(group.kind)}'" if group and group.kind else ""
    return f"assistant mail retry --all{reason}"


def _quoted(text: str) -> str:
    """Return a text for between single quotes of a shell."""
    return text.replace("'", "'\\''")
