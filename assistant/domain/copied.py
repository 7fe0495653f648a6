"""Which arguments of a call hold words that stand in a text somebody else wrote."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from assistant.domain.calls import Copied

SHORTEST = 4
"""Characters below which a word is everybody's."""
_MOST = 20


class OutsideText(NamedTuple):
    """Words of others in a model's view, and where they come from."""

    source: str
    text: str


def copied(args: Mapping[str, Any], texts: Sequence[OutsideText]) -> tuple[Copied, ...]:
    """The arguments whose words stand in one of these texts, each with the first that has them.

    Case, line breaks and runs of blanks do not matter. An argument inside another is named by its
    path, as ``edits.0.target``.
    """
    plain = [(one.source, _plain(one.text)) for one in texts if one.source]
    found = []
    for path, value in _words(args, ""):
        wanted = _plain(value)
        if len(wanted) < SHORTEST:
            continue
        source = next((source for source, text in plain if wanted in text), "")
        if source:
            found.append(Copied(arg=path, source=source))
    return tuple(found[:_MOST])


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
