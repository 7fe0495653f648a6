"""A worker is killed with SIGKILL at a named place, and what it held is done once all the same."""

import pytest

from tests.process.rig import Rig, made_once, told_once

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "place",
    [
        "read_mail.blob.after",
        "read_mail.publish.before",
        "summarise_mail.commit.before",
        "deliver.commit.before",
    ],
)
def test_a_mail_is_told_once_although_its_worker_was_killed(rig: Rig, place: str) -> None:
    rig.arm(place)
    mail = rig.forward()
    rig.rest()
    assert rig.happened(place)
    told_once(rig, mail)


@pytest.mark.parametrize(
    "place",
    [
        "think.commit.before",
        "think.publish.before",
        "run.effect.before",
        "run.effect.after",
        "run.commit.before",
        "run.publish.before",
        "run.ack.before",
    ],
)
def test_an_event_is_made_once_although_its_worker_was_killed(rig: Rig, place: str) -> None:
    rig.arm(place)
    conversation = rig.ask_for_event()
    call = rig.parked(conversation)
    rig.rest()
    rig.approve(call)
    rig.rest()
    assert rig.happened(place)
    made_once(rig, conversation)


def test_a_worker_that_dies_after_the_broker_knows_loses_nothing(rig: Rig) -> None:
    rig.arm("run.ack.after")
    conversation = rig.ask_for_event()
    rig.approve(rig.parked(conversation))
    rig.until(lambda: not rig.alive("processes"), "the consuming process is killed")
    assert rig.happened("run.ack.after")
    rig.revive()
    rig.rest()
    made_once(rig, conversation)
