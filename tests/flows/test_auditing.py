"""The audit of a day: what was asked for and refused is there, and a tick chains it."""

import logging
from collections.abc import Mapping
from typing import cast

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.audit.chain import Head
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.errors import Unreachable
from assistant.domain.store import Store
from assistant.flows.operations.audit_chain import AuditChainer, export, verify_stored
from tests.flows.test_chat import booked
from tests.world import HandClock, World

CANARY = "CANARY-4f1d-the-code-is-1234"
MAIL = f"From: Ada <ada@example.org>\r\nSubject: {CANARY}\r\n\r\n{CANARY}\r\n".encode()


def entries(world: World, kind: str = "") -> list[AuditEntry]:
    with world.store.read(world.cause) as tx:
        return list(tx.audit(kind=kind))


def test_calls_that_are_refused_or_could_not_be_read_are_there(world: World) -> None:
    world.model.will(
        Turn(
            wants=(
                Want(tool="no_such_tool", args={"a": CANARY}),
                Want(tool="create_event", args={"raw": CANARY}, trouble=f"no JSON: {CANARY}"),
                Want(tool="create_event", args={"title": CANARY, CANARY: CANARY}),
            )
        )
    )
    world.says("go")
    refused = entries(world, "call.refused")
    assert [entry.tool for entry in refused] == ["no_such_tool", "create_event", "create_event"]
    assert all(entry.reason.startswith("deny: ") for entry in refused)
    assert CANARY not in "".join(entry.model_dump_json() for entry in refused)


def test_a_day_leaves_no_word_of_it_in_the_audit(world: World) -> None:
    world.forwards(MAIL)
    booked(world)
    world.presses(Verb.DENY, reason=CANARY)
    world.model.will(Turn(text=CANARY))
    world.says(CANARY)
    kinds = [entry.kind for entry in entries(world)]
    assert {"call.parked", "approval.denied", "call.denied"} <= set(kinds)
    AuditChainer(store=world.store, monotonic=world.clock.monotonic, now=world.clock.now).tick()
    lines = list(export(store=world.store, cause=world.cause, now=world.clock.now()))
    assert len(lines) == len(kinds) + 1
    assert "CANARY" not in "".join(lines)


def test_ticks_chain_what_was_done_and_the_log_has_the_head(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="assistant.flows.operations.audit_chain")
    chaining = AuditChainer(store=world.store, monotonic=world.clock.monotonic, now=world.clock.now)
    assert chaining.tick() == 0
    assert caplog.messages == []
    booked(world)
    assert chaining.tick() == len(entries(world))
    found = verify_stored(store=world.store, cause=world.cause)
    assert (found.loose, found.fault) == (0, None)
    [told] = caplog.messages
    assert told.endswith(f"place {found.head.place}: {found.head.hash}")
    world.presses(Verb.APPROVE)
    assert chaining.tick() > 0
    assert len(caplog.messages) == 1
    world.clock.passes(days=1)
    chaining.tick()
    assert len(caplog.messages) == 2
    assert verify_stored(store=world.store, cause=world.cause, held=found.head.hash).fault is None


class Ailing:
    """Cannot chain today."""

    def chain(self, *, limit: int = 500) -> int:
        del limit
        raise Unreachable("no database")

    def heads(self) -> Mapping[str, Head]:
        raise Unreachable("no database")


def test_a_chain_that_cannot_go_on_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    clock = HandClock()
    store = cast("Store", Ailing())
    assert AuditChainer(store=store, monotonic=clock.monotonic, now=clock.now).tick() == 0
    [told] = caplog.messages
    assert told == "could not chain the audit"
