"""The head of the audit is kept beside the database and posted, so that a cut end is noticed."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from assistant.adapters.discord.render import render
from assistant.adapters.head_file import HeadFile
from assistant.adapters.sql.store import SqlStore
from assistant.domain.audit.chain import Head, Verified
from assistant.domain.conversation.deliveries import Shown, ShownKind
from assistant.flows.operations.audit_chain import (
    AuditChainer,
    HeadNotice,
    post_head,
    verify_stored,
)
from assistant.flows.operations.upkeep import Interval
from tests.flows.test_batches import note
from tests.stores import unguarded
from tests.world import OWNER, ZONE, World


@pytest.fixture
def heads(tmp_path: Path) -> HeadFile:
    return HeadFile(tmp_path / "audit-heads.log")


def chainer(world: World, heads: HeadFile) -> AuditChainer:
    clock = world.clock
    return AuditChainer(store=world.store, monotonic=clock.monotonic, now=clock.now, heads=heads)


def verified(world: World, heads: HeadFile) -> Verified:
    return verify_stored(store=world.store, cause=world.cause, kept=heads.kept(OWNER))


def tampered(world: World, *statements: str) -> None:
    assert isinstance(world.store, SqlStore)
    with world.store._engines.write.begin() as connection, unguarded(connection):
        for statement in statements:
            connection.execute(text(statement))


def acted(world: World, heads: HeadFile) -> None:
    world.asks(note("a"))
    chainer(world, heads).tick()
    world.asks(note("b"))
    chainer(world, heads).tick()


def test_what_was_chained_is_kept_and_fits(world: World, heads: HeadFile) -> None:
    acted(world, heads)
    kept = heads.kept(OWNER)
    found = verified(world, heads)
    assert (found.fault, found.head) == (None, kept[-1])
    assert len(kept) == 2
    assert heads.kept("other") == []


def test_an_audit_that_was_deleted_with_all_it_is_about_is_missed(
    world: World, heads: HeadFile
) -> None:
    acted(world, heads)
    last = heads.kept(OWNER)[-1].place
    tampered(
        world,
        "DELETE FROM audit",
        "DELETE FROM effect",
        "DELETE FROM approval",
        "DELETE FROM call",
        "UPDATE owner SET calls = 0",
    )
    fault = verified(world, heads).fault
    assert fault is not None
    assert (fault.place, "the chain was cut: it ends at place 0" in fault.why) == (last, True)


def test_a_cut_end_is_missed(world: World, heads: HeadFile) -> None:
    acted(world, heads)
    tampered(world, "DELETE FROM audit WHERE place = (SELECT max(place) FROM audit)")
    assert any("the chain was cut" in fault.why for fault in verified(world, heads).faults)


def test_a_chain_that_was_made_anew_is_told_by_the_first_head_that_is_another(
    world: World, heads: HeadFile
) -> None:
    acted(world, heads)
    first, _ = heads.kept(OWNER)
    tampered(
        world,
        "UPDATE audit SET actor = 'owner:1' WHERE place = 2",
        "UPDATE audit SET place = NULL, previous = '', hash = ''",
    )
    world.store.chain()
    faults = verified(world, heads).faults
    assert [fault.place for fault in faults] == [first.place]
    assert "the chain was rewritten" in faults[0].why


def test_a_rewritten_chain_does_not_pass_because_its_own_heads_were_kept_since(
    world: World, heads: HeadFile
) -> None:
    acted(world, heads)
    tampered(
        world,
        "UPDATE audit SET actor = 'owner:1' WHERE place = 2",
        "UPDATE audit SET place = NULL, previous = '', hash = ''",
    )
    chainer(world, heads).tick()
    assert verified(world, heads).fault is not None


def test_a_busy_minute_leaves_few_lines_and_the_last_head(world: World, heads: HeadFile) -> None:
    chaining = chainer(world, heads)
    for n in range(5):
        world.asks(note(f"n{n}"))
        chaining.tick()
        world.clock.passes(seconds=1)
    assert len(heads.kept(OWNER)) == 1
    world.clock.passes(seconds=10)
    chaining.tick()
    assert heads.kept(OWNER)[-1] == verified(world, heads).head
    chaining.tick()
    assert len(heads.kept(OWNER)) == 2


def test_a_full_disk_stops_nothing_and_loses_no_earlier_head(
    world: World, heads: HeadFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    acted(world, heads)

    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "no space left on device")

    world.asks(note("c"))
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        assert chainer(world, heads).tick() > 0
    assert len(heads.kept(OWNER)) == 2
    assert verified(world, heads).fault is None


def test_a_line_that_was_cut_spoils_no_other(world: World, tmp_path: Path) -> None:
    file = tmp_path / "heads"
    heads = HeadFile(file)
    acted(world, heads)
    file.write_text(file.read_text() + "2026-11-23T08:00:00+00:00 owner 9")
    heads.keep({OWNER: Head(place=99, hash="f" * 64)}, at=world.clock.now())
    assert [head.place for head in heads.kept(OWNER)][-1] == 99
    assert len(heads.kept(OWNER)) == 3


# Posted to the owner


def posts(world: World) -> bool:
    did = post_head(
        store=world.store,
        clock=world.clock,
        home=world.parts.home,
        zone=ZONE,
        cause=world.cause,
    )
    world.settle()
    return did


def notices(world: World) -> list[str]:
    return [said for said in world.words(ShownKind.NOTICE) if said.startswith("Audit ")]


def test_the_head_is_posted_on_the_day_after_in_one_line(world: World, heads: HeadFile) -> None:
    acted(world, heads)
    assert not posts(world)
    world.clock.passes(days=1)
    assert posts(world)
    head = heads.kept(OWNER)[-1]
    assert notices(world) == [f"Audit up to entry {head.place}: {head.hash}"]
    held = notices(world)[0].split()[-1]
    assert verify_stored(store=world.store, cause=world.cause, held=held).fault is None


def test_it_is_posted_once_a_day_and_not_without_new_entries(world: World, heads: HeadFile) -> None:
    acted(world, heads)
    world.clock.passes(days=1)
    assert posts(world)
    world.asks(note("c"))
    chainer(world, heads).tick()
    assert not posts(world)
    world.clock.passes(hours=23)
    assert [posts(world), posts(world)] == [True, False]
    world.clock.passes(days=1)
    assert not posts(world)
    assert len(notices(world)) == 2


def test_of_two_processes_one_posts_it(world: World, heads: HeadFile) -> None:
    acted(world, heads)
    world.clock.passes(days=1)
    clock = world.clock
    two = [
        HeadNotice(
            store=world.store,
            clock=clock,
            home=world.parts.home,
            zone=ZONE,
            every=Interval(3600, monotonic=clock.monotonic),
        )
        for _ in range(2)
    ]
    assert [one.tick(world.cause) for one in two] == [True, False]
    world.settle()
    assert len(notices(world)) == 1


def test_it_notifies_nobody_on_discord() -> None:
    shown = Shown(kind=ShownKind.NOTICE, text="Audit up to entry 1: f", quiet=True)
    [message] = render(shown)
    assert message.payload()["flags"] & 1 << 12
    assert not message.payload(edit=True).get("flags", 0) & 1 << 12
    loud = shown.model_copy(update={"quiet": False})
    [message] = render(loud)
    assert not message.payload().get("flags", 0) & 1 << 12
