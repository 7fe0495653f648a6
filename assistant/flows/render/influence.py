"""Say on a card whose words led to a call, and whether its owner typed what it would do."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from assistant.domain.calendar.events import TITLES
from assistant.domain.calls.call import Call, Influence, QuotedArgument
from assistant.domain.policy.decisions import MAIL, MODEL
from assistant.domain.text.rows import cut_to, one_row

_MAIL = re.compile(r"mail [0-9a-f]{4,64}(?: from (.+))?")
NOT_VERIFIED = ", not verified"
"""Ends the writer's name in a warning."""
TYPED = "typed by you, after "
"""Begins what the small line says of the writer."""
_LISTED = "mails that others wrote"
"""The source of a list of mails."""
VIA = " via "
"""Stands between who wrote what was forwarded, as the forward says, and who forwarded it."""
_WRITER = 30
"""Columns of a writer's name, and of who forwarded it."""
_NAMES = 3
"""Arguments that are named; the others are counted."""
_NAME = 16


class Influenced(NamedTuple):
    """Whose words led here: a warning, or a part of the small line."""

    warning: str = ""
    small: str = ""
    writer: str = ""
    """The same writer at full length: ``a mail by eve@example.org and 2 others``."""


def influence(call: Call) -> Influenced:
    """Name the writer whose words were in view; nothing where there was none, or a person asked.

    It is a warning unless the owner typed every argument after those words had come into view.
    """
    if not call.tainted or (call.actor != MODEL and not call.led):
        return Influenced()
    given = [name for name, value in call.asked.items() if value is not None]
    copied = {one.arg.partition(".")[0] for one in call.copied}
    by, writer = _writer(call, copied)
    theirs = [name for name in given if name not in call.typed or name in copied]
    if given and not theirs:
        return Influenced(small=f"{TYPED}{by}", writer=writer)
    names = ", ".join(cut_to(one_row(name), _NAME)[0] for name in theirs[:_NAMES])
    rest = f" and {len(theirs) - _NAMES} more" if len(theirs) > _NAMES else ""
    what = f": {names}{rest}" if names and call.actor != MAIL else ""  # there it is all of it
    return Influenced(warning=f"From {by}{NOT_VERIFIED}{what}", writer=writer)


def _writer(call: Call, copied: set[str]) -> tuple[str, str]:
    """Name the first of those whose words are copied, else the newest: in short, and whole."""
    sources = [one.source for one in call.copied] if copied else []
    led = list(dict.fromkeys([*sources, *(one.source for one in call.led)]))
    known = {_key(one): one for one in map(_source, call.led)}
    named = list(dict.fromkeys(known.get(_key(source), source) for source in led))
    if not named:
        return "words of others", "words of others"
    others = len({_key(one) for one in named}) - 1
    more = f" and {others} other{'' if others == 1 else 's'}" if others > 0 else ""
    what, by = _said(named[0])
    short = VIA.join(cut_to(one, _WRITER)[0] for one in by.rsplit(VIA, 1))
    return f"{what}{short}{more}", f"{what}{by}{more}"


def _source(one: Influence) -> str:
    return one.source


def _key(source: str) -> str:
    """Return the first two words of a source, which name it: ``mail 1a2b3c4d``."""
    return " ".join(source.split()[:2])


def _said(source: str) -> tuple[str, str]:
    """Say where a text comes from, as a person would: what it is, and the name of its writer."""
    mail = _MAIL.fullmatch(source)
    if mail:
        return ("a mail by ", one_row(mail[1])) if mail[1] else ("a mail", "")
    if source == _LISTED:
        return "mails by others", ""
    said = "titles in your calendar" if source == TITLES else source.partition(", ")[0]
    return "", one_row(said)


def said_of(influences: Sequence[Influence | QuotedArgument]) -> str:
    """Name the sources in a line each, with how well their writers are known, if they are."""
    return "\n".join(map(_with_grade, influences))


def _with_grade(one: Influence | QuotedArgument) -> str:
    if one.source == TITLES:  # nobody knows who wrote a title, but the calendar is the owner's
        return "titles in your calendar"
    return one.source if one.grade == "unknown" else f"{one.source} ({one.grade})"
