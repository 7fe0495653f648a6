"""Find the arguments of a call whose words occur in a text that somebody else wrote."""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

from assistant.domain.calls.call import QuotedArgument
from assistant.domain.text.comparable import amounts, comparable, details, numbers, runs

SHORTEST = 4
"""An argument with fewer characters proves nothing as a whole."""
MOST = 20
"""The most marks that name a place within an argument; further ones name the argument alone."""
EFFORT = 400_000_000
"""The characters that are searched for whole arguments: a second. Later ones count as quoted."""
_DIVIDER = "\n"
"""Between texts. No comparable text has a line break."""

Part = TypeVar("Part", int, str)


class OutsideText(NamedTuple):
    """A text of others in the model's view, and its source."""

    source: str
    text: str


def quoted_arguments(
    args: Mapping[str, Any], texts: Sequence[OutsideText], *, own: Sequence[str] = ()
) -> tuple[QuotedArgument, ...]:
    """Return the arguments whose words occur in one of these texts, as ``Writings`` finds them."""
    return Writings(texts, own=own).quoted_in(args)


class Writings:
    """What others wrote, indexed once, in time linear to its length.

    An argument is quoted if the whole of it occurs in such a text, or three words in a row, or an
    address, a host, an account, a telephone, a code or an amount of money. Compared is what
    ``comparable`` leaves of both.

    Left out are an argument whose whole text the owner typed (``own``), and the runs and details
    that stand in the owner's words too.
    """

    def __init__(self, texts: Sequence[OutsideText], *, own: Sequence[str] = ()) -> None:
        named = [one for one in texts if one.source]
        plain = [comparable(one.text) for one in named]
        typed = [comparable(one) for one in own] if named else []
        self._sources = [one.source for one in named]
        self._all = _DIVIDER.join(plain)
        self._typed = _DIVIDER.join(typed)
        self._starts = list(accumulate((len(text) + 1 for text in plain), initial=0))
        self._runs = _first_with(plain, typed, runs)
        self._details = _first_with(plain, typed, details)
        self._amounts = _first_with(plain, typed, amounts)

    def quoted_in(self, args: Mapping[str, Any]) -> tuple[QuotedArgument, ...]:
        """Return the quoted arguments, each with the first text that has its words.

        An argument inside another is named by its path: ``edits.0.target``.
        """
        if not self._sources:
            return ()
        left = EFFORT
        known: dict[str | float, int | None] = {}
        found: list[QuotedArgument] = []
        for path, value in _values_in(args):
            if value not in known:
                wanted = comparable(str(value))
                number = self._with_parts_of(wanted)
                if isinstance(value, str) and _is_long(value, wanted):
                    left -= len(self._all) + len(self._typed)
                    number = self._with_all_of(wanted, number) if left >= 0 else number or 0
                known[value] = number
            if (number := known[value]) is not None:
                found.append(QuotedArgument(arg=path, source=self._sources[number]))
        return _bounded(found)

    def _with_parts_of(self, wanted: str) -> int | None:
        """Return the number of the first text that has a part of an argument which tells."""
        places = (
            *(self._runs.get(run) for run in runs(wanted)),
            *(self._details.get(one) for one in details(wanted, parents=True)),
            *(self._amounts.get(one) for one in numbers(wanted)),
        )
        return min((place for place in places if place is not None), default=None)

    def _with_all_of(self, wanted: str, partly: int | None) -> int | None:
        """Return the number of the first text that has the whole argument, or else ``partly``."""
        if _is_typed(wanted, self._typed):
            return None
        place = self._all.find(wanted)
        if place < 0:
            return partly
        whole = bisect_right(self._starts, place) - 1
        return whole if partly is None else min(whole, partly)


def still_quoted(
    marks: Sequence[QuotedArgument], before: Mapping[str, Any], edited: Mapping[str, Any]
) -> tuple[QuotedArgument, ...]:
    """Return the marks that remain after a person edited the arguments.

    A value that is as it was ``before`` stays marked, also where it has moved within its argument.
    """
    was = dict(_values_in(before))
    now: dict[tuple[str, str | float], list[str]] = {}
    for path, value in _values_in(edited):
        now.setdefault((_name(path), value), []).append(path)
    kept: list[QuotedArgument] = []
    for mark in marks:
        name = _name(mark.arg)
        if name not in edited:
            kept.append(mark)
        elif mark.arg in was:
            same = now.get((name, was[mark.arg]), ())
            kept += [mark.model_copy(update={"arg": path}) for path in same]
        elif any((name, value) in now for path, value in was.items() if _name(path) == name):
            kept.append(mark)  # it stands for several values of the argument
    return _bounded(kept)


def _bounded(marks: Iterable[QuotedArgument]) -> tuple[QuotedArgument, ...]:
    """Name places only as long as a person would read them; the rest by their arguments."""
    once = list(dict.fromkeys(marks))
    wider = (one.model_copy(update={"arg": _name(one.arg)}) for one in once[MOST:])
    rest = {one.arg: one for one in wider}
    return (*once[:MOST], *rest.values())


def _is_long(value: str, wanted: str) -> bool:
    """Return whether an argument is long enough, as it is written or as it is compared."""
    return max(len(" ".join(value.casefold().split())), len(wanted)) >= SHORTEST


def _name(path: str) -> str:
    return path.partition(".")[0]


def _first_with(
    texts: Sequence[str], typed: Sequence[str], parts: Callable[[str], Iterable[Part]]
) -> dict[Part, int]:
    """Return the number of the first text with each part, without those that the owner typed."""
    own = {part for text in typed for part in parts(text)}
    first: dict[Part, int] = {}
    for number, text in enumerate(texts):
        for part in parts(text):
            if part not in own:
                first.setdefault(part, number)
    return first


def _is_typed(wanted: str, typed: str) -> bool:
    """Return whether the owner typed this text, as whole words and not as a part of one."""
    if len(wanted) < SHORTEST:
        return False
    place = typed.find(wanted)
    while place >= 0:
        if not (_is_letter(typed, place - 1) or _is_letter(typed, place + len(wanted))):
            return True
        place = typed.find(wanted, place + 1)
    return False


def _is_letter(text: str, place: int) -> bool:
    char = text[place : place + 1] if place >= 0 else ""
    return char.isalnum() or char == "_"


def _values_in(args: Mapping[str, Any]) -> Iterator[tuple[str, str | float]]:
    """Return every text and number of the arguments, and every name within them, by its path."""
    waiting: deque[tuple[str, object]] = deque(args.items())
    while waiting:
        where, here = waiting.popleft()
        if isinstance(here, str) or (isinstance(here, int | float) and not isinstance(here, bool)):
            yield where, here
        elif isinstance(here, Mapping):
            waiting.extend((f"{where}.{name}", inner) for name, inner in here.items())
            yield from ((f"{where}.{name} (its name)", str(name)) for name in here)
        elif isinstance(here, list | tuple):
            waiting.extend((f"{where}.{n}", inner) for n, inner in enumerate(here))
