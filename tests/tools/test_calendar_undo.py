"""What the calendar's tools did is taken back, days later, and nothing else with it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from caldav.davclient import DAVClient

from assistant.adapters.calendar.caldav_calendar import CalDavCalendar
from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.inverse import Inverse
from assistant.domain.calls.tool_errors import ErrorType, ToolFailure
from assistant.domain.errors import BadArguments, Denied, NotFound, Stale, Unsure
from assistant.domain.ids import new_id
from assistant.tools.calendar.tools import calendar_tools, calendar_undo_tools
from assistant.tools.contract.checks import problems_of
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.invocation import Invocation
from assistant.tools.contract.results import Result
from assistant.tools.contract.toolbox import Toolbox
from tests.bed import START, Bed
from tests.memory_blobs import MemoryBlobs
from tests.memory_calendar import MemoryCalendar
from tests.servers.radicale import RadicaleServer
from tests.stores import Fresh

ZONE = "Europe/Berlin"
DAY = {"start": "2026-11-30T10:00:00+01:00", "end": "2026-11-30T11:00:00+01:00"}
NEXT = {"start": "2026-12-01T10:00:00+01:00", "end": "2026-12-01T12:00:00+01:00"}
PLAIN = (
    "UID:full",
    "DTSTAMP:20260102T000000Z",
    "SUMMARY:Dinner",
    "DTSTART:20261130T180000Z",
    "DTEND:20261130T200000Z",
    "DESCRIPTION:Bring wine\\, red",
    "SEQUENCE:4",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "DESCRIPTION:Go now",
    "TRIGGER:-PT30M",
    "END:VALARM",
)
GUESTS = (
    "ORGANIZER;CN=Me:mailto:me@example.org",
    "ATTENDEE;PARTSTAT=ACCEPTED;RSVP=TRUE:mailto:ann@example.org",
    "ATTENDEE:mailto:bob@example.org",
)


def an_object(*lines: str) -> bytes:
    head = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//owner//EN", "BEGIN:VEVENT")
    return "\r\n".join((*head, *lines, "END:VEVENT", "END:VCALENDAR", "")).encode()


def lines_of(ics: bytes) -> list[str]:
    return sorted(ics.decode().replace("\r\n ", "").splitlines())


FULL = an_object(*PLAIN, *GUESTS)


@dataclass(frozen=True)
class Done:
    """One call that was carried out, and what was kept for taking it back."""

    facts: Facts
    context: ToolContext
    inverse: Inverse
    result: Result

    @property
    def left(self) -> dict[str, str]:
        return dict(self.result.after["state"])


@dataclass
class Diary:
    """A calendar with its tools. ``do`` works as a worker does, for a call of its own."""

    calendar: Calendar
    bed: Bed
    blobs: MemoryBlobs = field(default_factory=MemoryBlobs)

    def __post_init__(self) -> None:
        parts: dict[str, Any] = {
            "calendar": self.calendar,
            "store": self.bed.store,
            "blobs": self.blobs,
        }
        self.tools = Toolbox(*calendar_tools(**parts), *calendar_undo_tools(**parts))

    def context(self) -> ToolContext:
        return ToolContext(cause=self.bed.me, call=new_id(), now=START, zone=ZONE)

    def inspect(self, tool: str, context: ToolContext | None = None, **args: Any) -> Facts:
        [facts] = self.tools[tool].examine(args, context or self.context())
        return facts

    def inverse(self, tool: str, facts: Facts, context: ToolContext) -> Inverse | None:
        return self.tools[tool].inverse(facts, context)

    def execute(self, tool: str, facts: Facts, context: ToolContext | None = None) -> Result:
        context = context or self.context()
        return Invocation(tool=self.tools[tool], facts=facts, context=context).execute()

    def reconcile(self, tool: str, facts: Facts) -> Result | None:
        return self.tools[tool].reconcile(facts, self.context())

    def do(self, tool: str, **args: Any) -> Done:
        context = self.context()
        facts = self.inspect(tool, context, **args)
        inverse = self.inverse(tool, facts, context)
        assert inverse is not None
        created = self.tools[tool].creates_event(facts)
        if created is not None:
            calendar, uid = created
            self.bed.write(lambda tx: tx.own_uid(uid, calendar=calendar, call=context.call))
        result = self.execute(tool, facts, context)
        assert result.error is None
        return Done(facts, context, inverse, result)

    def before_undo(self, done: Done) -> Facts:
        """What the look of an undo finds."""
        return self.inspect(done.inverse.tool, **done.inverse.args)

    def undo(self, done: Done) -> Done:
        return self.do(done.inverse.tool, **done.inverse.args)

    def full(self, ics: bytes = FULL) -> bytes:
        """The owner's event with all that one can hold, as the calendar has it."""
        self.calendar.restore("full", ics, etag="")
        return self.calendar.raw("full")

    def retitles(self, title: str) -> None:
        """The owner changes it by hand."""
        event = self.calendar.get("full")
        self.calendar.update(event.model_copy(update={"title": title}))

    def adds_a_note(self) -> None:
        """The owner changes what the assistant does not even see."""
        raw = self.calendar.raw("full").replace(b"Bring wine", b"Bring beer")
        self.calendar.restore("full", raw, etag=self.calendar.get("full").etag)

    def holds(self, uid: str = "full") -> bool:
        try:
            self.calendar.get(uid)
        except NotFound:
            return False
        return True


@dataclass
class MemoryDiary(Diary):
    calendar: MemoryCalendar


@pytest.fixture
def diary(fresh: Fresh) -> MemoryDiary:
    return memory_diary(fresh)


def memory_diary(fresh: Fresh, *, mails: bool = False) -> MemoryDiary:
    return MemoryDiary(MemoryCalendar(zone=ZONE, mails=mails), Bed(fresh()))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RadicaleServer]:
    with RadicaleServer(tmp_path_factory.mktemp("undo") / "data") as server:
        yield server


@pytest.fixture(params=["memory", "radicale"])
def any_diary(request: pytest.FixtureRequest, fresh: Fresh) -> Diary:
    if request.param == "memory":
        return memory_diary(fresh)
    files = request.getfixturevalue("server").files
    name = uuid4().hex
    with DAVClient(
        url=files.url, username=files.username, password=files.password, features="radicale"
    ) as client:
        client.get_principal().make_calendar(name=name, cal_id=name)
    return Diary(
        CalDavCalendar(
            url=files.url,
            username=files.username,
            password=files.password,
            calendar=name,
            provider="radicale",
            timeout=10.0,
            require_tls=False,
            zone=ZONE,
        ),
        Bed(fresh()),
    )


# Taking back, and taking that back


def test_what_was_created_is_deleted_again_and_comes_back_as_it_was(any_diary: Diary) -> None:
    diary = any_diary
    made = diary.do("create_event", title="Lunch", **DAY)
    uid = made.facts.args["uid"]
    raw = diary.calendar.raw(uid)
    assert made.inverse == Inverse(
        tool="delete_event",
        args={"event": uid},
        words="Delete the event “Lunch” that it created",
        of_creation=True,
    )
    gone = diary.undo(made)
    assert gone.facts.own
    assert not diary.holds(uid)
    back = diary.undo(gone)
    assert not back.inverse.of_creation, "it was there before"
    assert diary.calendar.raw(uid) == raw
    diary.undo(back)
    assert not diary.holds(uid)


def test_what_was_changed_is_put_back_with_all_it_held(any_diary: Diary) -> None:
    diary = any_diary
    raw = diary.full()
    assert lines_of(raw) == lines_of(FULL)
    change = diary.do("update_event", event="full", title="Supper", **NEXT)
    changed = diary.calendar.raw("full")
    assert change.inverse.tool == "restore_event"
    assert change.inverse.words == "Put the event “Dinner” back as it was"
    back = diary.undo(change)
    assert diary.calendar.raw("full") == raw
    diary.undo(back)
    assert diary.calendar.raw("full") == changed
    assert {"SUMMARY:Supper", "SEQUENCE:5", *GUESTS} <= {*lines_of(changed)}


def test_what_was_deleted_is_put_back_with_all_it_held(any_diary: Diary) -> None:
    diary = any_diary
    raw = diary.full()
    gone = diary.do("delete_event", event="Dinner", on="2026-11-30")
    back = diary.undo(gone)
    assert diary.calendar.raw("full") == raw
    diary.undo(back)
    assert not diary.holds()


def test_an_undo_finds_the_state_that_the_change_left(any_diary: Diary) -> None:
    diary = any_diary
    diary.full()
    change = diary.do("update_event", event="full", title="Supper")
    assert diary.before_undo(change).state == change.left
    back = diary.undo(change)
    assert diary.before_undo(back).state == back.left
    gone = diary.do("delete_event", event="full")
    assert gone.left == {"full": ""}
    assert diary.before_undo(gone).state == gone.left


# What moved since


def test_an_undo_sees_what_the_owner_changed_since(any_diary: Diary) -> None:
    diary = any_diary
    diary.full()
    change = diary.do("update_event", event="full", title="Supper")
    diary.retitles("Breakfast")
    found = diary.before_undo(change)
    assert found.state.keys() == change.left.keys()
    assert found.state != change.left
    assert found.before["title"] == "Breakfast"
    made = diary.do("create_event", title="Lunch", **DAY)
    uid = made.facts.args["uid"]
    event = diary.calendar.get(uid)
    diary.calendar.update(event.model_copy(update={"title": "Late lunch"}))
    assert diary.before_undo(made).state != made.left


def test_an_undo_sees_what_it_would_not_be_shown(any_diary: Diary) -> None:
    diary = any_diary
    diary.full()
    change = diary.do("update_event", event="full", title="Supper")
    diary.adds_a_note()
    assert diary.before_undo(change).state != change.left


def test_what_changes_while_an_undo_waits_is_not_put_over(any_diary: Diary) -> None:
    diary = any_diary
    diary.full()
    waits = diary.before_undo(diary.do("update_event", event="full", title="Supper"))
    diary.retitles("Breakfast")
    refused = diary.execute("restore_event", waits)
    assert refused.error is not None
    assert refused.error.type is ErrorType.STALE
    assert diary.calendar.get("full").title == "Breakfast"


def test_what_comes_back_while_an_undo_waits_is_not_put_over(any_diary: Diary) -> None:
    diary = any_diary
    diary.full()
    waits = diary.before_undo(diary.do("delete_event", event="full"))
    diary.full(FULL.replace(b"Dinner", b"Breakfast"))
    refused = diary.execute("restore_event", waits)
    assert refused.error is not None
    assert refused.error.type is ErrorType.ALREADY_EXISTS
    assert diary.calendar.get("full").title == "Breakfast"


def test_what_goes_while_an_undo_waits_does_not_come_back(any_diary: Diary) -> None:
    diary = any_diary
    diary.full()
    waits = diary.before_undo(diary.do("update_event", event="full", title="Supper"))
    diary.do("delete_event", event="full")
    refused = diary.execute("restore_event", waits)
    assert refused.error is not None
    assert refused.error.type is ErrorType.NOT_FOUND
    assert not diary.holds()


def test_an_undo_is_for_the_calendar_it_was_shown_for(diary: MemoryDiary) -> None:
    diary.full()
    waits = diary.before_undo(diary.do("delete_event", event="full"))
    elsewhere = waits.model_copy(update={"destination": "memory://other/ as owner"})
    refused = diary.execute("restore_event", elsewhere)
    assert refused.error is not None
    assert refused.error.type is ErrorType.STALE
    assert not diary.holds()


# A worker that was lost between the act and its record


@pytest.mark.parametrize("deleted", [True, False])
def test_what_was_put_back_and_not_recorded_is_found_by_asking(
    diary: MemoryDiary, *, deleted: bool
) -> None:
    raw = diary.full()
    change = {"tool": "delete_event"} if deleted else {"tool": "update_event", "title": "Supper"}
    waits = diary.before_undo(diary.do(**change, event="full"))
    assert diary.reconcile("restore_event", waits) is None
    diary.calendar.fail_next(Unsure(), happened=True)
    with pytest.raises(Unsure):
        diary.execute("restore_event", waits)
    found = diary.reconcile("restore_event", waits)
    assert found is not None
    assert found.after["state"] == {"full": diary.calendar.get("full").etag}
    assert diary.calendar.raw("full") == raw


@pytest.mark.parametrize("deleted", [True, False])
def test_what_was_not_put_back_is_put_back_by_the_next_attempt(
    diary: MemoryDiary, *, deleted: bool
) -> None:
    raw = diary.full()
    change = {"tool": "delete_event"} if deleted else {"tool": "update_event", "title": "Supper"}
    waits = diary.before_undo(diary.do(**change, event="full"))
    diary.calendar.fail_next(Unsure())
    with pytest.raises(Unsure):
        diary.execute("restore_event", waits)
    assert diary.reconcile("restore_event", waits) is None
    assert diary.execute("restore_event", waits).error is None
    assert diary.calendar.raw("full") == raw


def test_asking_finds_that_somebody_else_was_there(diary: MemoryDiary) -> None:
    diary.full()
    waits = diary.before_undo(diary.do("update_event", event="full", title="Supper"))
    diary.retitles("Breakfast")
    with pytest.raises(Stale):
        diary.reconcile("restore_event", waits)
    diary.calendar.remove("full")
    with pytest.raises(NotFound):
        diary.reconcile("restore_event", waits)


def test_what_looks_the_same_before_and_after_is_told_by_what_it_holds(
    diary: MemoryDiary,
) -> None:
    diary.full()
    change = diary.do("update_event", event="full", title="Supper")
    diary.undo(change)
    waits = diary.before_undo(change)
    assert waits.before["title"] == waits.args["title"]
    diary.adds_a_note()
    with pytest.raises(Stale):
        diary.reconcile("restore_event", waits)
    diary.calendar.put_object("full", diary.blobs.get(waits.args["blob"]))
    assert diary.reconcile("restore_event", waits) is not None


# What is kept


def test_every_attempt_of_a_call_keeps_what_it_finds_and_nothing_else_in_its_place(
    diary: MemoryDiary,
) -> None:
    raw = diary.full()
    context = diary.context()
    facts = diary.inspect("update_event", context, event="full", title="Supper")
    first = diary.inverse("update_event", facts, context)
    assert diary.inverse("update_event", facts, context) == first
    diary.adds_a_note()
    second = diary.inverse("update_event", facts, context)
    assert first is not None
    assert second is not None
    assert first.args["blob"] != second.args["blob"]
    assert diary.blobs.get(first.args["blob"]) == raw
    assert diary.blobs.get(second.args["blob"]) == diary.calendar.raw("full")
    assert all(context.call in name for name in diary.blobs.names())


def test_nothing_is_kept_of_what_is_gone_and_the_act_says_so(diary: MemoryDiary) -> None:
    diary.full()
    context = diary.context()
    facts = diary.inspect("update_event", context, event="full", title="Supper")
    diary.calendar.remove("full")
    assert diary.inverse("update_event", facts, context) is None
    refused = diary.execute("update_event", facts, context)
    assert refused.error is not None
    assert refused.error.type is ErrorType.NOT_FOUND
    assert list(diary.blobs.names()) == []


def test_what_is_kept_no_longer_or_no_longer_itself_is_not_put_back(diary: MemoryDiary) -> None:
    diary.full()
    gone = diary.do("delete_event", event="full")
    waits, name = diary.before_undo(gone), gone.inverse.args["blob"]
    kept = diary.blobs.get(name)
    for spoilt, kind in ((None, ErrorType.NOT_FOUND), (kept + b" ", ErrorType.UNREADABLE)):
        diary.blobs.delete(name)
        if spoilt:
            diary.blobs.put(name, spoilt)
        with pytest.raises(ToolFailure) as failure:
            diary.before_undo(gone)
        assert failure.value.type is kind
        refused = diary.execute("restore_event", waits)
        assert refused.error is not None
        assert refused.error.type is kind
    assert not diary.holds()


@pytest.mark.parametrize(
    "name",
    [
        "undo/other/57822d6a923edf2c/{}.ics",
        "files/owner/{}.ics",
        "undo/owner/{}.ics",
        "undo/owner/a/../other/{}.ics",
        "undo/owner/a/{}.ics/more",
        "",
    ],
)
def test_only_what_was_kept_for_an_undo_of_this_owner_is_put(diary: MemoryDiary, name: str) -> None:
    digest = "0" * 64
    event: dict[str, Any] = {"uid": "full", "title": "Dinner", **DAY}
    with pytest.raises(BadArguments, match="blob"):
        diary.inspect("restore_event", blob=name.format(digest), **event)


def test_what_was_kept_of_one_event_is_not_put_as_another(diary: MemoryDiary) -> None:
    diary.full()
    args = diary.do("delete_event", event="full").inverse.args
    refused = diary.execute("restore_event", diary.inspect("restore_event", **{**args, "uid": "b"}))
    assert refused.error is not None
    assert refused.error.type is ErrorType.VALIDATION
    assert not diary.holds("b")


def test_nobody_is_written_to_by_an_undo(fresh: Fresh) -> None:
    diary = memory_diary(fresh)
    diary.calendar.put_object("full", FULL)
    gone = diary.do("delete_event", event="full")
    diary.calendar.mails = True
    refused = diary.execute("restore_event", diary.before_undo(gone))
    assert refused.error is not None
    assert refused.error.type is ErrorType.PERMISSION_DENIED
    assert not diary.holds()
    diary.calendar.put_object("full", an_object(*PLAIN))
    diary.undo(diary.do("delete_event", event="full"))
    assert diary.holds()


@pytest.mark.parametrize(
    ("tool", "more"), [("update_event", {"title": "Supper"}), ("delete_event", {})]
)
def test_a_change_that_would_write_to_people_is_refused_before_a_card_is_shown(
    fresh: Fresh, tool: str, more: dict[str, Any]
) -> None:
    diary = memory_diary(fresh, mails=True)
    diary.calendar.put_object("full", FULL)
    with pytest.raises(Denied, match="change it in your own calendar program"):
        diary.inspect(tool, event="full", **more)
    diary.calendar.put_object("full", an_object(*PLAIN))
    facts = diary.inspect(tool, event="full", **more)
    diary.calendar.mails = False
    assert diary.execute(tool, facts).error is None


def test_an_undo_that_would_write_to_people_is_refused_before_a_card_is_shown(
    fresh: Fresh,
) -> None:
    diary = memory_diary(fresh)
    diary.calendar.put_object("full", FULL)
    done = diary.do("update_event", event="full", title="Supper")
    diary.calendar.mails = True
    with pytest.raises(Denied):
        diary.before_undo(done)


# What is declared


def test_an_undo_of_an_event_is_no_less_than_any_other_change_of_it(diary: MemoryDiary) -> None:
    diary.full()
    tool = diary.tools["restore_event"]
    over = diary.before_undo(diary.do("update_event", event="full", title="Supper"))
    anew = diary.before_undo(diary.do("delete_event", event="full"))
    for facts in (over, anew):
        assert (tool.risk(facts), tool.reach_of(facts)) == (Risk.HIGH, Reach.WRITES)
        assert tool.asks(facts)
        assert not facts.own
        assert tool.expires_at(facts) is None
        assert facts.locations == ("calendar:full",)
    assert (over.destructive, anew.destructive) == (True, False)


def test_an_effect_is_keyed_by_the_event_and_says_what_was_there(diary: MemoryDiary) -> None:
    diary.full()
    facts = diary.before_undo(diary.do("update_event", event="full", title="Supper"))
    change = diary.tools["restore_event"].change
    assert change is not None
    effect = change.effect(facts, "c1")
    assert (effect.call, effect.kind, effect.key) == ("c1", "calendar.restore", "full")
    assert effect.before["title"] == "Supper"


def test_a_card_shows_what_is_now_and_what_would_be(diary: MemoryDiary) -> None:
    diary.full()
    card = diary.tools["restore_event"].card
    assert card is not None
    over = diary.before_undo(diary.do("update_event", event="full", title="Supper", **NEXT))
    shown = {line.label: line.value for line in card(over, ZONE)}
    assert shown["Now"].startswith("“Supper”, ")
    assert shown["Then"].startswith("“Dinner”, ")
    assert shown["Made by"] == "you"
    assert shown["Calendar"] == diary.calendar.address()
    anew = diary.before_undo(diary.do("delete_event", event="full"))
    assert {line.label: line.value for line in card(anew, ZONE)}["Now"] == "nothing; it is deleted"


def test_an_event_that_is_over_can_still_be_put_back(diary: MemoryDiary) -> None:
    first = date(2020, 1, 1)
    when = When(start=first, end=first + timedelta(days=1))
    event = Event(uid="old", title="Long ago", when=when)
    diary.calendar.put(event)
    diary.undo(diary.do("delete_event", event="old"))
    assert diary.calendar.get("old").when == event.when


def test_a_title_that_is_too_long_to_show_is_put_back_whole(diary: MemoryDiary) -> None:
    title = "long " * 199 + "long"
    raw = diary.full(an_object(*PLAIN).replace(b"Dinner", title.encode()))
    diary.undo(diary.do("delete_event", event="full"))
    assert diary.calendar.raw("full") == raw


def test_every_calendar_tool_keeps_the_contract(diary: MemoryDiary) -> None:
    start = datetime(2026, 11, 30, 9, tzinfo=UTC)
    when = When(start=start, end=start + timedelta(hours=1))
    diary.calendar.put(Event(uid="rent", title="Pay the rent", when=when))
    every = diary.tools.list(internal=True)
    assert {tool.name: problems_of(tool, diary.context()) for tool in every} == {
        "create_event": [],
        "delete_event": [],
        "follow_invitation": [],
        "get_events_availability": [],
        "get_events_details": [],
        "restore_event": [],
        "update_event": [],
    }
    kept = diary.do("delete_event", event="rent").inverse.args
    assert not diary.inspect("restore_event", **kept).trouble


def test_no_model_is_offered_the_undo(diary: MemoryDiary) -> None:
    assert diary.tools.get("restore_event") is not None
    assert diary.tools.offered("restore_event") is None
    assert "restore_event" not in {schema.name for schema in diary.tools.schemas()}


def test_tools_that_can_keep_nothing_say_so(diary: MemoryDiary) -> None:
    tools = calendar_tools(calendar=diary.calendar, store=diary.bed.store)
    said = {tool.name: tool.irreversible for tool in tools if tool.irreversible}
    assert said.keys() == {"update_event", "delete_event"}
    assert not any(tool.undoable for tool in tools if tool.name in said)
