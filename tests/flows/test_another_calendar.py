"""A calendar is connected while calls wait and workers run."""

from dataclasses import dataclass, field
from typing import cast

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from assistant.domain.credentials.credential import Credential
from assistant.domain.errors import Misconfigured
from assistant.flows.calendar.moving import ask_for_another_calendar
from assistant.tools.calendar.tools import calendar_tools
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.invocation import Invocation
from assistant.tools.contract.toolbox import Toolbox
from tests.bed import START, Bed
from tests.changing_calendar import ChangingCalendar
from tests.memory_calendar import MemoryCalendar
from tests.stores import Fresh, opened
from tests.world import World
from workers.calendars.connected import ConnectedCalendar
from workers.embedded.calendar import EmbeddedCalendar

RENT = Want(
    tool="create_event",
    args={
        "title": "Rent",
        "start": "2026-11-30T10:00:00+01:00",
        "end": "2026-11-30T10:30:00+01:00",
    },
)


@dataclass
class Accounts:
    """What is stored, and the calendars that it leads to."""

    stored: Credential | None = None
    private: ChangingCalendar = field(default_factory=ChangingCalendar)
    found: dict[str, ChangingCalendar] = field(default_factory=dict)
    opened: int = 0

    def connect(self, name: str) -> None:
        self.stored = Credential(name="calendar", about=name, sealed=name, created=START)
        self.found.setdefault(name, ChangingCalendar(address=f"memory://{name}/ as owner"))

    def open(self, credential: Credential) -> ChangingCalendar:
        self.opened += 1
        return self.found[credential.about]

    @property
    def calendar(self) -> ConnectedCalendar:
        return ConnectedCalendar(
            stored=lambda: self.stored,
            connect=self.open,
            private=cast("EmbeddedCalendar", self.private),
        )


def test_a_card_for_the_calendar_before_changes_neither(request: pytest.FixtureRequest) -> None:
    accounts = Accounts()
    accounts.connect("one")
    with opened("sqlite", request) as make:
        world = World(make, calendar=cast("MemoryCalendar", accounts.calendar))
        world.asks(RENT)
        accounts.connect("two")
        world.presses(Verb.APPROVE)
        assert world.call("A1").state is not CallState.DONE
        assert [one.writes for one in accounts.found.values()] == [0, 0]
        # It asks anew, for the calendar that is used now.
        world.presses(Verb.APPROVE, "A2")
        assert world.call("A2").state is CallState.DONE
    assert [accounts.found[name].writes for name in ("one", "two")] == [0, 1]


def test_what_waits_is_asked_anew_once_another_is_connected(
    request: pytest.FixtureRequest,
) -> None:
    accounts = Accounts()
    accounts.connect("one")
    with opened("sqlite", request) as make:
        world = World(make, calendar=cast("MemoryCalendar", accounts.calendar))
        world.asks(RENT)
        accounts.connect("two")
        for _ in range(2):  # the second time nothing waits for another one
            with world.store.begin(world.cause) as tx:
                address = accounts.calendar.address()
                found = ask_for_another_calendar(tx, world.toolbox, address=address)
            world.settle()
        assert found == []
        assert world.states("A1", "A2") == [CallState.SUPERSEDED, CallState.PARKED]
        assert "it was for another calendar" in world.card("A1").text
        answer = world.presses(Verb.APPROVE, "A1")
        assert answer.text.endswith("A2 is in its place: look at that one.")
        world.presses(Verb.APPROVE, "A2")
    assert [accounts.found[name].writes for name in ("one", "two")] == [0, 1]


class ConnectsAnother(ChangingCalendar):
    """The owner connects another calendar just after this one was asked what it is."""

    accounts: Accounts | None = None

    def __init__(self) -> None:
        super().__init__(address="memory://one/ as owner")

    def address(self) -> str:
        if self.accounts is not None:
            self.accounts.connect("two")
        return super().address()


def test_a_change_goes_where_it_was_approved_whatever_is_connected_meanwhile(fresh: Fresh) -> None:
    accounts = Accounts()
    first = accounts.found["one"] = ConnectsAnother()
    accounts.connect("one")
    bed = Bed(fresh())
    tools = Toolbox(*calendar_tools(calendar=accounts.calendar, store=bed.store))
    context = ToolContext(cause=bed.me, call="c1", now=START, zone="UTC")
    [facts] = tools[RENT.tool].examine(RENT.args, context)
    first.accounts = accounts
    done = Invocation(tool=tools[RENT.tool], facts=facts, context=context).execute()
    assert done.error is None
    assert [accounts.found[name].writes for name in ("one", "two")] == [1, 0]
    refused = Invocation(tool=tools[RENT.tool], facts=facts, context=context).execute()
    assert refused.error is not None
    assert "the calendar is another one now" in str(refused.error)
    assert [accounts.found[name].writes for name in ("one", "two")] == [1, 0]


def test_it_is_opened_once_for_each_that_is_stored() -> None:
    accounts = Accounts()
    calendar = accounts.calendar
    assert calendar.address() == accounts.private.address()
    accounts.connect("one")
    for _ in range(3):
        assert calendar.address() == "memory://one/ as owner"
    assert accounts.opened == 1
    accounts.connect("two")
    assert calendar.address() == "memory://two/ as owner"
    accounts.stored = None
    assert calendar.address() == accounts.private.address()


def test_a_password_that_cannot_be_read_leads_to_no_other_calendar() -> None:
    accounts = Accounts()
    accounts.connect("one")

    def fails(_: Credential) -> ChangingCalendar:
        raise Misconfigured("the key is missing")

    calendar = ConnectedCalendar(
        stored=lambda: accounts.stored,
        connect=fails,
        private=cast("EmbeddedCalendar", accounts.private),
    )
    with pytest.raises(Misconfigured):
        calendar.check()
    with pytest.raises(Misconfigured):
        calendar.address()
