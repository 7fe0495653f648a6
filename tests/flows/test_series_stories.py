"""A series is made, changed by occurrence, from one on or as a whole, and put back as it was."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.recurrence import Frequency, Recurrence
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import Shown
from assistant.domain.errors import Unsure
from assistant.domain.policy.decide import WORD
from assistant.domain.time.moments import begins
from assistant.flows.render.cards import in_short
from assistant.flows.render.ledger import why_refused
from tests.flows.test_glance import fits
from tests.memory_calendar import MemoryCalendar, unreadable_series
from tests.stores import sqlite_stores
from tests.world import ZONE, Weather, World

TUESDAY = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
"""10:00 in Berlin, on the day after the world begins."""
UNTIL = datetime(2027, 3, 31, tzinfo=UTC).date()
WEEKLY = Recurrence(frequency=Frequency.WEEKLY, until=UNTIL)
TIMES = 19
ON = "2026-12-01"
NEXT = When(
    start=datetime(2026, 12, 1, 9, 0, tzinfo=UTC), end=datetime(2026, 12, 1, 9, 15, tzinfo=UTC)
)


@pytest.fixture(params=["once", "twice"])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    with sqlite_stores() as make:
        weather = Weather(deliveries=2 if request.param == "twice" else 1)
        yield World(make, weather=weather, calendar=MemoryCalendar(zone=ZONE))


def standup(world: World, **changes: Any) -> Event:
    event = Event(
        uid="standup",
        title="Standup",
        when=When(start=TUESDAY, end=TUESDAY + timedelta(minutes=15)),
        recurrence=WEEKLY,
        **changes,
    )
    return world.calendar.put(event)


def want(tool: str, **args: Any) -> Want:
    return Want(tool=tool, args={"event": "Standup", **args})


def rows(card: Shown) -> list[str]:
    return [" ".join(filter(None, (row.name, row.was, row.text))) for row in card.rows]


def starts(world: World, days: int = 200) -> list[str]:
    when = When(start=TUESDAY - timedelta(days=2), end=TUESDAY + timedelta(days=days))
    found = world.calendar.between(when)
    return [f"{event.title} {begins(event.when, ZONE):%m-%d %H:%M}" for event in found]


def approve(world: World, handle: str = "A1", **how: Any) -> None:
    world.model.will(Turn(text="Done."))
    assert world.presses(Verb.APPROVE, handle, **how).accepted
    assert world.call(handle).state is CallState.DONE, world.call(handle).result


# Made


def test_a_series_is_made_and_its_card_says_how_it_repeats(world: World) -> None:
    repeats = {"frequency": "weekly", "until": "2027-03-31"}
    args = {"title": "Standup", "start": "2026-11-24T09:00:00+01:00", "repeats": repeats}
    world.asks(Want(tool="create_event", args=args))
    assert rows(world.card("A1")) == [
        "Tue 24 Nov, 09:00–10:00",
        "every Tuesday until 31 March 2027, 19 times",
    ]
    fits(world.card("A1"))
    approve(world)
    assert len(starts(world)) == TIMES
    world.undoes("A1")
    assert starts(world) == []


@pytest.mark.parametrize(
    ("repeats", "why"),
    [
        ({"frequency": "weekly", "weekdays": ["friday"]}, "is not one of its days"),
        ({"frequency": "secondly"}, "frequency"),
        ({"frequency": "daily", "count": 3, "until": "2027-01-01"}, "not both"),
        ({"frequency": "monthly", "nth": 2}, "which weekday"),
    ],
)
def test_what_cannot_repeat_so_is_refused_with_words(
    world: World, repeats: dict[str, Any], why: str
) -> None:
    args = {"title": "Standup", "start": "2026-11-24T09:00:00+01:00", "repeats": repeats}
    world.asks(Want(tool="create_event", args=args))
    assert world.call().state is CallState.REFUSED
    assert why in world.call().result


def test_days_may_be_written_short(world: World) -> None:
    repeats = {"frequency": "weekly", "weekdays": ["TU", "Thu"], "count": 4}
    args = {"title": "Standup", "start": "2026-11-24T09:00:00+01:00", "repeats": repeats}
    world.asks(Want(tool="create_event", args=args))
    assert rows(world.card("A1"))[1] == "every Tuesday and Thursday, 4 times"


# Which of them


@pytest.mark.parametrize("tool", ["update_event", "delete_event"])
def test_without_a_scope_nothing_is_changed_and_the_words_say_which_there_are(
    world: World, tool: str
) -> None:
    standup(world)
    new = {"title": "Sync"} if tool == "update_event" else {}
    world.asks(want(tool, on=ON, **new))
    assert world.call().state is CallState.REFUSED
    assert all(f"'{scope}'" in world.call().result for scope in ("this", "this and following"))
    said = "Say how much of the series: only this one, this and following, or all"
    assert (why_refused(world.call()), world.call().told) == (said, said)
    shown = [f"{one.text} {one.small} {one.fields}" for one in world.wall.shown.values()]
    assert not any("`scope`" in text for text in shown)


def test_without_a_day_one_of_them_is_not_guessed(world: World) -> None:
    standup(world)
    world.asks(want("delete_event", scope="this"))
    assert world.call().state is CallState.REFUSED
    assert why_refused(world.call()) == "It repeats: say the day of the one that you mean"
    world.asks(want("update_event", scope="all", start="2026-12-01T11:00:00+01:00"))
    assert world.call("A2").state is CallState.REFUSED


def test_a_day_without_it_is_told(world: World) -> None:
    standup(world)
    world.asks(want("delete_event", event="standup", on="2026-12-02", scope="this"))
    assert "does not take place on 2026-12-02" in world.call().result


@pytest.mark.parametrize(
    ("scope", "said", "left"),
    [
        ("this", "Only Tue 1 Dec 10:00", TIMES - 1),
        ("this and following", "Tue 1 Dec 10:00 and the 17 after it", 1),
        ("all", "All 19, from Tue 24 Nov, every Tuesday until 31 March 2027", 0),
    ],
)
def test_some_are_deleted_and_come_back_whole(
    world: World, scope: str, said: str, left: int
) -> None:
    standup(world)
    before = starts(world)
    whole = world.calendar.raw("standup")
    world.asks(want("delete_event", on=ON, scope=scope))
    card = world.card("A1")
    assert card.title == "Delete “Standup”"
    assert rows(card)[0] == said
    fits(card)
    approve(world, word=WORD)
    assert len(starts(world)) == left
    assert "Standup 12-01 09:00" not in starts(world)
    world.undoes("A1")
    [undo] = [call for call in world_calls(world) if call.undoes]
    assert undo.state is CallState.DONE, undo.result
    assert starts(world) == before
    assert world.calendar.raw("standup") == whole


def world_calls(world: World) -> list[Any]:
    with world.store.read(world.cause) as tx:
        return list(tx.calls())


@pytest.mark.parametrize(
    ("scope", "moved"), [("this", 1), ("this and following", TIMES - 1), ("all", TIMES)]
)
def test_some_are_moved_and_put_back(world: World, scope: str, moved: int) -> None:
    standup(world)
    before = starts(world)
    start = "2026-12-01T12:00:00+01:00"
    world.asks(want("update_event", on=ON, scope=scope, start=start))
    card = world.card("A1")
    assert card.title == "Move “Standup”"
    assert rows(card)[1] == "Tue 1 Dec 10:00 Tue 1 Dec 12:00"
    fits(card)
    approve(world)
    assert len(starts(world)) == TIMES
    assert sum(one.endswith(("11:00", "10:00")) for one in starts(world)) == moved
    assert "Standup 12-01 11:00" in starts(world)
    world.undoes("A1")
    assert starts(world) == before


def last_undo(world: World) -> Any:
    return max((call for call in world_calls(world) if call.undoes), key=lambda call: call.number)


def takes_back(world: World, handle: str) -> None:
    [undoing] = world.undoes(handle)
    assert undoing.accepted, undoing.text
    assert last_undo(world).state is CallState.DONE, last_undo(world).result
    assert world.call(handle).state is CallState.UNDONE


@pytest.mark.parametrize("half", ["2026-11-24", "2026-12-08"])
@pytest.mark.parametrize(
    ("tool", "scope", "new"),
    [
        ("delete_event", "all", {}),
        ("delete_event", "this", {}),
        ("update_event", "all", {"title": "Sync"}),
    ],
)
def test_all_is_taken_back_in_reverse_order_across_a_cut(
    world: World, tool: str, scope: str, half: str, new: dict[str, Any]
) -> None:
    args = {
        "title": "Standup",
        "start": "2026-11-24T10:00:00+01:00",
        "repeats": {"frequency": "weekly", "count": 5},
    }
    world.asks(Want(tool="create_event", args=args))
    approve(world)
    made = starts(world)
    world.asks(want("update_event", on="2026-11-24", scope="this", title="Demo"))
    approve(world, "A2")
    one = starts(world)
    start = "2026-12-08T12:00:00+01:00"
    world.asks(want("update_event", on="2026-12-08", scope="this and following", start=start))
    approve(world, "A3")
    cut = starts(world)
    name = "Demo" if half == "2026-11-24" else "Standup"
    world.asks(want(tool, event=name, on=half, scope=scope, **new))
    approve(world, "A4", word=WORD)
    assert starts(world) != cut
    for handle, left in (("A4", cut), ("A3", one), ("A2", made), ("A1", [])):
        takes_back(world, handle)
        assert starts(world) == left


def test_what_joins_a_cut_series_does_not_offer_to_be_undone(world: World) -> None:
    standup(world)
    world.asks(want("update_event", on=ON, scope="this and following", title="Sync"))
    approve(world)
    assert Verb.UNDO in [action.verb for action in world.card("A1").actions]
    takes_back(world, "A1")
    undo = last_undo(world)
    receipt = f"owner:receipt-{undo.id}"
    assert [action.verb for action in world.wall.shown[receipt].actions] == [Verb.MORE]
    assert world.told(undo.handle)["Can be undone"] == "no"
    assert "not cut again" in world.told(undo.handle)["Why not"]
    [again] = world.undoes(undo.handle)
    assert again.text == f"{undo.handle} changed nothing that can be undone."


def test_the_time_of_one_is_not_held_against_that_of_the_first(world: World) -> None:
    standup(world)
    start = "2026-12-01T12:00:00+01:00"
    world.asks(want("update_event", on=ON, scope="this", start=start))
    approve(world)
    standup(world)
    [undoing] = world.undoes("A1")
    assert undoing.text == "A1 is not undone; something else about it was changed."


@pytest.mark.parametrize(
    ("on", "scope", "said"),
    [
        ("2026-11-24", "all", ["18 more from Tue 1 Dec are another series since it was cut"]),
        (
            "2026-11-24",
            "this and following",
            ["18 more from Tue 1 Dec are another series since it was cut"],
        ),
        ("2026-11-24", "this", []),
        (ON, "all", ["1 more before Tue 1 Dec is another series since it was cut"]),
        ("2026-12-08", "this and following", []),
    ],
)
def test_a_change_of_a_part_says_that_there_is_another(
    world: World, on: str, scope: str, said: list[str]
) -> None:
    standup(world)
    start = "2026-12-01T12:00:00+01:00"
    world.asks(want("update_event", on=ON, scope="this and following", start=start))
    assert not [row for row in rows(world.card("A1")) if "another series" in row]
    approve(world)
    world.asks(want("delete_event", on=on, scope=scope))
    card = world.card("A2")
    assert [row for row in rows(card) if "another series" in row] == said
    fits(card)
    world.presses(Verb.DENY, "A2")
    takes_back(world, "A1")
    world.asks(want("delete_event", on=on, scope=scope))
    [newest, *_] = world_calls(world)
    assert not [row for row in rows(world.card(newest.handle)) if "another series" in row]


def test_a_part_that_is_gone_is_not_told_of(world: World) -> None:
    standup(world)
    world.asks(want("update_event", on=ON, scope="this and following", title="Sync"))
    approve(world)
    world.calendar.remove(f"assistant-{world.call('A1').id}")
    world.asks(want("delete_event", scope="all"))
    assert not [row for row in rows(world.card("A2")) if "another series" in row]


def test_what_is_lost_is_said(world: World) -> None:
    standup(world)
    world.asks(want("update_event", on=ON, scope="this", title="Demo"))
    approve(world)
    repeats = {"frequency": "weekly", "interval": 2}
    world.asks(want("update_event", on="2026-11-24", scope="all", repeats=repeats))
    assert "1 changed one loses its change" in rows(world.card("A2"))
    assert any(row.startswith("Then every 2 weeks") for row in rows(world.card("A2")))


def test_the_whole_of_the_owners_series_takes_a_typed_word(world: World) -> None:
    standup(world)
    world.asks(want("delete_event", scope="all"))
    assert not world.presses(Verb.APPROVE).accepted
    assert world.calendar.writes == 0
    assert world.presses(Verb.APPROVE, word=WORD).accepted


def test_one_of_them_is_one_press(world: World) -> None:
    standup(world)
    world.asks(want("delete_event", on=ON, scope="this"))
    labels = [action.label for action in world.card("A1").actions]
    assert "Delete this one" in labels
    assert world.presses(Verb.APPROVE).accepted


def test_a_single_event_begins_to_repeat(world: World) -> None:
    world.calendar.put(Event(uid="tea", title="Tea", when=NEXT))
    repeats = {"frequency": "monthly", "count": 3}
    world.asks(Want(tool="update_event", args={"event": "Tea", "repeats": repeats}))
    assert "Then every month on the 1st, 3 times" in rows(world.card("A1"))
    approve(world)
    assert len(starts(world)) == 3
    world.undoes("A1")
    assert starts(world) == ["Tea 12-01 09:00"]


def test_a_list_says_in_short_that_it_repeats(world: World) -> None:
    repeats = {"frequency": "weekly", "count": 14}
    args = {"title": "Standup", "start": "2026-11-24T09:00:00+01:00", "repeats": repeats}
    world.asks(Want(tool="create_event", args=args))
    said = in_short(world.card("A1"))
    assert said == "Create “Standup”, Tue 24 Nov, 09:00–10:00, every Tuesday, 14 times"
    approve(world)
    start = "2026-11-24T11:30:00+01:00"
    world.asks(want("update_event", on="2026-11-24", scope="all", start=start))
    said = in_short(world.card("A2"))
    assert said.startswith("Move “Standup”, All 14, from Tue 24 Nov")
    assert said.endswith("Tue 24 Nov 09:00 → Tue 24 Nov 11:30")


# Lost answers, and what changed meanwhile


@pytest.mark.parametrize("scope", ["this", "this and following", "all"])
@pytest.mark.parametrize("tool", ["update_event", "delete_event"])
@pytest.mark.parametrize("happened", [True, False])
def test_a_lost_answer_is_reconciled(
    world: World, tool: str, scope: str, *, happened: bool
) -> None:
    standup(world)
    new = {"title": "Sync"} if tool == "update_event" else {}
    world.asks(want(tool, on=ON, scope=scope, **new))
    world.calendar.fail_next(Unsure("no answer"), happened=happened)
    world.model.will(Turn(text="Done."))
    world.presses(Verb.APPROVE, word=WORD)
    for _ in range(4):
        world.clock.passes(minutes=1)
        world.settle()
    assert world.call().state is CallState.DONE, world.call().result
    gone = {"this": 1, "this and following": TIMES - 1, "all": TIMES}[scope]
    if tool == "delete_event":
        assert len(starts(world)) == TIMES - gone
    else:
        assert sum(one.startswith("Sync") for one in starts(world)) == gone
        assert len(starts(world)) == TIMES


def test_a_cut_that_was_lost_halfway_is_finished_once(world: World) -> None:
    standup(world)
    world.asks(want("update_event", on=ON, scope="this and following", title="Sync"))
    world.calendar.fail_halfway(Unsure("no answer"))
    world.model.will(Turn(text="Done."))
    world.presses(Verb.APPROVE)
    for _ in range(4):
        world.clock.passes(minutes=1)
        world.settle()
    assert world.call().state is CallState.DONE, world.call().result
    assert len(starts(world)) == TIMES


def changed_by_hand(**changes: Any) -> Any:
    def change(world: World) -> None:
        event = Event(
            uid="standup",
            title="Standup",
            when=When(start=TUESDAY, end=TUESDAY + timedelta(minutes=15)),
            recurrence=WEEKLY,
        )
        world.calendar.put(event.model_copy(update=changes))

    return change


def excepted(world: World) -> None:
    """The owner's program takes one occurrence out."""
    raw = world.calendar.raw("standup").decode()
    out = "EXDATE;TZID=Europe/Berlin:20261208T100000\r\nEND:VEVENT"
    world.calendar.put_object("standup", raw.replace("END:VEVENT", out).encode())


def gone(world: World) -> None:
    world.calendar.remove("standup")


LONG = When(start=TUESDAY, end=TUESDAY + timedelta(minutes=45))
EARLY = When(start=TUESDAY - timedelta(hours=1), end=TUESDAY)
DAYS = When(start=TUESDAY.date(), end=TUESDAY.date() + timedelta(days=1))
FORTNIGHTLY = Recurrence(frequency=Frequency.WEEKLY, interval=2)
MEANWHILE = {
    "title": changed_by_hand(title="Retro"),
    "begin": changed_by_hand(when=EARLY),
    "end": changed_by_hand(when=LONG),
    "all day": changed_by_hand(when=DAYS),
    "rule": changed_by_hand(recurrence=FORTNIGHTLY),
    "exception": excepted,
    "deleted": gone,
    "same content, other version": changed_by_hand(),
}


@pytest.mark.parametrize("scope", ["this", "this and following", "all"])
@pytest.mark.parametrize("tool", ["update_event", "delete_event"])
@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_nothing_stale_runs_and_each_ends_with_words(meanwhile: str, tool: str, scope: str) -> None:
    with sqlite_stores() as make:
        world = World(make, calendar=MemoryCalendar(zone=ZONE))
        standup(world)
        new = {"title": "Sync"} if tool == "update_event" else {}
        world.asks(want(tool, on=ON, scope=scope, **new))
        MEANWHILE[meanwhile](world)
        before = starts(world)
        world.model.will(Turn(text="So."))
        world.presses(Verb.APPROVE, word=WORD)
        assert world.call().state is CallState.FAILED
        assert starts(world) == before
        assert world.calendar.writes == 0
        assert world.card("A1").text


def test_a_series_that_cannot_be_read_is_not_changed_by_its_first_time(world: World) -> None:
    world.calendar.put_object("standup", unreadable_series("standup", "Standup", TUESDAY))
    world.asks(want("delete_event", on=ON, scope="this"))
    assert world.call().state is CallState.REFUSED
    assert "its times cannot be read, it repeats hourly" in world.call().result
