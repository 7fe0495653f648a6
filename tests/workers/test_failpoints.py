import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

import pytest

from assistant.domain.errors import Misconfigured, Transient
from assistant.domain.jobs.job import Cause, Job
from assistant.domain.messages import Think
from tests.bed import Bed
from tests.memory_blobs import MemoryBlobs
from tests.stores import sqlite_engines
from workers.failpoints.places import arm, handling, hit, parse_failpoints
from workers.failpoints.ports import FailpointBell, FailpointBlobs, FailpointStore, with_kinds


@pytest.fixture(autouse=True)
def disarmed() -> Iterator[None]:
    yield
    arm({})


def test_nothing_happens_unless_armed() -> None:
    hit("commit.before")
    arm(parse_failpoints("commit.after=fail"))
    hit("commit.before")
    with pytest.raises(Transient):
        hit("commit.after")


def test_a_place_of_one_kind_of_message_is_its_own() -> None:
    arm(parse_failpoints("run.effect.after=fail"))
    hit("effect.after")
    token = handling.set("run")
    try:
        with pytest.raises(Transient):
            hit("effect.after")
    finally:
        handling.reset(token)


def test_a_kind_can_be_named_where_the_bus_no_longer_does() -> None:
    arm(parse_failpoints("run.ack.before=fail"))
    hit("ack.before", kind="think")
    with pytest.raises(Transient):
        hit("ack.before", kind="run")


def test_arming_replaces_what_was_armed() -> None:
    arm(parse_failpoints("a=fail"))
    arm(parse_failpoints("b=fail"))
    hit("a")
    arm({})
    hit("b")


def test_with_a_mark_it_happens_once_even_over_restarts(tmp_path: Path) -> None:
    text = f"a=fail@{tmp_path / 'mark'}"
    arm(parse_failpoints(text))
    with pytest.raises(Transient):
        hit("a")
    hit("a")
    arm(parse_failpoints(text))
    hit("a")
    assert (tmp_path / "mark").exists()


def test_several_places_are_read_and_blanks_pass() -> None:
    assert set(parse_failpoints(" a=fail; b=sleep:0.01 ;; c=kill;")) == {"a", "b", "c"}
    assert parse_failpoints("") == {}


def test_sleeping_takes_its_time() -> None:
    arm(parse_failpoints("a=sleep:0.02"))
    began = time.monotonic()
    hit("a")
    assert time.monotonic() - began >= 0.02


@pytest.mark.parametrize("text", ["a", "a=", "a=dance", "=fail", "a=sleep:", "a=sleep:long"])
def test_what_cannot_be_read_is_misconfigured(text: str) -> None:
    with pytest.raises(Misconfigured):
        parse_failpoints(text)


def notes(*places: str) -> list[str]:
    """Arm these places with a note of their own; what was noted so far."""
    noted: list[str] = []
    arm({place: partial(noted.append, place) for place in places})
    return noted


def test_a_commit_and_its_bell_have_places_in_their_order() -> None:
    noted = notes("commit.before", "publish.before", "publish.after", "commit.after")
    with sqlite_engines() as engines:
        bed = Bed(
            lambda bell, clock: FailpointStore(
                engines=engines, bell=FailpointBell(bell), clock=clock
            )
        )
        bed.emit()
    assert noted == ["commit.before", "publish.before", "publish.after", "commit.after"]


def test_a_single_statement_has_places_of_its_job() -> None:
    noted = notes("think.claim.before", "think.claim.after", "commit.before")
    with sqlite_engines() as engines:
        bed = Bed(lambda bell, clock: FailpointStore(engines=engines, bell=bell, clock=clock))
        assert bed.store.claim("think:t", worker="w") is None
    assert noted == ["think.claim.before", "think.claim.after"]


def test_what_raises_has_no_place_after_it() -> None:
    noted = notes("blob.before", "blob.after", "blob.delete.before", "blob.delete.after")
    blobs = FailpointBlobs(MemoryBlobs())
    blobs.put("a", b"x")
    blobs.delete("a")
    with pytest.raises(ValueError, match="no name"):
        FailpointBlobs(Refusing()).put("a", b"x")
    assert noted == [
        "blob.before",
        "blob.after",
        "blob.delete.before",
        "blob.delete.after",
        "blob.before",
    ]


class Refusing(MemoryBlobs):
    def put(self, name: str, data: bytes) -> None:
        message = f"no name: {name} ({len(data)} bytes)"
        raise ValueError(message)


def test_the_kind_of_a_job_is_known_while_it_is_carried_out() -> None:
    def around(_job: Job) -> AbstractContextManager[None]:
        return nullcontext()

    cause = Cause(owner="owner", trace="f" * 32)
    job = Job(**cause.model_dump(), message=Think(id="t"), claim="c", attempts=1)
    with with_kinds(around)(job):
        assert handling.get() == Think(id="t").kind
    assert handling.get() == ""
