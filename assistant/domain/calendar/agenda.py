"""Write a week for people: as lines for a phone, and as the text that stands for its picture.

Titles are a stranger's words: whoever shows them to a model fences them.
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from assistant.domain.calendar.free.slots import say_day, say_hours
from assistant.domain.calendar.week import Block, BlockKind, Day, Piece, Week
from assistant.domain.time.moments import clock

ALT_TEXT = 1_000
"""The most characters of an alternative text; Discord takes 1,024."""
_LINES = 12
"""The most lines of one day."""
_PROPOSED = 5
"""The most proposals that an alternative text names."""
_DAY = timedelta(days=1)
_WEEK = 7


def agenda(*weeks: Week, first: date | None = None, last: date | None = None) -> str:
    """Write weeks that follow each other, some lines for each day.

    Args:
        weeks: the weeks, in order.
        first: the first day that is written; the first of all, if not given.
        last: the last one. Of more than seven days, those on which nothing is are left out.
    """
    days = [day for week in weeks for day in week.days]
    days = [day for day in days if (first or day.day) <= day.day <= (last or day.day)]
    alone, many = len(days) == 1, len(days) > _WEEK
    lines = [] if alone else [_heading(days)]
    for day in days:
        if not many or day.all_day or day.pieces:
            lines += _day_lines(day, year=f" {day.day.year}" if alone else "")
    if many:
        others = "all other" if len(lines) > 1 else "all of these"
        lines.append(f"On {others} days you are free.")
    if left_out := sum(week.left_out for week in weeks):
        lines.append(f"{left_out} more are not shown")
    return "\n".join(lines)


def alt_text(week: Week) -> str:
    """Say in a few sentences what the picture of the week shows."""
    days = ", ".join(f"{day.day:%A} {_count(day)}" for day in week.days)
    said = [f"Week of {say_week(week)}: {days}."]
    said += [f"{limit[:1].upper()}{limit[1:]}." for limit in week.limits]
    said += [f"{change}." for day in week.days if (change := say_change(day))]
    proposals = list(_proposals(week))
    named = "; ".join(proposals[:_PROPOSED])
    more = f"; and {len(proposals) - _PROPOSED} more" if len(proposals) > _PROPOSED else ""
    if named:
        said.append(f"Proposed: {named}{more}.")
    text = " ".join(said)
    return text if len(text) <= ALT_TEXT else f"{text[: ALT_TEXT - 1]}…"


def say_week(week: Week) -> str:
    """Write ``23–29 Nov 2026``."""
    return say_days(week.monday, week.monday + 6 * _DAY)


def say_days(first: date, last: date) -> str:
    """Write ``23–29 Nov 2026``."""
    year = "" if first.year == last.year else f" {first.year}"
    month = "" if first.month == last.month and not year else f" {first:%b}"
    return f"{first.day}{month}{year}–{last.day} {last:%b} {last.year}"


def say_change(day: Day) -> str:
    """Say that the clocks change on a day; empty if they do not."""
    if not day.put_forward:
        return ""
    minutes = abs(day.put_forward) // timedelta(minutes=1)
    length = "1 hour" if minutes == 60 else f"{minutes} minutes"  # noqa: PLR2004
    way = "forward" if day.put_forward > timedelta() else "back"
    return f"Clocks go {way} {length} on {day.day:%A}"


def say_piece(piece: Piece) -> str:
    """Write ``09:00–10:00``, ``from 22:00``, ``until 02:00`` or ``all day``."""
    if piece.begun and piece.goes_on:
        return "all day"
    if piece.begun:
        return f"until {'24:00' if piece.bottom == 24 * 60 else clock(piece.slot.end)}"
    return f"from {clock(piece.slot.start)}" if piece.goes_on else say_hours(piece.slot)


def _heading(days: Sequence[Day]) -> str:
    first, last = days[0].day, days[-1].day
    if len(days) == _WEEK and not first.weekday():
        return f"Week of {say_days(first, last)}"
    return say_days(first, last)


def _day_lines(day: Day, *, year: str = "") -> Iterator[str]:
    change = say_change(day)
    head = f"{say_day(day.day)}{year}{f' ({change[0].lower()}{change[1:]})' if change else ''}"
    events = [
        *(("all day", block) for block in day.all_day),
        *((say_piece(piece), piece.block) for piece in day.pieces),
    ]
    yield head if events else f"{head}: free"
    ranked = sorted(range(len(events)), key=lambda n: events[n][1].kind is not BlockKind.PROPOSED)
    yield from (_line(*events[n]) for n in sorted(ranked[:_LINES]))
    if len(events) > _LINES:
        yield f"- and {len(events) - _LINES} more"


def _line(hours: str, block: Block) -> str:
    if block.kind is BlockKind.PROPOSED:
        return f"- {hours} {block.title} (proposed)" if block.title else f"- {hours} proposed"
    return f"- {hours} {block.name}"


def _count(day: Day) -> str:
    if not day.event_count:
        return "free"
    return f"{day.event_count} event{'' if day.event_count == 1 else 's'}"


def _proposals(week: Week) -> Iterator[str]:
    for n, day in enumerate(week.days):
        for block in day.all_day:
            if block.kind is BlockKind.PROPOSED and (n == 0 or block.when.start == day.day):
                yield f"{day.day:%A}, all day{_titled(block)}"
        for piece in day.pieces:
            if piece.block.kind is BlockKind.PROPOSED and (n == 0 or not piece.begun):
                yield f"{day.day:%A} {say_piece(piece)}{_titled(piece.block)}"


def _titled(block: Block) -> str:
    return f", {block.title}" if block.title else ""
