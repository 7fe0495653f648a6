"""What people ask for: calls of every kind, by the real flows, and the answers to their cards."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import ENDED, CallState
from assistant.domain.conversation.conversation import (
    Role,
    Summary,
    ToolSchema,
    Turn,
    View,
    Want,
)
from assistant.domain.errors import AssistantError
from assistant.domain.ids import new_id
from assistant.domain.mail.understanding.understood import Understood
from assistant.flows.approvals.answers import decide_call
from assistant.flows.calls.judge import draft_for
from assistant.flows.calls.owner_calls import ask_all
from assistant.flows.conversation.hear import begin_anew, hear
from tests.prove.rows import rows
from tests.prove.sink import Kind
from workers.parts import Assistant
from workers.settings import OWNER

CHANNEL = "terminal"
ME = f"{CHANNEL}:{OWNER}"
WANTS = '[{"tool":'
"""How words begin that the scripted model answers with calls."""
OPEN = 60
"""Calls that are under way at the same time."""
PARKED = 12
"""Calls that wait for a person at the same time; more than 20 would be refused."""
NOES = 4
_AFTER = 0.1
"""Calls that are denied; five within ten minutes would put the assistant on alert."""


class ProveModel:
    """A model that asks for the calls it is told to ask for."""

    name = "prove"

    def think(self, view: View, tools: Sequence[ToolSchema]) -> Turn:
        del tools
        last = view.entries[-1]
        return turn_for(last.text if last.role is Role.OWNER else "")

    def check(self) -> None:
        """It needs nothing."""

    def summarise(self, view: View) -> Summary:
        del view
        return Summary(understood=Understood(gist="In short."), extractive=False)


def turn_for(words: str) -> Turn:
    if not words.startswith(WANTS):
        return Turn(text="So be it.")
    return Turn(wants=tuple(Want.model_validate(want) for want in json.loads(words)))


class Asking(Protocol):
    """Whoever asks for calls and answers what waits for a person."""

    total: int
    asked: list[Any]
    """What was taken in."""

    @property
    def done(self) -> bool:
        """Whether all was asked for."""
        ...

    def step(self) -> None:
        """Ask for some, and answer."""
        ...


@dataclass
class Traffic:
    """Asks for ``total`` calls, a few at a time, and answers what waits for a person."""

    assistant: Assistant
    sink: Path
    random: random.Random
    total: int
    slow: float = 0.03
    """Seconds that a tool works at the most, before its line and after it."""
    least: float = 0.0
    """Seconds that it works before its line at the least."""
    open: int = OPEN
    kinds: Sequence[Kind] = tuple(Kind)
    noes: int = 0
    last: int = 0
    """The last number that was given to a call."""
    asked: list[int] = field(default_factory=list)
    """The numbers of the calls that were taken in; of the others nobody was told so."""
    alone: bool = True
    """Whether the next turn must begin a conversation: what is said to a model stays the last."""

    @property
    def done(self) -> bool:
        """Whether all was asked for."""
        return len(self.asked) >= self.total

    def step(self) -> None:
        """Ask for a turn of calls, if not too many are under way; answer all cards."""
        under_way, parked = self._under_way()
        if not self.done and under_way < self.open and parked < PARKED:
            self._ask()
        if parked:
            self.answer()

    def answer(self) -> None:
        """Say yes, and to a few calls no, to all that waits for a person."""
        cause, ctx = self.assistant.cause(), self.assistant.ctx
        with ctx.store.read(cause) as tx:
            waiting = [(call, tx.approval(call.id)) for call in tx.calls(states={CallState.PARKED})]
        for call, approval in waiting:
            verb = Verb.APPROVE
            if self.noes < NOES and self.random.random() < 0.05:
                self.noes += 1
                verb = Verb.DENY
            decide_call(call.id, verb, by=ME, card=approval.card, cause=cause, ctx=ctx)

    def _ask(self) -> None:
        size = min(self.random.choice((1, 1, 1, 2, 3)), self.total - len(self.asked))
        wants = [self._want() for _ in range(size)]
        say = self.random.random() < 0.3
        if say or self.alone or self.random.random() < 0.3:
            cause, store = self.assistant.cause(), self.assistant.store
            begin_anew(channel=CHANNEL, place=OWNER, cause=cause, store=store)
        self.alone = say
        if say:
            self._say(wants)
        else:
            self._call(wants)
        self.asked += [int(want.args["number"]) for want in wants]

    def _want(self) -> Want:
        self.last += 1
        wrong = self.random.random()
        args: dict[str, Any] = {
            "sink": str(self.sink),
            "number": self.last,
            "ask": self.random.random() < 0.3,
            "before": round(self.random.uniform(self.least, self.slow), 3),
            "after": round(self.random.uniform(0, min(self.slow, _AFTER)), 3),
        }
        if wrong < 0.06:
            args["first"] = ("busy", "unsure, and done", "unsure, and not done")[int(wrong / 0.02)]
        return Want(tool=self.random.choice(self.kinds).tool, args=args)

    def _call(self, wants: Sequence[Want]) -> None:
        """Ask as the owner's own command does."""
        cause = self.assistant.cause()
        drafts = [
            draft_for(want, cause=cause, tainted=False, actor=f"owner:{ME}") for want in wants
        ]
        ask_all(drafts, channel=CHANNEL, place=OWNER, cause=cause, ctx=self.assistant.ctx)

    def _say(self, wants: Sequence[Want]) -> None:
        """Have the model ask for it."""
        text = json.dumps([{"tool": want.tool, "args": want.args} for want in wants])
        hear(
            text,
            channel=CHANNEL,
            place=OWNER,
            event=new_id(),
            cause=self.assistant.cause(),
            store=self.assistant.store,
            limits=self.assistant.conversation_limits,
        )

    def _under_way(self) -> tuple[int, int]:
        """How many calls are under way, and how many of these wait for a person."""
        ended = ", ".join(f"'{state.value}'" for state in ENDED)
        counted = rows(
            self.assistant,
            f"SELECT state, count(*) AS n FROM call WHERE state NOT IN ({ended}) GROUP BY state",  # noqa: S608 (our own words)
        )
        states = {row["state"]: int(row["n"]) for row in counted}
        [thinking] = rows(self.assistant, "SELECT count(*) AS n FROM job WHERE kind = 'think'")
        return sum(states.values()) + int(thinking["n"]), states.get(CallState.PARKED.value, 0)


def quietly(traffic: Asking) -> bool:
    """Take a step; False if a part of the assistant's own was away."""
    try:
        traffic.step()
    except AssistantError:
        return False
    return True
