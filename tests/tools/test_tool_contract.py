"""Every tool that the assistant brings keeps the contract."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest

from assistant.domain.calendar.events import Event, When
from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.cancel import Cancel
from assistant.domain.calls.tool_errors import Cancelled
from assistant.domain.errors import AssistantError
from assistant.domain.files.paths import parse_path
from assistant.domain.files.version import FileVersion
from assistant.domain.governance.modes import Mode
from assistant.domain.mail.mail import Attachment, Mail
from assistant.domain.policy.traits import Category, Scopes
from assistant.tools.calendar.args import UpdateEvent
from assistant.tools.contract.checks import flaws_of, problems_of, stock_context
from assistant.tools.contract.invocation import Invocation, invocations
from assistant.tools.contract.tool import Tool
from assistant.tools.contract.toolbox import Toolbox
from assistant.tools.files.args import ReadFile
from assistant.tools.mail.args import ReadEmail
from tests.bed import a_reminder
from tests.stores import Fresh, no_store
from tests.world import World

EXAMPLE = UpdateEvent.model_json_schema()["examples"][0]
HOUR = timedelta(hours=1)
NOTE = parse_path(ReadFile.model_json_schema()["examples"][0]["path"])
MAIL = ReadEmail.model_json_schema()["examples"][0]["id"]
RENT = b"850 EUR\ndue on the 30th\n"


@pytest.fixture
def toolbox(fresh: Fresh) -> Toolbox:
    """The tools of a world that holds the event, the file and the mail of the examples."""
    world = World(fresh())
    start = UpdateEvent.model_validate(EXAMPLE).start
    assert start is not None
    when = When(start=start, end=start + HOUR)
    world.calendar.put(Event(uid="rent", title=EXAMPLE["event"], when=when))
    digest = sha256(RENT).hexdigest()
    world.blobs.put(digest, RENT)
    with world.store.begin(world.cause) as tx:
        tx.write_file(FileVersion(path=NOTE, size=len(RENT), sha256=digest, blob=digest))
        tx.add_mail(
            Mail(
                id=MAIL,
                owner="owner",
                sha256=digest,
                size=len(RENT),
                door="file",
                raw=digest,
                received=start,
                sender="Ada <ada@example.org>",
                subject="The rent",
                body=digest,
            )
        )
        rent = Attachment(
            name="rent.txt", content_type="text/plain", size=len(RENT), sha256=digest, blob=digest
        )
        tx.attach(MAIL, (rent,))
        tx.add_reminder(a_reminder("first", at=start))
    return world.toolbox


NAMES = [tool.name for tool in World(no_store).toolbox.list()]


@pytest.fixture(params=NAMES)
def tool(request: pytest.FixtureRequest, toolbox: Toolbox) -> Tool[Any]:
    return toolbox[request.param]


def calls_of(tool: Tool[Any]) -> Iterator[Invocation]:
    """What comes of the examples of a tool."""
    for example in tool.args.model_json_schema()["examples"]:
        yield from invocations(tool, example, stock_context())


def test_it_keeps_the_contract(tool: Tool[Any]) -> None:
    assert problems_of(tool) == []


def test_every_tool_declares_a_result_and_sound_scopes_internal_ones_too(toolbox: Toolbox) -> None:
    for tool in toolbox.list(internal=True):
        assert tool.result.model_fields, tool.name
        assert flaws_of(tool) == []
        assert tool.scopes != Scopes(), tool.name
        assert not tool.sandbox


def test_its_results_have_the_shape_it_declares(tool: Tool[Any]) -> None:
    for call in calls_of(tool):
        data = call.execute().data
        assert data
        assert tool.result.model_validate(data).model_dump(mode="json") == data


def test_its_calls_stay_inside_its_scopes_and_outside_any_other(tool: Tool[Any]) -> None:
    for call in calls_of(tool):
        assert tool.refusal(call.facts) == ""
        if call.facts.locations:
            assert replace(tool, scopes=Scopes(apps=("other",))).refusal(call.facts)


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
    assert (Mode.LOCKDOWN in tool.traits.allowed_modes) is (tool.reach is Reach.READS)


def test_what_comes_from_outside_is_fenced_and_says_where_from(tool: Tool[Any]) -> None:
    for call in calls_of(tool):
        try:
            result = call.execute()
        except AssistantError as error:
            pytest.fail(f"{tool.name} could not do its own example: {error}")
        assert result.display
        assert result.outside is ("<<outside " in result.text)
        assert bool(result.source) is result.outside


def test_only_deleting_is_destructive(tool: Tool[Any]) -> None:
    destructive = {call.facts.destructive for call in calls_of(tool)}
    assert destructive == {tool.name in ("delete_event", "delete_file", "cancel_reminder")}


def test_a_change_names_what_it_affects(tool: Tool[Any]) -> None:
    for call in calls_of(tool):
        touched = call.execute().touched
        if tool.traits.category != Category.SYSTEM_WRITE:
            assert touched == ()
            continue
        [location] = call.facts.locations
        assert location.startswith(("calendar:", "private:/", "public:/", "reminders:"))
        assert touched == (location,)


def test_a_change_says_how_it_left_each_thing_it_refers_to(tool: Tool[Any]) -> None:
    if tool.traits.category != Category.SYSTEM_WRITE:
        return
    for call in calls_of(tool):
        left = call.execute().after["state"]
        assert left.keys() == call.facts.state.keys()
        assert left != call.facts.state


def test_a_change_can_be_taken_back_or_says_why_not(tool: Tool[Any]) -> None:
    if tool.reach is not Reach.READS:
        assert tool.undoable is not bool(tool.irreversible)


def test_titles_of_the_owner_are_high_risk(toolbox: Toolbox) -> None:
    details = toolbox["get_events_details"]
    assert details.risk(Facts(args={}, own=False)) is Risk.HIGH
