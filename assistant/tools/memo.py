"""Answers to reads that need not be asked for again yet."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

from assistant.domain.calls.call import Facts, Reach
from assistant.domain.canonical import digest
from assistant.tools.contract import Tool
from assistant.tools.errand import Errand
from assistant.tools.results import Result

LONGEST = 100_000
"""Characters of an answer that is worth keeping."""


@dataclass(frozen=True)
class _Kept:
    result: Result
    until: float


class Memo:
    """Keeps results of reads for as long as their tools allow, in this process only.

    A result is given to the same owner, for the same tool, version, arguments and destination, in
    the same state and zone; it comes as it was, so what was outside stays outside. A change by any
    tool is followed by ``forget``. Since other processes do not hear of that, ``cached_for`` is for
    what no tool here changes, such as pages of the web.

    Args:
        monotonic: seconds that only grow.
        room: how many results are kept; the one not asked for the longest goes first.
    """

    def __init__(self, *, monotonic: Callable[[], float], room: int = 128) -> None:
        self._monotonic = monotonic
        self._room = room
        self._kept: OrderedDict[tuple[str, str], _Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, tool: Tool[Any], facts: Facts, errand: Errand) -> Result | None:
        if not _may_be_kept(tool, facts):
            return None
        key = _key(tool, facts, errand)
        with self._lock:
            kept = self._kept.get(key)
            if kept is None:
                return None
            if kept.until <= self._monotonic():
                del self._kept[key]
                return None
            self._kept.move_to_end(key)
            return kept.result

    def keep(self, tool: Tool[Any], facts: Facts, errand: Errand, result: Result) -> None:
        """Remember a result, if it is of a read whose tool allows it, and no error."""
        if not _may_be_kept(tool, facts) or result.error or len(result.text) > LONGEST:
            return
        key = _key(tool, facts, errand)
        with self._lock:
            self._kept[key] = _Kept(result, self._monotonic() + tool.cached_for)
            self._kept.move_to_end(key)
            while len(self._kept) > self._room:
                self._kept.popitem(last=False)

    def forget(self, owner: str) -> None:
        """Something of this owner's was changed: nothing kept for them counts any more."""
        with self._lock:
            for key in [key for key in self._kept if key[0] == owner]:
                del self._kept[key]


def _may_be_kept(tool: Tool[Any], facts: Facts) -> bool:
    reads = tool.reach_of(facts) is Reach.READS and tool.effect is None
    return reads and tool.cached_for > 0


def _key(tool: Tool[Any], facts: Facts, errand: Errand) -> tuple[str, str]:
    asked = {
        "args": facts.args,
        "destination": facts.destination,
        "state": facts.state,
        "tool": tool.name,
        "version": tool.version,
        "zone": errand.zone,
    }
    return errand.cause.owner, digest(asked)
