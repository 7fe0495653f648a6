"""Read how much of a series an order is for: ``only``, ``and following``, ``all``."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from assistant.adapters.offline.patterns import OF_ALL, OF_FOLLOWING, OF_THIS, form
from assistant.adapters.offline.texts import COPY
from assistant.domain.calendar.series import SeriesScope
from assistant.domain.time.said.values import Unclear

_BEHIND = form(
    rf",? (?:(?P<this>{OF_THIS}|only|just|nur)|(?P<following>{OF_FOLLOWING})"
    rf"|(?P<all>{OF_ALL}|all|every|alle))$"
)
_SURE = form(rf"(?:{OF_FOLLOWING}|{OF_ALL}|(?:only|just|nur) this(?: one)?)$")
"""What no title ends with."""
_BEFORE = form(
    r"(?:(?P<this>only|just|nur)|(?P<all>all|every|alle|the whole series|die ganze serie))"
    r"(?P<of> of)?(?P<the> the| den| die| das)?(?: (?P<quote>\")| )"
)
_TO = form(r" to ")


class Scoped(NamedTuple):
    """The words of an order without its scope."""

    words: str
    scope: SeriesScope | None


def read_scope(order: str, words: str) -> Scoped:
    """Take the scope out of the words behind ``order``, such as ``move``. Raises ``Unclear``.

    Without quotes, ``all hands`` may be a title: it is asked.
    """
    scope = None
    if found := _BEFORE.match(words):
        scope = SeriesScope.THIS if found["this"] else SeriesScope.ALL
        rest = words[found.end() - bool(found["quote"]) :]
        if not (found["quote"] or found["the"] or found["of"] or " series" in found[0].lower()):
            raise Unclear(_either(order, words, found[0].strip(), rest))
        words = rest
    for end in _ends(order, words):
        found = _BEHIND.search(words[:end])
        if found and _is_sure(words[: found.start()], found[0]):
            behind = next(one for one in SeriesScope if found[_GROUPS[one]])
            if scope not in {None, behind}:
                raise Unclear("I am not sure how much of the series is meant: say it once.")
            scope, words = behind, words[: found.start()] + words[end:]
            break
    return Scoped(words, scope)


_GROUPS = {SeriesScope.THIS: "this", SeriesScope.FOLLOWING: "following", SeriesScope.ALL: "all"}


def _ends(order: str, words: str) -> list[int]:
    """Return where a scope may end: before a ``to`` outside quotes, or at the end of no title."""
    tos = [one.start() for one in _TO.finditer(words) if words.count('"', 0, one.start()) % 2 == 0]
    return tos if order == "rename" else [*tos, len(words)]


def _is_sure(event: str, scope: str) -> bool:
    """Whether the words at the end are of no title: behind quotes, a day, or by themselves."""
    if event.count('"') % 2:
        return False
    return '"' in event or " on " in event or bool(_SURE.search(scope))


def _either(order: str, words: str, scope: str, rest: str) -> str:
    return (
        f"I am not sure what the title is. {COPY}\n"
        f"- {_quoted(f'{order} {scope} ', rest)}\n- {_quoted(f'{order} ', words)}"
    )


_TITLE = re.compile(r"(?P<title>.+?)(?P<rest> (?:on|to) .+| today| tomorrow|)$", re.IGNORECASE)


def _quoted(before: str, words: str) -> str:
    """Put what seems to be the title in quotes."""
    found = _TITLE.match(words)
    return f'{before}"{found["title"]}"{found["rest"]}' if found else before + words


def say_scope(scope: SeriesScope | None) -> str:
    """Say behind an event how much of its series is meant, in words that read as the same."""
    said = {
        SeriesScope.THIS: ", only this one",
        SeriesScope.FOLLOWING: ", this one and all after it",
        SeriesScope.ALL: ", the whole series",
    }
    return said[scope] if scope else ""


def offers(tool: str, args: Mapping[str, Any]) -> Sequence[str]:
    """Return a change of an event with each scope, a line each; none where it is none of words."""
    title, on = args.get("event"), args.get("on")
    if not isinstance(title, str) or '"' in title:
        return ()
    order, to = "cancel", ""
    if tool == "update_event":
        order = "rename" if args.get("title") else "move"
        new = args["title"] if args.get("title") else _time(args, on)
        to = f' to "{new}"' if args.get("title") else f" to {new}"
    day = f" on {on}" if on else ""
    ways = [f'{order} all "{title}"{day}{to}']
    if on:
        ways = [
            f'{order} only "{title}"{day}{to}',
            f'{order} "{title}"{day} and following{to}',
            *ways,
        ]
    return [f"- {way}" for way in ways]


def _time(args: Mapping[str, Any], on: object) -> str:
    """Write the new time of an event: ``11:00``, or with its day where that is another."""
    start, end = str(args.get("start", "")), str(args.get("end", ""))
    if len(start) == _DAY:
        last = date.fromisoformat(end) - timedelta(days=1) if end else None
        days = f"{start} to {last}" if last and last.isoformat() > start else start
        return f"{days} all day"
    begins, ends = start[_CLOCK], end[_CLOCK]
    day = "" if start[:_DAY] == on else f"{start[:_DAY]} "
    if not end:
        return f"{day}{begins}"
    if start[:_DAY] == end[:_DAY]:
        return f"{day}{begins}-{ends}"
    return f"{start[:_DAY]} {begins} to {end[:_DAY]} {ends}"


_DAY = len("2026-11-30")
_CLOCK = slice(_DAY + 1, len("2026-11-30T10:00"))
