"""The morning brief: once a day, by code from rows, whatever a model or the calendar does."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from assistant.domain.calendar.copies.copied import last_answer
from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.times import defective, known_within
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.deliveries import Home, Shown
from assistant.domain.errors import AssistantError
from assistant.domain.jobs.job import Cause, Job
from assistant.domain.mail.heading import heading_of
from assistant.domain.mail.mail import Mail, MailQuery
from assistant.domain.mail.understanding.commitments import Commitment
from assistant.domain.messages import MakeBrief
from assistant.domain.policy.decisions import one_line
from assistant.domain.reminders.due_notices import LATE, DueKind
from assistant.domain.store import Tx
from assistant.domain.time.moments import begins, clock, say_lately, zone_of
from assistant.domain.time.short import short_day, soon
from assistant.domain.time.wall_clock import day_begins
from assistant.flows.calls.undo import undoable_since
from assistant.flows.context import Context
from assistant.flows.operations.brief_clock import brief_id
from assistant.flows.operations.reminders import in_words
from assistant.flows.render import cards
from assistant.flows.render.brief import BriefFacts, BriefPart, brief
from assistant.flows.render.outcomes import delivery_of

log = logging.getLogger(__name__)

_DAY = timedelta(days=1)
_LONGEST = timedelta(days=7)
"""A brief looks back so far at the most."""
_LOOKED = 200
_NAME, _WORDS = 24, 60
"""Characters of a sender, and of what a mail says."""


@dataclass(frozen=True, kw_only=True)
class BriefContext(Context):
    """The context of making a brief."""

    calendar: Calendar
    home: Home


def make_brief(message: MakeBrief, job: Job, *, ctx: BriefContext) -> None:
    """Make the brief of a day, once."""
    id = brief_id(date.fromisoformat(message.id))
    with ctx.store.read(job) as tx:
        there = delivery_of(tx, id) is not None
        notices = [one for n in (0, 1) if (one := tx.last_notice(DueKind.BRIEF, skip=n))]
    shown = None
    if not there:
        ordered = next((one for one in notices if one.id == id), None)
        before = next((one for one in notices if one.id != id), None)
        since = before.made if before and before.made <= ctx.clock.now() else None
        shown = brief_now(job, ctx=ctx, since=since, due=ordered.due if ordered else None)
    with ctx.store.begin(job) as tx:
        tx.done(job)
        if shown is not None:
            tx.want(cards.at(ctx.home, job.owner, id, shown))


def brief_now(
    cause: Cause, *, ctx: BriefContext, since: datetime | None, due: datetime | None = None
) -> Shown:
    """Make a brief of what there is now.

    Args:
        cause: whose it is.
        ctx: the rows, the clock and the calendar.
        since: the time of the brief before it; None for a day ago.
        due: when it was due; it says so if that is long ago.
    """
    now = ctx.clock.now()
    since = max(since or now - _DAY, now - _LONGEST)
    agenda = _agenda(ctx, now)
    done = undoable_since(since, cause=cause, ctx=ctx)
    with ctx.store.read(cause) as tx:
        found = (
            agenda,
            _reminders(tx, ctx, now),
            _commitments(tx, ctx, now),
            _waiting(tx),
            _mails(tx, since),
            _done([f"{call.handle}: {call.told or call.tool}" for call, _ in done]),
        )
    late = ""
    if due is not None and now - due >= LATE:
        late = f"Due {soon(due, ctx.zone, now=now)}, told now, {in_words(now - due)} late."
    parts = tuple(part for part in found if part is not None)
    return brief(BriefFacts(now=now, zone=ctx.zone, parts=parts, late=late))


def _agenda(ctx: BriefContext, now: datetime) -> BriefPart | None:
    """What is still to come today; the titles are the owner's own, on their own screen."""
    zone = zone_of(ctx.zone)
    today = now.astimezone(zone).date()
    end = day_begins(today + _DAY, zone)
    try:
        found = ctx.calendar.between(When(start=now, end=end))
    except AssistantError as error:
        log.info("the brief is made without the calendar: %s", type(error).__name__)
        return BriefPart("Agenda: the calendar does not answer")
    events = known_within(found, When(start=now, end=end), ctx.zone)
    series, since = defective(found), last_answer(found)
    if not events and not series and since is None:
        return None
    count = f"{len(events) or 'no'} event{'' if len(events) == 1 else 's'}"
    old = f", as of {say_lately(since, ctx.zone, now=now)}" if since else ""
    unread = f"; {len(series)} series could not be read" if series else ""
    return BriefPart(
        f"Agenda{old}: {count}{unread}",
        (
            *(_event(one, ctx.zone) for one in events),
            *(f"not known when: {one_line(one.title)}" for one in series if one.unread),
        ),
    )


def _event(event: Event, zone: str) -> str:
    title = one_line(event.title) or "(no title)"
    if event.when.all_day:
        return f"all day: {title}"
    return f"{clock(begins(event.when, zone).astimezone(zone_of(zone)))} {title}"


def _reminders(tx: Tx, ctx: BriefContext, now: datetime) -> BriefPart | None:
    zone = zone_of(ctx.zone)
    end = day_begins(now.astimezone(zone).date() + _DAY, zone)
    found = [one for one in tx.reminders(limit=_LOOKED) if one.at < end]
    lines = tuple(f"{clock(one.at.astimezone(zone))} {one_line(one.text)}" for one in found)
    return BriefPart(f"Reminders today: {len(found)}", lines) if found else None


def _commitments(tx: Tx, ctx: BriefContext, now: datetime) -> BriefPart | None:
    """What falls due by tomorrow, or has; who asks is not verified."""
    today = now.astimezone(zone_of(ctx.zone)).date()
    dated = ((_day(one, ctx.zone), one) for one in tx.commitments(limit=_LOOKED) if one.due)
    found = [(day, one) for day, one in dated if day <= today + _DAY]
    if not found:
        return None
    lines = tuple(
        f"{_by(day, today)}: {one_line(one.words)} (no {one.number})" for day, one in found
    )
    return BriefPart(f"Due, as mails say: {len(found)}", lines)


def _day(one: Commitment, zone: str) -> date:
    due = one.due
    if isinstance(due, datetime):
        return (due.astimezone(zone_of(zone)) if due.tzinfo else due).date()
    assert due is not None  # noqa: S101 (whoever asks has looked)
    return due


def _by(day: date, today: date) -> str:
    if day == today:
        return "today"
    if day > today:
        return "tomorrow"
    return f"was due {short_day(day, datetime.combine(today, time(), UTC))}"


def _waiting(tx: Tx) -> BriefPart | None:
    found = list(reversed(tx.calls(states={CallState.PARKED})))
    if not found:
        return None
    cards_of = ((call, delivery_of(tx, cards.card_id(call))) for call in found)
    lines = tuple(
        f"{call.handle}: {cards.in_short(card.wanted) if card else call.tool}"
        for call, card in cards_of
    )
    return BriefPart(f"Waits for your yes: {len(found)} (/pending)", lines)


def _mails(tx: Tx, since: datetime) -> BriefPart | None:
    """How many came, and those that ask for something first."""
    count = tx.count_mails(MailQuery(after=since))
    if not count:
        return None
    newest = tx.mails(MailQuery(after=since, limit=_LOOKED))
    asking = [mail for mail in newest if mail.understood.asks or mail.understood.deadlines]
    others = [mail for mail in newest if mail not in asking]
    lines = tuple(_mail(mail) for mail in (*asking, *others))
    asks = f", {len(asking)} ask{'s' if len(asking) == 1 else ''} for something" if asking else ""
    more = count - len(newest)
    return BriefPart(f"New mail: {count}{asks}", lines, more=more)


def _mail(mail: Mail) -> str:
    heading = heading_of(mail)
    who = one_line(heading.sender.partition("<")[0].strip(' "') or heading.sender_address, _NAME)
    asked = mail.understood.asks[:1] or mail.understood.deadlines[:1]
    what = asked[0].words if asked else heading.subject
    return f"{who or 'somebody'}: {one_line(what, _WORDS) or 'no subject'}"


def _done(lines: Sequence[str]) -> BriefPart | None:
    if not lines:
        return None
    return BriefPart(f"Done, can be undone: {len(lines)} (/undo)", tuple(lines))
