"""The picture of a week shows what is taken and proposed, whatever strangers call their events."""

import io
import json
from datetime import UTC, date, datetime, timedelta
from resource import RUSAGE_CHILDREN, getrusage
from threading import Thread
from time import sleep, thread_time
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFont

from assistant.adapters.pictures.lettering import (
    FONT_FILES,
    FONTS,
    NOT_DRAWN,
    drawable,
    fits,
    fitted,
)
from assistant.adapters.pictures.png import MOST_BYTES, NotDrawn, png, week_picture
from assistant.adapters.pictures.week_drawing import drawing
from assistant.domain.calendar.events import When
from assistant.domain.calendar.week import Block, BlockKind, Week, week_of

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = date(2026, 11, 23)
NOW = datetime(2026, 11, 25, 13, 20, tzinfo=BERLIN)
TAGS = {"svg", "defs", "pattern", "rect", "line", "circle", "text", "g", "clipPath", "path"}
GREY, BLUE, WHITE, RED = (221, 226, 232), (207, 226, 255), (255, 255, 255), (209, 36, 47)
HATCH = {(255, 244, 224), (255, 215, 154)}


def block(day: int, hour: float, hours: float, title: str = "", kind: str = "busy") -> Block:
    start = datetime(2026, 11, day, tzinfo=BERLIN) + timedelta(hours=hour)
    when = When(start=start, end=start + timedelta(hours=hours))
    return Block(when=when, title=title, kind=BlockKind(kind))


def week(*blocks: Block, now: datetime | None = NOW, day: date = MONDAY) -> Week:
    return week_of(day, blocks, zone="Europe/Berlin", now=now)


def image(shown: Week) -> Image.Image:
    return Image.open(io.BytesIO(week_picture(shown))).convert("RGB")


def place(day: int, hour: float) -> tuple[int, int]:
    """The right of a day's column at an hour, where hours begin at 8 and no event is all day."""
    return round(38 + (day + 0.8) * 108), round(58 + 56 + (hour - 8) * 60)


def elements(shown: Week) -> list[ET.Element]:
    return list(ET.fromstring(drawing(shown)).iter())  # noqa: S314  # ours, and what is tested


def tags(shown: Week) -> set[str]:
    return {one.tag.rpartition("}")[2] for one in elements(shown)}


def texts(shown: Week) -> list[str]:
    return [one.text or "" for one in elements(shown) if one.tag.endswith("text")]


def test_colours_tell_what_is_busy_free_own_and_proposed() -> None:
    shown = image(
        week(block(23, 9, 2), block(24, 9, 2, "Ours", "own"), block(26, 9, 2, "", "proposed"))
    )
    assert shown.width == 800
    assert shown.getpixel(place(0, 10)) == GREY
    assert shown.getpixel(place(1, 10.5)) == BLUE
    left, top = place(3, 10)
    hatch = {shown.getpixel((left + dx, top + dy)) for dx in range(10) for dy in range(10)}
    assert hatch >= HATCH
    assert shown.getpixel(place(4, 10.5)) == WHITE
    assert shown.getpixel(place(2, 13 + 20 / 60)) == RED


def test_the_same_week_has_the_same_bytes() -> None:
    shown = week(block(23, 9, 2, "Größe"), block(26, 9, 2, "Łódź", "proposed"))
    assert week_picture(shown) == week_picture(shown)


@pytest.mark.parametrize(
    "title",
    [
        "</text><script>alert(1)</script>",
        '<image href="http://example.org/x.png"/>',
        "&lol; &amp; <!ENTITY x SYSTEM 'file:///etc/passwd'> ]]>",
        "a\x00b\x1b[31m\ud800\uffff",
        "url(#hatch) \" onload='x'",
        "\u202eevil\u2066",
        "Z\u0301" * 500 + "a" + "\u0301" * 1_000,
        "W" * 1_000,
    ],
)
def test_a_hostile_title_is_only_text(title: str) -> None:
    shown = week(block(23, 9, 3, title), block(24, 9, 3, title, "proposed"))
    assert tags(shown) == TAGS
    looks = "".join(value for one in elements(shown) for value in one.attrib.values())
    assert "example.org" not in looks
    assert len(week_picture(shown)) < 100_000


@given(st.lists(st.text(max_size=200), max_size=4))
def test_every_title_gives_a_sound_drawing(titles: list[str]) -> None:
    assert tags(week(*(block(23, 8 + n, 1, one) for n, one in enumerate(titles)))) <= TAGS


def test_what_is_not_known_stands_beside_the_legend() -> None:
    shown = week(block(23, 9, 2, "Tea"))
    assert "as of 09:00" in texts(shown._replace(limits=("as of 09:00",)))
    long = shown._replace(limits=("1 series not shown", "as of Mon 23 Nov 2026, 09:00"))
    assert "not all is shown: see text" in texts(long)


def test_what_the_fonts_do_not_have_is_left_out() -> None:
    assert drawable("🎉🎂 Party 🎉") == "Party"
    assert drawable("会議") == NOT_DRAWN
    assert drawable("Müller, Łódź, Привет, اجتماع") == "Müller, Łódź, Привет, اجتماع"
    assert drawable("u\u0308") == "ü"
    assert drawable("  ") == ""


@pytest.mark.parametrize("words", ["Zahnarzt", "Größe", "اجتماع مع فريق العمل", "Привет мир"])
def test_letters_are_drawn(words: str) -> None:
    assert week_picture(week(block(23, 9, 3, words))) != week_picture(week(block(23, 9, 3)))


@given(st.text(max_size=300), st.integers(10, 200), st.integers(0, 6))
def test_fitted_lines_have_room(text: str, width: int, lines: int) -> None:
    found = fitted(text, size=17, width=width, lines=lines)
    assert len(found) <= lines
    assert all(fits(line, size=17, width=width) or len(line) == 1 for line in found)


def test_the_widths_are_those_of_the_fonts() -> None:
    rows = json.loads((FONTS / "widths.json").read_text("utf-8"))
    latin, _, arabic = (
        ImageFont.truetype(name, 1000, layout_engine=ImageFont.Layout.BASIC) for name in FONT_FILES
    )
    for width, chars in rows.items():
        for char in chars:
            font = arabic if "\u0600" <= char <= "\u06ff" or char in "\u200c\u200d" else latin
            assert abs(font.getlength(char) - int(width)) <= 5, char  # drawn on whole pixels


def test_the_fonts_are_small_and_have_their_licence() -> None:
    assert sum(one.stat().st_size for one in FONTS.iterdir()) < 400_000
    assert "SIL OPEN FONT LICENSE Version 1.1" in (FONTS / "OFL.txt").read_text("utf-8")


def test_a_week_of_a_clock_change_says_so() -> None:
    start = datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN)
    when = When(start=start, end=start.astimezone(UTC) + timedelta(hours=1))
    shown = week(Block(when=when, title="Shift"), day=date(2026, 10, 19))
    assert "Clocks go back 1 hour on Sunday" in texts(shown)
    assert week_picture(shown)


def test_a_proposal_among_a_hundred_events_is_drawn() -> None:
    events = [block(23, 9 + n / 100, 1 + n % 3, f"Event {n}") for n in range(100)]
    shown = week(*events, block(23, 9.6, 2, "", "proposed"))
    assert "+99" in texts(shown)
    assert drawing(shown).count("url(#hatch)") == 2  # also in the legend


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["busy", "own", "proposed"])
@pytest.mark.parametrize("count", [25, 100, 168, 500])
def test_a_full_week_is_quick_and_small(count: int, kind: str) -> None:
    full = week(
        *(block(23 + n % 7, n // 7 % 24, 1, f"Größe {n} & <more>", kind) for n in range(count))
    )
    before = computing()
    size = len(week_picture(full))
    assert computing() - before < 3
    assert size < 100_000


def computing() -> float:
    """Seconds of computing that this thread and the processes that drew have taken."""
    children = getrusage(RUSAGE_CHILDREN)
    return thread_time() + children.ru_utime + children.ru_stime


def test_drawing_keeps_no_other_thread_waiting() -> None:
    full = week(*(block(23 + n % 7, n // 7, 1, f"Größe {n}", "proposed") for n in range(168)))
    svg = drawing(full)
    thread = Thread(target=png, args=(svg,))
    thread.start()
    computed, walked = thread_time(), 0
    while thread.is_alive():
        sleep(0.001)
        walked += 1
    assert walked > 20, "this thread went on meanwhile"
    assert thread_time() - computed < 0.2


def test_a_drawing_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(NotDrawn):
        week_picture(week(block(23, 9, 2)), seconds=0.001)


def test_what_is_no_drawing_is_told() -> None:
    with pytest.raises(NotDrawn, match="it ended with 1"):
        png("<svg")


def test_a_picture_that_would_be_large_refers_to_the_text() -> None:
    many = week(*(block(23 + n % 7, n // 7 % 24, 1, f"Größe {n}", "proposed") for n in range(168)))
    assert len(png(drawing(many))) > MOST_BYTES
    assert week_picture(many) == png(drawing(many, worded=False))
    assert "titles: see text" in drawing(many, worded=False)
    assert "Größe" not in drawing(many, worded=False)


def test_the_last_line_is_filled_before_it_is_cut() -> None:
    assert fitted("Meeting number 25 with people", size=17, width=90, lines=1) == ["Meeting n…"]
    assert fitted("Meeting number 25 with people", size=17, width=90, lines=9) == [
        "Meeting",
        "number 25",
        "with people",
    ]
