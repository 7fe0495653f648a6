"""Find the arguments of a call whose words occur in a text that somebody else wrote."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from assistant.domain.calls.call import QuotedArgument

SHORTEST = 4
"""An argument with fewer characters proves nothing."""
_RUN, _LONG_RUN = 3, 12
"""The words, and the least characters, of a run that is no coincidence."""
_RUNS = 40
_MOST = 20
_LOOKED_AT = 200
_LONGEST = 4_000
"""Characters of an argument that are compared."""


class OutsideText(NamedTuple):
    """A text of others in the model's view, and its source."""

    source: str
    text: str


def quoted_arguments(
    args: Mapping[str, Any], texts: Sequence[OutsideText], *, own: Sequence[str] = ()
) -> tuple[QuotedArgument, ...]:
    """Return the arguments whose words occur in one of these texts, each with the first such text.

    The whole argument must occur there, or three of its words in a row. Case, line breaks and runs
    of blanks do not matter. An argument inside another is named by its path: ``edits.0.target``.

    Leaves out an argument whose whole text occurs in the owner's ``own`` words: the owner typed it.
    """
    mine = [_plain(one) for one in own]
    plain = [(one.source, _plain(one.text)) for one in texts if one.source]
    found: list[QuotedArgument] = []
    for path, value in islice(_texts_in(args, ""), _LOOKED_AT):
        if _is_typed(value, mine):
            continue
        pieces = _pieces(_plain(value[:_LONGEST]))
        source = next(
            (source for source, text in plain if any(piece in text for piece in pieces)), ""
        )
        if source:
            found.append(QuotedArgument(arg=path, source=source))
        if len(found) == _MOST:
            break
    return tuple(found)


def still_quoted(
    marks: Sequence[QuotedArgument], before: Mapping[str, Any], edited: Mapping[str, Any]
) -> tuple[QuotedArgument, ...]:
    """Return the marks that remain after a person edited the arguments.

    A text that is as it was ``before`` stays marked, also where it has moved within its argument.
    """
    was = dict(islice(_texts_in(before, ""), _LOOKED_AT))
    now = list(islice(_texts_in(edited, ""), _LOOKED_AT))
    kept: list[QuotedArgument] = []
    for mark in marks:
        name = mark.arg.partition(".")[0]
        if name not in edited:
            kept.append(mark)
            continue
        places = (path for path, value in now if path.partition(".")[0] == name)
        same = [path for path in places if dict(now)[path] == was.get(mark.arg)]
        kept += [mark.model_copy(update={"arg": path}) for path in same]
    return tuple(dict.fromkeys(kept))[:_MOST]


def _is_typed(value: str, mine: Sequence[str]) -> bool:
    """Return whether the owner typed this text, as whole words and not as a part of one."""
    wanted = _plain(value)
    if len(wanted) < SHORTEST:
        return False
    edge = r"(?<!\w){}(?!\w)"
    return any(re.search(edge.format(re.escape(wanted)), typed) for typed in mine)


def _pieces(wanted: str) -> list[str]:
    """Return what to look for: the whole argument, and each run of words that is long enough."""
    words = wanted.split()
    runs = [" ".join(words[n : n + _RUN]) for n in range(len(words) - _RUN)]
    whole = [wanted] if len(wanted) >= SHORTEST else []
    return whole + [run for run in runs[:_RUNS] if len(run) >= _LONG_RUN]


def _texts_in(value: object, path: str) -> Iterator[tuple[str, str]]:
    waiting = [(path, value)]
    while waiting:
        where, here = waiting.pop(0)
        below = f"{where}." if where else ""
        if isinstance(here, str):
            yield where, here
        elif isinstance(here, Mapping):
            waiting += [(f"{below}{name}", inner) for name, inner in here.items()]
        elif isinstance(here, list | tuple):
            waiting += [(f"{below}{n}", inner) for n, inner in enumerate(here)]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
