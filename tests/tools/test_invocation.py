"""One call as it is shown, asked about and carried out."""

import errno
from collections.abc import Callable
from itertools import count
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from assistant.domain.calls import Facts, Risk
from assistant.domain.cancel import Cancel
from assistant.domain.errors import (
    BadArguments,
    Denied,
    NotFound,
    Permanent,
    Stale,
    Transient,
    Unreachable,
    Unsure,
)
from assistant.domain.fence import unfence
from assistant.domain.policy import Verdict
from assistant.domain.tool_errors import (
    Cancelled,
    ErrorType,
    FailureKind,
    ToolFailure,
    failure_of,
)
from assistant.domain.traits import Confirmation
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.invocation import LINE, ConfirmationDetails, Invocation, invocations
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Tool
from tests.tools.samples import Note, a_context, reading, said, writing

json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
places = st.lists(st.builds("note:{}".format, st.text()), max_size=4).map(tuple)
facts_of_notes = st.builds(
    Facts,
    args=st.builds(lambda words: Note(words=words).model_dump(), st.text()),
    destination=st.text(max_size=20),
    locations=places,
    destructive=st.booleans(),
)
samples = st.sampled_from([reading, writing])


def of(tool: Tool[Any], facts: Facts | None = None, **more: Any) -> Invocation:
    facts = facts or Facts(args={"words": "milk", "copies": 1})
    return Invocation(tool=tool, facts=facts, context=a_context(), **more)


def raising(error: Exception) -> Callable[[Facts, ToolContext], Result]:
    def execute(_facts: Facts, _context: ToolContext) -> Result:
        raise error

    return execute


@given(st.dictionaries(st.sampled_from(["words", "copies", "other"]), json))
def test_arguments_that_do_not_fit_are_refused_with_what_to_mend(args: dict[str, Any]) -> None:
    """Property 44: parameters that don't match the schema give a validation error."""
    fits = (
        isinstance(args.get("words"), str)
        and "other" not in args
        and type(args.get("copies", 1)) in (int, bool)
    )
    try:
        made = invocations(writing(), args, a_context())
    except BadArguments as error:
        kind, said_of_it = failure_of(error)
        assert (kind, said_of_it.type) == (FailureKind.INVALID, ErrorType.VALIDATION)
        assert any(name in said_of_it.message for name in ("words", "copies", "other"))
        assert not fits
    else:
        assert [invocation.facts.args["words"] for invocation in made] == [args["words"]]


@given(samples, facts_of_notes, st.text(), st.none() | st.just(lambda _f, _z: ()))
def test_a_call_is_described_in_a_line(make: Any, facts: Facts, title: str, card: Any) -> None:
    """Property 45: the description is a text for people, and not empty."""
    own = {"card": card} if card else {}
    description = of(make(title=title, **own), facts).description()
    assert description.strip()
    assert description.isprintable()
    assert len(description) <= LINE


@given(samples, facts_of_notes)
def test_a_call_names_the_places_it_affects(make: Any, facts: Facts) -> None:
    """Property 46: the locations are the files or resources that will be affected."""
    locations = of(make(), facts).locations()
    assert locations == (facts.locations or tuple(filter(None, [facts.destination])))


@given(st.data(), facts_of_notes, st.none() | st.sampled_from(Verdict))
def test_a_call_asks_for_a_yes_with_all_there_is_to_know_or_does_not_ask(
    data: st.DataObject, facts: Facts, verdict: Verdict | None
) -> None:
    """Property 47: the check gives False, or the details that a person needs (property 37)."""
    make, confirmation = data.draw(samples), data.draw(st.sampled_from(Confirmation))
    risk, enforced = data.draw(st.sampled_from(Risk)), data.draw(st.booleans())
    tool = make(confirmation=confirmation, risk=lambda _facts: risk, enforced=enforced)
    invocation = of(tool, facts)
    if verdict is Verdict.DENY:
        with pytest.raises(Denied):
            invocation.confirmation(verdict)
        return
    details = invocation.confirmation(verdict)
    by_itself = (
        enforced
        or risk is Risk.HIGH
        or confirmation is Confirmation.ALWAYS
        or (confirmation is Confirmation.IF_DESTRUCTIVE and facts.destructive)
    )
    assert bool(details) is (by_itself if verdict is None else verdict is Verdict.ASK)
    if details:
        assert details == ConfirmationDetails(
            tool_name=tool.name,
            description=invocation.description(),
            risk=risk,
            locations=invocation.locations(),
        )
        assert details.description


def test_what_cannot_be_done_is_not_asked_about() -> None:
    with pytest.raises(Denied, match="give a shorter one"):
        of(writing(), Facts(args={}, trouble="too long: give a shorter one")).confirmation()


@given(samples, st.integers(1, 8), st.integers(0, 9))
def test_a_call_that_is_told_to_stop_stops_at_its_next_step(
    make: Any, steps: int, stop: int
) -> None:
    """Property 48: a signal stops the execution, and it throws a cancellation error."""
    cancel, done = Cancel(), list[int]()

    def execute(_facts: Facts, at: ToolContext) -> Result:
        for step in range(1, steps + 1):
            at.cancel.raise_if()
            done.append(step)
            at.update(f"step {step}")
        return Result(text="all steps")

    def watch(words: str) -> None:
        if words == f"step {stop}":
            cancel.cancel("the owner said /stop")

    if stop == 0:
        cancel.cancel("the owner said /stop")
    if stop < steps:
        with pytest.raises(Cancelled, match="the owner said /stop"):
            of(make(execute=execute)).execute(cancel, watch)
        assert done == list(range(1, stop + 1))
    elif stop == steps and make is reading:
        with pytest.raises(Cancelled):
            of(make(execute=execute)).execute(cancel, watch)
    else:  # it was done before anybody said stop: what was changed is told
        assert of(make(execute=execute)).execute(cancel, watch).text == "all steps"


@given(samples, st.text(), st.text(max_size=20))
def test_a_result_has_words_for_the_model_and_for_the_person(
    make: Any, text: str, told: str
) -> None:
    """Property 49: a result contains what the model and what the person is shown."""
    ticks = count(step=2.5)
    tool = make(execute=lambda _facts, _context: Result(text=text, told=told))
    result = of(tool, monotonic=lambda: next(ticks)).execute()
    assert result.text == text
    assert result.display == (told or unfence(text))
    assert result.error is None
    assert result.latency == 2.5


permanent = st.sampled_from(
    [
        BadArguments("page: there are 3"),
        NotFound("mail 1a2b"),
        Stale("it moved"),
        Permanent("no"),
        ToolFailure(ErrorType.EDIT_TARGET_AMBIGUOUS, 'Target text is ambiguous (3 matches): "x"'),
    ]
)


@given(samples, permanent, st.booleans())
def test_an_error_comes_back_with_its_type_and_its_message(
    make: Any,
    error: Permanent,
    outside: bool,  # noqa: FBT001 (hypothesis gives it)
) -> None:
    """Property 57: the result of an execution that fails has an error with message and type."""
    own = {"source": lambda _facts: "mail 1a2b"} if outside else {}
    result = of(make(execute=raising(error), **own)).execute()
    kind, expected = failure_of(error)
    assert result.error == expected
    assert result.error.kind is kind
    assert expected.message in result.text
    assert result.told
    assert (result.outside, result.source) == (outside, "mail 1a2b" if outside else "")
    assert result.text.startswith("failed")


@pytest.mark.parametrize("error", [ZeroDivisionError("x"), OSError(errno.ENOSPC, "full")])
def test_a_read_that_breaks_has_failed_and_a_change_that_breaks_may_have_happened(
    error: Exception,
) -> None:
    assert of(reading(execute=raising(error))).execute().error == failure_of(error)[1]
    with pytest.raises(Unsure):
        of(writing(execute=raising(error))).execute()


@pytest.mark.parametrize("error", [Unreachable("the server"), Unsure("no answer")])
@pytest.mark.parametrize("make", [reading, writing])
def test_what_another_try_or_the_world_must_settle_is_left_to_whoever_runs_it(
    make: Any, error: Transient | Unsure
) -> None:
    with pytest.raises(type(error)):
        of(make(execute=raising(error))).execute()


def waits(_facts: Facts, at: ToolContext) -> Result:
    at.cancel.wait(30)
    at.cancel.raise_if()
    return Result(text="waited to the end")


@pytest.mark.parametrize("make", [reading, writing])
def test_a_call_that_takes_too_long_is_told_to_stop(make: Any) -> None:
    result = of(make(execute=waits, timeout=0.05)).execute()
    assert result.error is not None
    assert result.error.kind is FailureKind.TIMED_OUT
    assert "0.05 s are over" in result.told


def test_another_thread_stops_a_call_that_waits() -> None:
    cancel, ended = Cancel(), list[Exception]()

    def run() -> None:
        try:
            of(writing(execute=waits)).execute(cancel)
        except Cancelled as error:
            ended.append(error)

    thread = Thread(target=run)
    thread.start()
    cancel.cancel()
    thread.join(5)
    assert len(ended) == 1


def test_a_time_out_of_one_call_stops_no_other() -> None:
    cancel = Cancel()
    of(reading(execute=waits, timeout=0.01)).execute(cancel)
    assert not cancel.cancelled


def test_a_read_that_fails_since_it_was_stopped_was_cancelled() -> None:
    cancel = Cancel()

    def execute(_facts: Facts, at: ToolContext) -> Result:
        cancel.cancel()
        assert at.cancel.cancelled
        raise Unreachable("the connection was closed")

    with pytest.raises(Cancelled):
        of(reading(execute=execute)).execute(cancel)


def test_whoever_watches_cannot_break_what_they_watch() -> None:
    def execute(_facts: Facts, at: ToolContext) -> Result:
        at.update("half")
        return Result(text="whole")

    def watch(_words: str) -> None:
        raise ZeroDivisionError

    assert of(writing(execute=execute)).execute(update=watch).text == "whole"


def test_output_comes_as_it_is_made() -> None:
    seen: list[str] = []

    def execute(_facts: Facts, at: ToolContext) -> Result:
        for words in ("one", "two"):
            at.update(words)
        return Result(text="one two")

    of(writing(execute=execute)).execute(update=seen.append)
    assert seen == ["one", "two"]


def test_a_change_has_touched_the_places_it_named_and_a_read_none() -> None:
    facts = Facts(args={"words": "milk"}, locations=("note:a",))
    assert of(writing(), facts).execute().touched == ("note:a",)
    assert of(reading(), facts).execute().touched == ()
    failing = writing(execute=raising(NotFound("a.txt")))
    assert of(failing, facts).execute().touched == ()


def test_outside_words_carry_where_they_come_from() -> None:
    def execute(_facts: Facts, _context: ToolContext) -> Result:
        return Result(text="<fenced>", outside=True)

    tool = reading(execute=execute, source=lambda facts: f"mail {facts.args['words']}")
    result = of(tool).execute()
    assert (result.outside, result.source) == (True, "mail milk")


class Counted(BaseModel):
    count: int


def test_an_answer_has_the_shape_that_was_declared() -> None:
    def execute(_facts: Facts, _context: ToolContext) -> Result:
        return Result(text="2", data={"count": 2})

    assert of(reading(execute=execute, result=Counted)).execute().data == {"count": 2}
    wrong = of(reading(result=Counted)).execute()
    assert wrong.error is not None
    assert wrong.error.type is ErrorType.RESULT
    done = of(writing(result=Counted)).execute()
    assert (done.error, done.data) == (None, {})  # what is done is done


def test_a_preflight_speaks_for_each_call_of_a_request() -> None:
    def inspect(args: Note, _context: ToolContext) -> list[Facts]:
        return [Facts(args={"words": args.words, "copies": n}) for n in range(args.copies)]

    def can_execute(facts: Facts, _context: ToolContext) -> None:
        if facts.args["copies"] == 1:
            raise Denied("no second copy; ask for one")

    tool = writing(inspect=inspect, can_execute=can_execute, execute=said)
    made = invocations(tool, {"words": "milk", "copies": 3}, a_context())
    troubles = [invocation.facts.trouble for invocation in made]
    assert troubles == ["", "That is not allowed: no second copy; ask for one", ""]
