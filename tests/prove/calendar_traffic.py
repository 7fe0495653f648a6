"""Changes of a calendar, asked for by a model and approved by a person, some at the same time."""

import json
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import ENDED, CallState
from assistant.domain.ids import new_id
from assistant.flows.approvals.answers import decide_call
from assistant.flows.conversation.hear import begin_anew, hear
from tests.prove.rows import rows
from tests.prove.traffic import CHANNEL, ME
from workers.parts import Assistant
from workers.settings import OWNER

OPEN = 10
"""Changes that are under way at the same time, each of another event."""
TIMES = 5
"""How often a series takes place."""
_FIRST = datetime(2027, 3, 1, 9, tzinfo=UTC)
_HOUR = timedelta(hours=1)
_WEEK = timedelta(days=7)

Titles = tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """One change that was asked for: of which event, and what it makes of the titles there."""

    event: int
    tool: str
    args: dict[str, Any]
    after: Titles
    """The titles of the event's occurrences once it is done, by time."""
    conversation: str


@dataclass
class CalendarTraffic:
    """Asks for ``total`` changes, and says yes to each.

    Each is told from the others by its titles. No two open ones are about one event.
    """

    assistant: Assistant
    random: random.Random
    total: int
    series: float = 0.4
    """How many of the new events repeat."""
    asked: list[Change] = field(default_factory=list)
    now: dict[int, Titles] = field(default_factory=dict)
    """The titles of each event as they are for sure."""
    uids: dict[int, str] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Whether all was asked for."""
        return len(self.asked) >= self.total

    def step(self) -> None:
        """Ask for a change if not too many are under way; answer all cards."""
        calls = self.calls()
        busy = {one.event for one in self.asked if not _ended(calls.get(one.conversation))}
        for one in self.asked:
            if one.event not in busy:
                self._note(one, calls[one.conversation])
        if not self.done and len(busy) < OPEN:
            self._ask(busy)
        self.answer()

    def answer(self) -> None:
        """Say yes to all that waits."""
        cause, ctx = self.assistant.cause(), self.assistant.ctx
        with ctx.store.read(cause) as tx:
            waiting = [(call, tx.approval(call.id)) for call in tx.calls(states={CallState.PARKED})]
        for call, approval in waiting:
            yes, word = Verb.APPROVE, approval.word
            decide_call(call.id, yes, by=ME, card=approval.card, word=word, cause=cause, ctx=ctx)

    def calls(self) -> dict[str, list[dict[str, Any]]]:
        """Return the rows of all calls by conversation, the oldest first."""
        found: dict[str, list[dict[str, Any]]] = {}
        for row in rows(
            self.assistant,
            "SELECT id, number, tool, state, told, failure, facts, conversation, supersedes "
            "FROM call ORDER BY number",
        ):
            found.setdefault(row["conversation"], []).append(row)
        return found

    def _note(self, change: Change, calls: list[dict[str, Any]]) -> None:
        """Note what a change that has ended made of its event."""
        last = calls[-1]
        if last["state"] == CallState.DONE:
            self.now[change.event] = change.after
            facts = last["facts"]
            facts = json.loads(facts) if isinstance(facts, str) else facts
            self.uids.setdefault(change.event, facts["args"]["uid"])

    def _ask(self, busy: set[int]) -> None:
        free = [event for event, titles in self.now.items() if titles and event not in busy]
        touched = {one.event for one in self.asked if one.tool != "create_event"}
        free = [event for event in free if len(self.now[event]) == 1 or event not in touched]
        if free and self.random.random() < 0.6:
            event = self.random.choice(free)
            of_series = len(self.now[event]) > 1
            tool, args, after = (self._of_series if of_series else self._of_one)(event)
        else:
            event = 1 + max((one.event for one in self.asked), default=0)
            tool, args, after = self._new(event)
        cause, store = self.assistant.cause(), self.assistant.store
        begin_anew(channel=CHANNEL, place=OWNER, cause=cause, store=store)
        said = hear(
            json.dumps([{"tool": tool, "args": args}]),
            channel=CHANNEL,
            place=OWNER,
            event=new_id(),
            cause=cause,
            store=store,
            limits=self.assistant.conversation_limits,
        )
        assert said is not None
        self.asked.append(Change(event, tool, args, after, said))

    def _new(self, event: int) -> tuple[str, dict[str, Any], Titles]:
        title, start = f"P{event}.", _start(event)
        args: dict[str, Any] = {"title": title, **_span(start)}
        if self.random.random() >= self.series:
            return "create_event", args, (title,)
        args["repeats"] = {"frequency": "weekly", "count": TIMES}
        return "create_event", args, (title,) * TIMES

    def _of_one(self, event: int) -> tuple[str, dict[str, Any], Titles]:
        named = {"event": self.uids[event]}
        if self.random.random() < 0.3:
            return "delete_event", named, ()
        title = f"P{event}.{len(self.asked)}"
        start = _start(event) + self.random.choice((0, 1, 2)) * _HOUR
        return "update_event", {**named, "title": title, **_span(start)}, (title,)

    def _of_series(self, event: int) -> tuple[str, dict[str, Any], Titles]:
        """Change or delete one occurrence, one and those after it, or all."""
        at = self.random.randrange(1, TIMES - 1)
        was, title = self.now[event], f"P{event}.{len(self.asked)}"
        scope = self.random.choice(("this", "this and following", "all"))
        last = {"this": at + 1, "this and following": TIMES, "all": TIMES}[scope]
        first = 0 if scope == "all" else at
        on = (_start(event) + at * _WEEK).date().isoformat()
        args: dict[str, Any] = {"event": self.uids[event], "on": on, "scope": scope}
        if self.random.random() < 0.4:
            return "delete_event", args, was[:first] + was[last:]
        after = was[:first] + (title,) * (last - first) + was[last:]
        return "update_event", {**args, "title": title}, after


def _ended(calls: list[dict[str, Any]] | None) -> bool:
    return bool(calls) and all(CallState(call["state"]) in ENDED for call in calls or ())


def _start(event: int) -> datetime:
    return _FIRST + timedelta(days=event)


def _span(start: datetime) -> dict[str, str]:
    return {"start": start.isoformat(), "end": (start + _HOUR).isoformat()}
