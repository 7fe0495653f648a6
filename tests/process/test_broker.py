"""The broker dies, hangs on to nothing and comes back empty; the database remembers everything."""

import pytest

from tests.process.rig import Rig, made_once, told_once

pytestmark = pytest.mark.slow


def test_a_broker_that_is_killed_and_comes_back_empty_loses_and_repeats_nothing(rig: Rig) -> None:
    mails = [rig.forward() for _ in range(10)]
    talk = rig.ask_for_event()
    rig.kill("valkey")
    mails += [rig.forward() for _ in range(10)]
    before = len(rig.mails())
    for _ in range(5):
        rig.post(rig.mail())
    assert len(rig.mails()) == before + 5
    rig.start_valkey(empty=True)
    mails += [rig.forward() for _ in range(5)]
    call = rig.parked(talk)
    rig.rest()
    rig.approve(call)
    rig.rest()
    assert set(mails) < set(rig.mails())
    for mail in rig.mails():
        told_once(rig, mail)
    made_once(rig, talk)
