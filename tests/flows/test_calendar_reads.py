"""What the model reads of the calendar: times at once, titles of ours at once, others' by a yes."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.recurrence import Frequency, Recurrence
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from assistant.tools.calendar.reads import MOST_ROWS
from tests.memory_calendar import unreadable_series
from tests.world import ZONE, World

_S = CallState
MONDAY = datetime(2026, 11, 30, tzinfo=ZoneInfo(ZONE))
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WEEK = {"start": MONDAY.isoformat(), "end": (MONDAY + 7 * DAY).isoformat()}
UNREAD = "1 series could not be read in full, so this may not be all."
LOOK = Want(tool="get_events_details", args=WEEK)


def at(start: float, hours: float) -> When:
    return When(start=MONDAY + start * HOUR, end=MONDAY + (start + hours) * HOUR)


def books(world: World, title: str, start: float) -> str:
    """An event that the assistant makes; its uid."""
    when = at(start, 1)
    args = {"title": title, "start": when.start.isoformat(), "end": when.end.isoformat()}
    world.asks(Want(tool="create_event", args=args))
    handle = f"A{world.call().number}"
    world.presses(Verb.APPROVE, handle)
    return str(world.call(handle).facts.args["uid"])


def fill(world: World) -> None:
    """Events of the owner's own, of every kind."""
    put = world.calendar.put
    put(Event(uid="dentist", title="Dentist", when=at(9, 1)))
    put(Event(uid="night", title="Night train", when=at(-2, 8)))
    put(Event(uid="trip", title="Trip", when=When(start=date(2026, 11, 28), end=date(2026, 12, 2))))
    other_days = Recurrence(frequency=Frequency.DAILY, interval=2, count=3)
    put(Event(uid="lunch", title="Lunch club", when=at(-12, 1), recurrence=other_days))
    put(Event(uid="before", title="Long gone", when=at(-30, 1)))
    put(Event(uid="after", title="Much later", when=at(8 * 24, 1)))


def test_a_mixed_range_tells_ours_at_once_and_asks_about_the_rest(world: World) -> None:
    ours = books(world, "Pay the rent", 34)
    fill(world)
    world.asks(LOOK, then="Here is what I may say.")
    own, theirs = world.call("A2"), world.call("A3")
    assert (own.state, theirs.state) == (_S.DONE, _S.PARKED)
    assert (own.risk, theirs.risk) == ("low", "high")
    assert own.turn == theirs.turn
    assert own.facts.args["uids"] == [ours]
    assert theirs.facts.args["uids"] == ["dentist", "lunch", "night", "trip"]
    assert world.words()[-1] == "Here is what I may say.", "it is answered before the yes"
    seen = str([view.model_dump() for view in world.model.views])
    assert "Pay the rent" in own.result
    for title in ("Dentist", "Night train", "Trip", "Lunch club"):
        assert title not in seen
        assert title in world.told("A3")["Events"]
    assert world.told("A3")["Events"].startswith("4 that you made yourself\n")


def test_what_was_said_yes_to_is_read_and_nothing_that_came_since(world: World) -> None:
    fill(world)
    world.asks(LOOK)
    world.calendar.put(Event(uid="new", title="Surprise party", when=at(20, 2)))
    world.presses(Verb.APPROVE)
    lines = [line for line in world.call("A1").result.splitlines() if "uid " in line]
    assert [line.partition(": ")[2] for line in lines] == [
        "Trip (uid trip)",
        "Night train (uid night)",
        "Dentist (uid dentist)",
        "Lunch club (uid lunch)",
        "Lunch club (uid lunch)",
    ]
    assert "Sat 28 Nov 2026 to Tue 1 Dec 2026, all day" in lines[0]
    assert "Sun 29 Nov 2026, 22:00 to Mon 30 Nov 2026, 06:00" in lines[1]
    assert "Surprise" not in world.call("A1").result


def test_people_and_notes_are_never_read(world: World) -> None:
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//x//EN",
        "BEGIN:VEVENT",
        "UID:notes",
        "DTSTAMP:20261101T000000Z",
        "DTSTART:20261201T080000Z",
        "DTEND:20261201T090000Z",
        "SUMMARY:Review",
        "DESCRIPTION:hidden-notes",
        "LOCATION:hidden-place",
        "COMMENT:hidden-comment",
        "ORGANIZER;CN=hidden-name:mailto:hidden-boss@example.org",
        "ATTENDEE;CN=hidden-guest:mailto:hidden-guest@example.org",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    )
    world.calendar.put_object("notes", "\r\n".join(lines).encode())
    world.asks(LOOK)
    world.presses(Verb.APPROVE)
    call = world.call("A1")
    assert "Review" in call.result
    shown = call.model_dump_json() + str(world.told("A1"))
    assert "hidden" not in shown + str([view.model_dump() for view in world.model.views])


def test_more_events_than_are_read_at_once_are_counted_and_said(world: World) -> None:
    for n in range(MOST_ROWS + 30):
        world.calendar.put(Event(uid=f"e{n:03}", title=f"Event {n}", when=at(n / 2, 0.25)))
    world.asks(LOOK)
    beyond = "30 more events are not listed: ask for what is on from Fri 4 Dec 2026, 04:00"
    assert beyond in world.told("A1")["Events"]
    assert len(world.call("A1").facts.args["uids"]) == MOST_ROWS
    world.presses(Verb.APPROVE)
    call = world.call("A1")
    assert beyond in call.told
    assert f"Event {MOST_ROWS}" not in call.result


def test_a_longer_range_is_refused_in_words(world: World) -> None:
    far = {"start": MONDAY.isoformat(), "end": (MONDAY + 101 * DAY).isoformat()}
    world.asks(Want(tool="get_events_details", args=far))
    assert world.call("A1").state is _S.REFUSED
    assert "ask for 100 days at the most" in str(world.model.views[-1].model_dump())


def test_a_series_that_cannot_be_read_is_named_without_a_time(world: World) -> None:
    first = MONDAY - 3 * DAY
    world.calendar.put_object("often", unreadable_series("often", "Often", first))
    world.calendar.put(Event(uid="dentist", title="Dentist", when=at(9, 1)))
    world.asks(LOOK)
    world.presses(Verb.APPROVE, "A1")
    call = world.call("A1")
    said = "- Often (uid often): not known when, first on Fri 27 Nov 2026, 00:00 to 01:00"
    assert said in call.result
    assert "it repeats hourly" in call.result
    assert call.result.splitlines()[-1] == UNREAD
    assert call.told == f"2 events shown. {UNREAD}"
