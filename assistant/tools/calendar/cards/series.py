"""Say on a card how an event repeats, and which occurrences of a series a change touches."""

from collections.abc import Iterator
from datetime import date, datetime

from assistant.domain.calendar.recurrence_words import words
from assistant.domain.calendar.series import Affected, SeriesScope
from assistant.domain.calls.call import Facts
from assistant.domain.conversation.deliveries import Line, Row
from assistant.domain.time.moments import zone_of
from assistant.domain.time.short import short_day, short_start
from assistant.tools.calendar.args import StoredEvent
from assistant.tools.calendar.repeats import count_of

AFFECTED = "affected"
"""The part of ``Facts.beside`` that says which occurrences a change touches."""


PARTS = "parts"
"""The part of ``Facts.beside`` that tells of the other parts of a series that was cut."""


def say_repeats(event: StoredEvent, zone: str) -> str:
    """Write ``every Tuesday until 31 March 2027``; empty for an event that does not repeat."""
    if event.repeats is None:
        return ""
    first = _local(event.start, zone)
    return words(event.repeats, first, times=count_of(event.repeats, first))


def say_scope(scope: SeriesScope, affected: Affected) -> str:
    """Say without a time which occurrences: ``this one only``, ``18 of them``, ``all 18``."""
    count = "" if affected.more else f" {affected.count}"
    if scope is SeriesScope.THIS:
        return "this one only"
    if scope is SeriesScope.FOLLOWING:
        return "this one and all after it" if affected.more else f"this and all after it,{count}"
    return f"all{count}"


def scope_row(facts: Facts, zone: str, now: datetime) -> Row:
    """Say which occurrences a change touches, and how many."""
    event, affected = StoredEvent.model_validate(facts.before), affected_of(facts)
    this = short_start(event.when, zone, now=now)
    scope = facts.args["scope"]
    if scope == SeriesScope.THIS:
        return Row(text=f"Only {this}")
    if scope == SeriesScope.FOLLOWING:
        after = affected.count - 1
        if affected.more:
            return Row(text=f"{this} and all after it, without an end")
        return Row(text=f"{this} and the {after} after it" if after else f"Only {this}, the last")
    if affected.first is None:  # it does not repeat yet
        return Row(text=this)
    count = "All" if affected.more else f"All {affected.count}"
    since = short_day(_local(affected.first, zone), now)
    return Row(text=f"{count}, from {since}, {_without_count(affected)}")


def loss_rows(facts: Facts, zone: str) -> Iterator[Row]:
    """Say what is left out and what is lost by it, and what else a person must know."""
    affected = affected_of(facts)
    yield from _left_out(facts, zone)
    if affected.lost:
        one = affected.lost == 1
        lose = "1 changed one loses its change" if one else "changed ones lose their change"
        yield Row(text=lose if one else f"{affected.lost} {lose}")
    for note in affected.notes:
        yield Row(text=note)


def _left_out(facts: Facts, zone: str) -> Iterator[Row]:
    """Tell of the other parts of a series that was cut, as far as the change seems to mean them."""
    event = StoredEvent.model_validate(facts.args)
    this = affected_of(facts).first
    if event.stamp is None or this is None:
        return
    for part in (Affected.model_validate(one) for one in facts.beside.get(PARTS, ())):
        if part.first is None:
            continue
        before = _local(part.first, zone).isoformat() < _local(this, zone).isoformat()
        if before and event.scope is SeriesScope.FOLLOWING:
            continue
        cut = _local(this if before else part.first, zone)
        where = f"{'before' if before else 'from'} {short_day(cut, event.stamp)}"
        count = "All" if part.more else f"{part.count} more"
        be = "is" if part.count == 1 and not part.more else "are"
        yield Row(text=f"{count} {where} {be} another series since it was cut")


def series_lines(facts: Facts, zone: str) -> Iterator[Line]:
    """Tell under the details which occurrences a change touches, and how it repeats then."""
    event = StoredEvent.model_validate(facts.args)
    if facts.before and event.scope is not None:
        affected = affected_of(facts)
        value = say_scope(event.scope, affected)
        yield Line(label="Which", value=f"{value}: {affected.words}" if affected.words else value)
        for row in loss_rows(facts, zone):
            yield Line(label="Note", value=row.text)
    if repeats := say_repeats(event, zone):
        yield Line(label="Repeats", value=repeats)


def affected_of(facts: Facts) -> Affected:
    return Affected.model_validate(facts.beside[AFFECTED])


def press(facts: Facts) -> str:
    """Return the words on the button that deletes."""
    return {
        SeriesScope.THIS: "Delete this one",
        SeriesScope.FOLLOWING: "Delete these",
        SeriesScope.ALL: "Delete all",
    }.get(facts.args.get("scope", ""), "Delete")


def _without_count(affected: Affected) -> str:
    times = "once" if affected.count == 1 else f"{affected.count} times"
    return affected.words.removesuffix(f", {times}")


def _local(at: date, zone: str) -> date:
    return at.astimezone(zone_of(zone)) if isinstance(at, datetime) else at
