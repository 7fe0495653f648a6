"""The agenda on Discord: the week in words and as a picture, for its owner alone."""

import io
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import date, datetime, timedelta
from typing import NoReturn
from zoneinfo import ZoneInfo

import pytest
from PIL import Image

from assistant.adapters.pictures.png import MOST_BYTES, NotDrawn
from assistant.domain.calendar.copies.copied import KeptEvents
from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.week import Week
from assistant.domain.conversation.conversation import Want
from assistant.domain.errors import Unreachable
from tests.discord_sim import Answered, Stage, staged
from tests.discord_world import Discord, WorldParts, said
from tests.memory_calendar import unreadable_series
from tests.stores import Fresh
from tests.world import ZONE, World

MONDAY = datetime(2026, 11, 23, tzinfo=ZoneInfo(ZONE))
HOUR = timedelta(hours=1)
TEA = Want(
    tool="create_event",
    args={
        "title": "Tea",
        "start": "2026-11-25T15:00:00+01:00",
        "end": "2026-11-25T16:00:00+01:00",
    },
)


@pytest.fixture
def stage(fresh: Fresh) -> Iterator[Stage]:
    with ExitStack() as stack:
        yield stack.enter_context(staged(fresh()))


def put(world: World, uid: str, title: str, start: float, hours: float = 1) -> None:
    begins = MONDAY + start * HOUR
    when = When(start=begins, end=begins + hours * HOUR)
    world.calendar.put(Event(uid=uid, title=title, when=when))


def fill(world: World) -> None:
    put(world, "old", "Gone by", -40)
    put(world, "dentist", "Dentist", 24 + 9)
    put(world, "night", "Night train", 48 + 22, 8)
    trip = When(start=date(2026, 11, 28), end=date(2026, 12, 1))
    world.calendar.put(Event(uid="trip", title="Trip", when=trip))
    world.asks(TEA)
    when = {"event": "dentist", "start": "2026-11-26T09:00:00+01:00"}
    world.asks(
        Want(tool="update_event", args=when), Want(tool="delete_event", args={"event": "night"})
    )


def picture(answer: Answered) -> tuple[str, str]:
    """The name and the alternative text of the one picture."""
    [file] = answer.seen.message.attachments
    return file.filename, file.description or ""


def test_the_week_is_told_in_words_and_shown_as_a_picture(stage: Stage) -> None:
    fill(stage.world)
    answer = stage.slash("agenda")
    assert answer.private
    assert answer.text.splitlines()[:15] == [
        "Week of 23–29 Nov 2026",
        "Mon 23 Nov: free",
        "Tue 24 Nov",
        "- 09:00–10:00 Dentist",
        "Wed 25 Nov",
        "- 15:00–16:00 Tea (proposed)",
        "- from 22:00 Delete: Night train (proposed)",
        "- from 22:00 Night train",
        "Thu 26 Nov",
        "- until 06:00 Delete: Night train (proposed)",
        "- until 06:00 Night train",
        "- 09:00–10:00 Move: Dentist (proposed)",
        "Fri 27 Nov: free",
        "Sat 28 Nov",
        "- all day Trip",
    ]
    assert "A1, A3, A2 wait for your answer: /pending" in answer.text.replace("`", "")
    name, alt = picture(answer)
    assert name == "week-2026-11-23.png"
    assert alt.startswith("Week of 23–29 Nov 2026: Monday free, Tuesday 1 event, ")
    assert "Proposed: Wednesday 15:00–16:00, Tea; " in alt
    [file] = answer.seen.message.attachments
    drawn = Image.open(io.BytesIO(stage.runs(file.read())))
    assert (drawn.format, drawn.width) == ("PNG", 800)


def test_a_series_that_cannot_be_read_stands_below_with_the_reason(stage: Stage) -> None:
    world = stage.world
    first = MONDAY + 9 * HOUR
    world.calendar.put_object("often", unreadable_series("often", "Often", first))
    put(world, "dentist", "Dentist", 24 + 9)
    answer = stage.slash("agenda")
    lines = answer.text.splitlines()
    assert lines[:4] == [
        "Week of 23–29 Nov 2026",
        "Mon 23 Nov: free",
        "Tue 24 Nov",
        "- 09:00–10:00 Dentist",
    ]
    said = "Not shown: “Often”, first on Mon 23 Nov 2026, 09:00 to 10:00 (Europe/Berlin): "
    assert f"{said}it repeats hourly, and at most daily is read" in lines
    _, alt = picture(answer)
    assert "1 series not shown." in alt


def test_the_week_is_told_as_of_when_it_is(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    calendar = stage.world.calendar
    put(stage.world, "dentist", "Dentist", 24 + 9)
    found = calendar.between(When(start=MONDAY, end=MONDAY + 168 * HOUR))
    as_of = stage.world.clock.now() - HOUR
    kept = KeptEvents(found, as_of=as_of, why="the calendar does not answer")
    monkeypatch.setattr(calendar, "between", lambda _when: kept)
    answer = stage.slash("agenda")
    assert "- 09:00–10:00 Dentist" in answer.text
    said = f"As of {as_of.astimezone(MONDAY.tzinfo):%H:%M}; the calendar does not answer."
    assert said in answer.text.splitlines()
    _, alt = picture(answer)
    assert f"As of {as_of.astimezone(MONDAY.tzinfo):%H:%M}." in alt


def test_a_card_is_shown_from_the_agenda(stage: Stage) -> None:
    fill(stage.world)
    answer = stage.slash("agenda", when="wednesday")
    tea, train = answer.seen.choices
    assert tea.startswith("A1: Create “Tea”")
    assert train.startswith("A3: Delete “Night train”")
    shown = stage.chooses(tea, answer)
    assert "Approve" in shown.buttons


def test_among_others_only_its_owner_sees_it(stage: Stage) -> None:
    fill(stage.world)
    answer = stage.slash("agenda", place=stage.room, when="tomorrow")
    assert answer.private
    assert "Dentist" in answer.text
    assert all("Dentist" not in seen.text for seen in stage.reads(stage.room))
    assert "Dentist" not in stage.slash("agenda", who=stage.mallory).text


@pytest.fixture
def world(fresh: Fresh) -> World:
    return World(fresh())


@pytest.fixture
def words(world: World, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """What the agenda of a time says, where no picture can be drawn."""

    def not_drawn(_parts: WorldParts, _week: Week) -> NoReturn:
        raise NotDrawn

    monkeypatch.setattr(WorldParts, "draw_week", not_drawn)
    discord = Discord(world)
    return lambda when: said(discord.slash("agenda", **({"when": when} if when else {})))


def test_only_the_days_that_were_asked_for_are_told(
    world: World, words: Callable[[str], str]
) -> None:
    fill(world)
    told = words("tomorrow").splitlines()
    assert told[:2] == ["Tue 24 Nov 2026", "- 09:00–10:00 Dentist"]
    assert told[-1] == "There is no picture of it: The picture could not be drawn."
    assert words("next week").splitlines()[:2] == ["Week of 30 Nov–6 Dec 2026", "Mon 30 Nov"]
    assert "- all day Trip" in words("29 November to 3 December")


def test_days_that_are_over_are_left_out_of_this_week(
    world: World, words: Callable[[str], str]
) -> None:
    fill(world)
    world.clock.passes(days=2)
    assert words("").splitlines()[:2] == ["25–29 Nov 2026", "Wed 25 Nov"]
    assert words("this week").splitlines()[:2] == ["Week of 23–29 Nov 2026", "Mon 23 Nov: free"]


def test_of_many_days_only_those_with_events_are_told(
    world: World, words: Callable[[str], str]
) -> None:
    fill(world)
    told = words("23 November to 20 December")
    assert "free" not in told.replace("On all other days you are free.", "")
    assert "On all other days you are free." in told
    assert "- all day Trip" in told


@pytest.mark.parametrize(
    ("when", "why"),
    [
        ("mimsy", "I do not understand when 'mimsy' is; try: /agenda next week"),
        ("1 December to 20 March", "ask for 100 days at the most"),
    ],
)
def test_a_time_that_is_none_says_what_to_type(
    words: Callable[[str], str], when: str, why: str
) -> None:
    assert why in words(when)


def test_strangers_words_in_titles_stay_words(world: World, words: Callable[[str], str]) -> None:
    put(world, "evil", "@everyone\n- 10:00 **Approve** <script>\u202e [x](http://e.example)", 33)
    [line] = [line for line in words("tomorrow").splitlines() if "everyone" in line]
    assert line.startswith("- 09:00–10:00 @")
    assert "\u202e" not in line


def test_a_calendar_that_does_not_answer_is_said(world: World, words: Callable[[str], str]) -> None:
    world.calendar.fail_next_read(Unreachable("the calendar"))
    assert "the calendar" in words("")


def test_a_full_week_is_told_in_a_file_beside_the_picture(world: World) -> None:
    for n in range(7 * 14):
        put(world, f"e{n}", f"Meeting {n} about {'many ' * 12}things", n // 14 * 24 + 7 + n % 14)
    reply = Discord(world).slash("agenda")
    assert reply.message is not None
    files = dict(reply.message.files)
    assert list(files) == ["details.txt", "week-2026-11-23.png"]
    lines = files["details.txt"].decode()
    assert "Meeting 97" not in lines, "a day tells twelve"
    assert lines.count("- and 2 more") == 7
    assert len(files["week-2026-11-23.png"]) <= MOST_BYTES
    assert list(reply.message.alt) == ["week-2026-11-23.png"]


def test_no_title_is_kept(world: World) -> None:
    put(world, "dentist", "Dentist", 33)
    Discord(world).slash("agenda")
    with world.store.read(world.cause) as tx:
        kept = [one.model_dump_json() for one in tx.deliveries(channel="discord")]
        audit = [one.model_dump_json() for one in tx.audit()]
    assert "Dentist" not in str(kept) + str(audit)
    assert "Dentist" not in str(world.blobs.__dict__)
