"""Reads are answered from memory when their tool says so, and nothing else ever is."""

from typing import Any

import pytest

from assistant.domain.calls.call import Facts, Reach
from assistant.domain.errors import NotFound, Unsure
from assistant.tools.errand import Errand
from assistant.tools.invocation import Invocation
from assistant.tools.memo import LONGEST, Memo
from assistant.tools.results import Result
from assistant.tools.toolbox import Tool
from tests.tools.samples import errand, reading, writing

MILK = Facts(args={"words": "milk"}, destination="shop")


class Desk:
    """A memo whose clock is moved by hand, and a tool that counts how often it is asked."""

    def __init__(self, *, room: int = 128) -> None:
        self.time = 0.0
        self.acts = 0
        self.memo = Memo(monotonic=lambda: self.time, room=room)

    def act(self, facts: Facts, _errand: Errand) -> Result:
        self.acts += 1
        return Result(text=f"{self.acts}: {facts.args}", outside=True, source="page x")

    def ask(
        self, tool: Tool[Any] | None = None, facts: Facts = MILK, at: Errand | None = None
    ) -> Result:
        tool = tool or reading(act=self.act, cached_for=60)
        invocation = Invocation(tool=tool, facts=facts, errand=at or errand(), memo=self.memo)
        return invocation.execute()


def test_the_same_read_is_asked_once_until_its_time_is_over() -> None:
    desk = Desk()
    first = desk.ask()
    desk.time = 59.9
    assert desk.ask().text == first.text
    desk.time = 60.0
    assert desk.ask().text != first.text
    assert desk.acts == 2


def test_a_read_whose_tool_does_not_say_so_is_asked_each_time() -> None:
    desk = Desk()
    tool = reading(act=desk.act)
    desk.ask(tool)
    desk.ask(tool)
    assert desk.acts == 2


def test_what_was_outside_stays_outside_with_its_source() -> None:
    desk = Desk()
    desk.ask()
    again = desk.ask()
    assert (desk.acts, again.outside, again.source) == (1, True, "page x")


@pytest.mark.parametrize(
    ("facts", "at"),
    [
        (MILK.model_copy(update={"args": {"words": "tea"}}), errand()),
        (MILK.model_copy(update={"destination": "market"}), errand()),
        (MILK.model_copy(update={"state": {"a.txt": "2"}}), errand()),
        (MILK, errand(owner="other")),
        (MILK, errand().model_copy(update={"zone": "UTC"})),
    ],
    ids=["arguments", "destination", "state", "owner", "zone"],
)
def test_another_question_has_an_answer_of_its_own(facts: Facts, at: Errand) -> None:
    desk = Desk()
    desk.ask()
    desk.ask(facts=facts, at=at)
    assert desk.acts == 2


def test_another_tool_or_version_has_an_answer_of_its_own() -> None:
    desk = Desk()
    for name, version in (("a", "1"), ("b", "1"), ("a", "2")):
        desk.ask(reading(name, act=desk.act, cached_for=60, version=version))
    assert desk.acts == 3


@pytest.mark.parametrize("reach", [reach for reach in Reach if reach is not Reach.READS])
def test_what_is_no_read_is_never_answered_from_memory(reach: Reach) -> None:
    desk = Desk()
    plain = writing(act=desk.act, cached_for=60, reach=reach)
    sly = reading(act=desk.act, cached_for=60, reach_by=lambda _facts: reach)
    for tool in (plain, plain, sly, sly):
        desk.ask(tool)
    assert desk.acts == 4


def test_an_error_is_not_kept() -> None:
    desk = Desk()

    def act(_facts: Facts, _errand: Errand) -> Result:
        desk.acts += 1
        raise NotFound("page")

    tool = reading(act=act, cached_for=60)
    desk.ask(tool)
    desk.ask(tool)
    assert desk.acts == 2


def test_a_change_whatever_came_of_it_ends_what_was_kept_for_its_owner() -> None:
    desk = Desk()

    def act(_facts: Facts, _errand: Errand) -> Result:
        raise Unsure("no answer")

    desk.ask()
    desk.ask(at=errand(owner="other"))
    with pytest.raises(Unsure):
        desk.ask(writing(act=act))
    desk.ask()
    desk.ask(at=errand(owner="other"))
    assert desk.acts == 3


def test_the_memo_has_room_for_so_many_and_forgets_what_was_not_asked_for_longest() -> None:
    desk = Desk(room=2)
    for words in ("milk", "tea", "milk", "jam", "milk", "tea"):
        desk.ask(facts=Facts(args={"words": words}))
    assert desk.acts == 4


def test_what_is_too_long_is_not_kept() -> None:
    desk = Desk()

    def act(_facts: Facts, _errand: Errand) -> Result:
        desk.acts += 1
        return Result(text="x" * (LONGEST + 1))

    tool = reading(act=act, cached_for=60)
    desk.ask(tool)
    desk.ask(tool)
    assert desk.acts == 2
