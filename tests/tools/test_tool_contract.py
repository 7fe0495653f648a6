"""Every tool that the assistant brings keeps the contract."""

from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest

from assistant.domain.calls import Facts, Reach, Risk
from assistant.domain.cancel import Cancel
from assistant.domain.errors import AssistantError
from assistant.domain.events import Event, When
from assistant.domain.file_paths import parse_path
from assistant.domain.files import FileVersion
from assistant.domain.modes import Mode
from assistant.domain.terms import Category
from assistant.domain.tool_errors import Cancelled
from assistant.tools.calendar_args import UpdateEvent
from assistant.tools.checks import problems_of, stock_errand
from assistant.tools.file_args import ReadFile
from assistant.tools.invocation import Invocation, invocations
from assistant.tools.memo import Memo
from assistant.tools.toolbox import Tool, Toolbox
from tests.stores import Fresh, no_store
from tests.world import World

EXAMPLE = UpdateEvent.model_json_schema()["examples"][0]
HOUR = timedelta(hours=1)
NOTE = parse_path(ReadFile.model_json_schema()["examples"][0]["path"])
RENT = b"850 EUR\ndue on the 30th\n"


@pytest.fixture
def toolbox(fresh: Fresh) -> Toolbox:
    """The tools of a house that holds the event and the file that the examples speak of."""
    world = World(fresh())
    start = UpdateEvent.model_validate(EXAMPLE).start
    assert start is not None
    when = When(start=start, end=start + HOUR)
    world.calendar.put(Event(uid="rent", title=EXAMPLE["event"], when=when))
    digest = sha256(RENT).hexdigest()
    world.blobs.put(digest, RENT)
    with world.store.begin(world.cause) as tx:
        tx.write_file(FileVersion(path=NOTE, size=len(RENT), sha256=digest, blob=digest))
    return world.toolbox


NAMES = [tool.name for tool in World(no_store).toolbox.list()]


@pytest.fixture(params=NAMES)
def tool(request: pytest.FixtureRequest, toolbox: Toolbox) -> Tool[Any]:
    return toolbox[request.param]


def calls_of(tool: Tool[Any]) -> Iterator[Invocation]:
    """What comes of the examples of a tool."""
    for example in tool.args.model_json_schema()["examples"]:
        yield from invocations(tool, example, stock_errand())


def test_it_keeps_the_contract(tool: Tool[Any]) -> None:
    assert problems_of(tool) == []


def test_its_examples_can_be_judged_and_shown(tool: Tool[Any]) -> None:
    calls = list(calls_of(tool))
    assert calls
    for call in calls:
        assert not call.facts.trouble
        assert call.description().startswith(tool.title)
        details = call.confirmation()
        assert bool(details) is tool.asks(call.facts)
        if details:
            assert details.locations


def test_what_is_told_to_stop_before_it_began_does_nothing(tool: Tool[Any]) -> None:
    cancel = Cancel()
    cancel.cancel()
    for call in calls_of(tool):
        with pytest.raises(Cancelled):
            call.execute(cancel)


def test_what_only_reads_may_be_asked_in_lockdown_and_what_changes_may_not(
    tool: Tool[Any],
) -> None:
    assert (Mode.LOCKDOWN in tool.modes) is (tool.reach is Reach.READS)


def test_what_comes_from_outside_is_fenced_and_says_where_from(tool: Tool[Any]) -> None:
    for call in calls_of(tool):
        try:
            result = call.execute()
        except AssistantError as error:
            pytest.fail(f"{tool.name} could not do its own example: {error}")
        assert result.display
        assert result.outside is ("<<outside " in result.text)
        assert bool(result.source) is result.outside


def test_none_of_them_is_answered_from_memory(tool: Tool[Any]) -> None:
    memo = Memo(monotonic=lambda: 0.0)
    for call in calls_of(tool):
        memo.keep(tool, call.facts, call.errand, call.execute())
        assert memo.get(tool, call.facts, call.errand) is None


def test_only_deleting_is_destructive(tool: Tool[Any]) -> None:
    destructive = {call.facts.destructive for call in calls_of(tool)}
    assert destructive == {tool.name in ("delete_event", "delete_file")}


def test_a_change_names_what_it_affects(tool: Tool[Any]) -> None:
    for call in calls_of(tool):
        touched = call.execute().touched
        if tool.category != Category.SYSTEM_WRITE:
            assert touched == ()
            continue
        [location] = call.facts.locations
        assert location.startswith(("calendar:", "private:/", "public:/"))
        assert touched == (location,)


def test_a_change_says_how_it_left_each_thing_it_refers_to(tool: Tool[Any]) -> None:
    if tool.category != Category.SYSTEM_WRITE:
        return
    for call in calls_of(tool):
        left = call.execute().after["state"]
        assert left.keys() == call.facts.state.keys()
        assert left != call.facts.state


def test_a_change_can_be_taken_back_or_says_why_not(tool: Tool[Any]) -> None:
    if tool.reach is not Reach.READS:
        assert bool(tool.inverse) is not bool(tool.irreversible)


def test_titles_of_the_owner_are_high_risk(toolbox: Toolbox) -> None:
    details = toolbox["get_events_details"]
    assert details.risk(Facts(args={}, own=False)) is Risk.HIGH
