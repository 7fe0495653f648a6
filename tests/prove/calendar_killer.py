"""Kill workers that change a calendar, behind a network that loses answers, and read it at the end.

The calendar is Radicale's, and is read past the assistant. The network between drops requests,
drops answers after the server has acted, and says 503.
"""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from assistant.adapters.calendar.series.expanding import expand
from assistant.domain.calls.states import CallState
from assistant.domain.calls.tool_errors import ErrorType
from tests.prove.bus_killer import BusKiller, Plan
from tests.prove.calendar_traffic import CalendarTraffic, Change, Titles
from tests.prove.invariants import Evidence, Invariant, Violation, gather
from tests.prove.outcome import Outcome, keep, outcome, say, tell
from tests.servers.meddler import Answer, Forward, Meddler
from tests.servers.radicale import RadicaleServer

TIMEOUT = 1.0
"""Seconds that the workers wait for the calendar."""
_LOST_REQUEST, _LOST_ANSWER, _BUSY = 0.04, 0.10, 0.04
_FROM, _TO = datetime(2027, 1, 1, tzinfo=UTC), datetime(2032, 1, 1, tzinfo=UTC)
_CACHE = ".Radicale.cache"
_DONE = frozenset({200, 201, 204})


@dataclass
class Network:
    """What lies between the workers and the calendar. Counts the changes that the server made."""

    meddler: Meddler
    lot: random.Random
    faults: Counter[str]
    made: Counter[str] = field(default_factory=Counter)
    """Changes that the server made, by their precondition and the object's new content."""
    calm: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        for method in ("PUT", "DELETE", "GET", "REPORT"):
            self.meddler.meddle[method] = self._of(method)

    def _of(self, method: str) -> Callable[[Forward], Answer]:
        changes = method in ("PUT", "DELETE")

        def pass_on(forward: Forward) -> Answer:
            with self._lock:
                drawn = 1.0 if self.calm else self.lot.random() / (1 if changes else 0.2)
            if drawn < _BUSY:
                self.faults["503"] += 1
                return Answer(503)
            if drawn < _BUSY + _LOST_REQUEST:
                self.faults[f"{method} lost"] += 1
                return self._silent(Answer(504))
            answer = forward()
            if changes and answer.status in _DONE:
                self.made[method] += 1
            if drawn < _BUSY + _LOST_REQUEST + _LOST_ANSWER:
                self.faults[f"answer of {method} lost"] += 1
                return self._silent(answer)
            return answer

        return pass_on

    @staticmethod
    def _silent(answer: Answer) -> Answer:
        """Say nothing until whoever asked has given up."""
        time.sleep(TIMEOUT * 1.5)
        return answer


class CalendarKiller(BusKiller):
    """Workers on one database and one calendar, and whoever kills them."""

    def run(self, name: str) -> Outcome:
        began = time.monotonic()
        with (
            RadicaleServer(self.folder / "calendar") as radicale,
            Meddler(radicale.files.url) as meddler,
        ):
            network = Network(meddler, self.random, self.faults)
            self.given |= {
                "caldav_url": meddler.url,
                "caldav_username": radicale.files.username,
                "caldav_password": radicale.files.password,
                "caldav_provider": "radicale",
                "calendar_timeout": TIMEOUT,
                "timezone": "UTC",
            }
            with self._assistant() as assistant:
                traffic = CalendarTraffic(assistant, self.random, self.plan.calls)
                with self._waking(assistant):
                    self._kill_while_busy(assistant, traffic, name)
                network.calm = True
                quiet, left = self._settle(assistant, traffic)
                traffic.step()
                calls = traffic.calls()
                found = gather(assistant, [], live=left, dead=self.ended)
            titles = _read(self.folder / "calendar")
        broken = [
            *_around(found),
            *_calls(traffic.asked, calls),
            *_titles(traffic, calls, titles),
        ]
        if broken:
            keep(self.folder, found, broken)
        changes = sum(network.made.values())
        return outcome(
            name,
            [found],
            broken,
            began=began,
            faults=dict(self.faults),
            quiet=quiet,
            note=f"{changes} changes were made by the server, for {len(traffic.asked)} approved",
        )


def kill_at_the_calendar(
    name: str, folder: Path, *, database_url: str, changes: int, seed: int
) -> Outcome:
    """Make so many approved changes while workers die; an empty URL is SQLite in ``folder``."""
    folder.mkdir(parents=True)
    plan = Plan(calls=changes, between=2.0, deaths=4.0, stops=2.0)
    done = CalendarKiller(folder, database_url, plan, random.Random(seed)).run(name)
    say(done.line())
    tell(done.violations)
    return done


def _read(folder: Path) -> dict[int, Titles]:
    """Read the titles of all events, by the number in them and in the order of time."""
    found: list[tuple[datetime, str]] = []
    files = [file for file in folder.rglob("*.ics") if _CACHE not in file.parts]
    for file in files:
        expanded = expand(file.read_bytes(), _FROM, _TO, zone=ZoneInfo("UTC"))
        found += [(_begin(each.when.start), each.title) for each in expanded.events]
    titles: dict[int, Titles] = {}
    for _, title in sorted(found):
        event = int(title.removeprefix("P").partition(".")[0])
        titles[event] = (*titles.get(event, ()), title)
    return titles


def _begin(start: Any) -> datetime:
    assert isinstance(start, datetime)
    return start


def _around(found: Evidence) -> Iterator[Violation]:
    yield from (Violation(Invariant.QUIET, one, "still live") for one in found.live)
    yield from (Violation(Invariant.ALIVE, one, "dead") for one in found.dead)
    for job in found.jobs:
        if job["failed"]:
            yield Violation(Invariant.GIVEN_UP, str(job["id"]), str(job["error"]))


def _calls(asked: Sequence[Change], calls: dict[str, list[dict[str, Any]]]) -> Iterator[Violation]:
    for change in asked:
        mine = calls.get(change.conversation, [])
        first = [call for call in mine if not call["supersedes"]]
        if len(first) != 1:
            said = f"{len(first)} calls were recorded for it"
            yield Violation(Invariant.NOT_LOST, f"P{change.event} {change.tool}", said)
        done = [call for call in mine if call["state"] == CallState.DONE]
        if len(done) > 1:
            yield Violation(Invariant.ONCE, f"P{change.event} {change.tool}", "done twice")
        for call in mine:
            if _is_unclear(call):
                name = f"A{call['number']} ({call['tool']})"
                yield Violation(Invariant.RECONCILED, name, str(call["told"]))


def _titles(
    traffic: CalendarTraffic, calls: dict[str, list[dict[str, Any]]], found: dict[int, Titles]
) -> Iterator[Violation]:
    """See that each event is what the changes that are done made of it, and no other."""
    wanted: dict[int, Titles] = {}
    for change in traffic.asked:
        if any(call["state"] == CallState.DONE for call in calls.get(change.conversation, ())):
            wanted[change.event] = change.after
    for event in sorted({*wanted, *found}):
        expected, there = wanted.get(event, ()), found.get(event, ())
        if expected != there:
            more = len(there) > len(expected)
            promise = Invariant.ONCE if more else Invariant.DONE
            yield Violation(promise, f"P{event}", f"{there} where {expected} was approved")


def _is_unclear(call: dict[str, Any]) -> bool:
    failure = call["failure"]
    failure = json.loads(failure) if isinstance(failure, str) else failure
    return bool(failure) and failure.get("type") == ErrorType.UNKNOWN_OUTCOME
