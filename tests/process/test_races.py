"""Several workers hear the same bells, and one that slept too long wakes up."""

import threading
from collections.abc import Iterator

import pytest

from tests.process.rig import Rig, made_once, told_once

pytestmark = pytest.mark.slow


@pytest.fixture(params=["sqlite", "postgres"])
def crowded(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """Two workers on every queue."""
    rig: Rig = request.getfixturevalue("rig" if request.param == "sqlite" else "postgres_rig")
    rig.start("threads")
    yield rig
    rig.kill("threads")


def test_two_workers_that_hear_every_bell_many_times_do_each_job_once(crowded: Rig) -> None:
    enough = threading.Event()
    impatient = threading.Thread(target=crowded.ring_all, kwargs={"until": enough})
    impatient.start()
    try:
        mails = [crowded.forward() for _ in range(15)]
        talk = crowded.ask_for_event()
        call = crowded.parked(talk)
        crowded.rest()
        crowded.approve(call)
        crowded.rest()
    finally:
        enough.set()
        impatient.join()
    for mail in mails:
        told_once(crowded, mail)
    made_once(crowded, talk)


def test_a_suspended_worker_that_wakes_up_records_nothing_twice(crowded: Rig) -> None:
    crowded.arm("read_mail.blob.before")
    mail = crowded.forward()
    crowded.until(lambda: crowded.happened("read_mail.blob.before"), "a worker to be busy")
    asleep = crowded.until(lambda: crowded.holder(f"read_mail:{mail}"), "who it is")
    asleep.suspend()
    crowded.rest()
    told_once(crowded, mail)
    asleep.resume()
    crowded.until(
        lambda: f"another worker took over read_mail:{mail}" in crowded.logs(), "it to notice"
    )
    told_once(crowded, mail)
    assert not crowded.jobs()


def test_a_tool_that_was_suspended_in_its_effect_has_it_once(crowded: Rig) -> None:
    talk = crowded.ask_for_event()
    call = crowded.parked(talk)
    crowded.rest()
    crowded.arm("effect.before")
    crowded.approve(call)
    crowded.until(lambda: crowded.happened("effect.before"), "a worker to be busy")
    asleep = crowded.until(lambda: crowded.holder(f"run:{call.id}"), "who it is")
    asleep.suspend()
    crowded.rest()
    made_once(crowded, talk)
    asleep.resume()
    crowded.until(
        lambda: f"another worker took over run:{call.id}" in crowded.logs(), "it to notice"
    )
    made_once(crowded, talk)
    assert not crowded.jobs()
