"""Which arguments of a call hold words that stand in a text somebody else wrote."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from assistant.domain.calls.call import Copied

SHORTEST = 4
"""Characters below which a word is everybody's."""
_RUN, _LONG_RUN = 3, 12
"""Words, and characters, of a run that nobody comes upon by chance."""
_RUNS = 40
_MOST = 20
_LOOKED_AT = 200
_LONGEST = 4_000
"""Characters of an argument."""


class OutsideText(NamedTuple):
    """Words of others in a model's view, and where they come from."""

    source: str
    text: str


def copied(
    args: Mapping[str, Any], texts: Sequence[OutsideText], *, own: Sequence[str] = ()
) -> tuple[Copied, ...]:
    """The arguments whose words stand in one of these texts, each with the first that has them.

    None whose whole text stands in the owner's ``own`` words: these are the owner's, whoever else
    wrote them as well.

    All of it may stand there, or three of its words in a row. Case, line breaks and runs of blanks
    do not matter. An argument inside another is named by its path, as ``edits.0.target``.
    """
    mine = [_plain(one) for one in own]
    plain = [(one.source, _plain(one.text)) for one in texts if one.source]
    found: list[Copied] = []
    for path, value in islice(_words(args, ""), _LOOKED_AT):
        if _is_said(value, mine):
            continue
        pieces = _pieces(_plain(value[:_LONGEST]))
        source = next(
            (source for source, text in plain if any(piece in text for piece in pieces)), ""
        )
        if source:
            found.append(Copied(arg=path, source=source))
        if len(found) == _MOST:
            break
    return tuple(found)


def still_copied(
    marks: Sequence[Copied], before: Mapping[str, Any], edited: Mapping[str, Any]
) -> tuple[Copied, ...]:
    """What is left of the marks once a person gave these arguments another value.

    Texts of theirs that are as they were ``before`` stay marked, wherever in it they stand now.
    """
    was = dict(islice(_words(before, ""), _LOOKED_AT))
    now = list(islice(_words(edited, ""), _LOOKED_AT))
    kept: list[Copied] = []
    for mark in marks:
        name = mark.arg.partition(".")[0]
        if name not in edited:
            kept.append(mark)
            continue
        places = (path for path, value in now if path.partition(".")[0] == name)
        same = [path for path in places if dict(now)[path] == was.get(mark.arg)]
        kept += [mark.model_copy(update={"arg": path}) for path in same]
    return tuple(dict.fromkeys(kept))[:_MOST]


def _is_said(value: str, mine: Sequence[str]) -> bool:
    """Whole words of the owner: a text is not theirs as it happens to be in the midst of one."""
    wanted = _plain(value)
    if len(wanted) < SHORTEST:
        return False
    edge = r"(?<!\w){}(?!\w)"
    return any(re.search(edge.format(re.escape(wanted)), said) for said in mine)


def _pieces(wanted: str) -> list[str]:
    """What of an argument is looked for: the whole, and each run of words that is long enough."""
    words = wanted.split()
    runs = [" ".join(words[n : n + _RUN]) for n in range(len(words) - _RUN)]
    whole = [wanted] if len(wanted) >= SHORTEST else []
    return whole + [run for run in runs[:_RUNS] if len(run) >= _LONG_RUN]


def _words(value: object, path: str) -> Iterator[tuple[str, str]]:
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
