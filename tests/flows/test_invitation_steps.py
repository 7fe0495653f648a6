"""Whatever happens at any step from an invitation to its card, there is one card, or none."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from assistant.domain.calendar.invitations.record import InvitationRecord
from assistant.domain.mail.mail import MailState
from tests.flows.test_invitations import INVITE, LATER, ics, mail
from tests.flows.test_mail_steps import (
    KilledError,
    Steps,
    forget_and_erase,
    forget_and_kill,
    kill,
    overtake,
    overtake_and_reread,
)
from tests.stores import one_after_another
from tests.world import World

UPDATE = mail(ics(sequence=1, **LATER))
STEPS = 12
"""The least steps from a mail's bytes to the card of its invitation."""


def settled(steps: Steps) -> None:
    """Settle; when a worker is killed, another takes over what it held."""
    world = steps.world
    steps.counting = True
    with suppress(KilledError):
        world.settle()
    steps.counting = False
    world.store.release([claim for claim, _ in world.store.held().values()])
    for _ in range(3):
        world.settle()
        world.clock.passes(minutes=10)


def rows(world: World, id: str) -> list[InvitationRecord]:
    with world.store.read(world.cause) as tx:
        return list(tx.invitations_by(id))


def agrees(world: World, id: str) -> None:
    with world.store.read(world.cause) as tx:
        forgotten = tx.mail(id).state is MailState.FORGOTTEN
    if forgotten:
        led = [one.source for call in world.waiting() for one in call.led]
        assert not any(id in source for source in led)
        assert rows(world, id) == []
        return
    [row] = rows(world, id)
    [call] = world.waiting()
    assert row.proposal is not None
    assert row.proposal.change.when is not None
    assert (row.call, row.wanted) == (call.id, False)
    assert call.facts.args["start"] == row.proposal.change.when.start.isoformat().replace(
        "+00:00", "Z"
    )


@pytest.mark.slow
@pytest.mark.parametrize("before", [None, INVITE], ids=["new", "update"])
@pytest.mark.parametrize(
    "act", [kill, forget_and_erase, forget_and_kill, overtake, overtake_and_reread]
)
def test_its_row_and_its_card_agree_after_every_step(
    act: Callable[[World, str], None], before: bytes | None, request: pytest.FixtureRequest
) -> None:
    at, reached = 0, True
    with one_after_another("sqlite", request) as fresh:
        while reached:
            at += 1
            with pytest.MonkeyPatch.context() as patch:
                world = World(fresh())
                if before:
                    world.forwards(before)
                id = world.forwards(UPDATE, settle=False).id
                steps = Steps(world, at, act, id)
                steps.watch(patch)
                settled(steps)
                reached = steps.seen >= at
                agrees(world, id)
    assert at > STEPS
