"""Tell the owner, from rows, what waits and what is new. No model sees these lines."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from email.utils import parseaddr

from assistant.domain.calls.call import Call, Reach
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Tell
from assistant.domain.conversation.deliveries import Home, Line, Shown
from assistant.domain.mail.heading import heading_of
from assistant.domain.mail.mail import Mail, MailQuery
from assistant.domain.policy.decisions import one_line
from assistant.domain.store import Tx
from assistant.flows.render import cards

WAITS = "Waits for you"
_NAMED = 5
"""Calls that a line names."""
_MAILS = 3
_SHORT = 60
"""Characters of a sender and a subject."""
_DAY = timedelta(hours=24)


AWAY = timedelta(days=2)
"""After so long without an act of the owner they are told what happened."""
SEEN = timedelta(minutes=10)
"""An act so soon after the last one is not stored."""


def note_act(tx: Tx, *, channel: str, place: str) -> None:
    """Store that the owner is here; tell them once what happened if they were away."""
    since = tx.note_act(away=AWAY, seen=SEEN)
    if since is not None:
        shown = _while_away(tx, since)
        id = f"away-{int(since.timestamp())}"
        tx.want(cards.at(Home(channel=channel, place=place), tx.cause.owner, id, shown))


def _while_away(tx: Tx, since: datetime) -> Shown:
    """What waits, what expired, what came and what was done since then."""
    expired = _ended(tx, CallState.EXPIRED, since)
    done = _ended(tx, CallState.DONE, since)
    lines = [
        waiting_line(tx),
        *([Line(label="Expired", value=f"{handles(expired)} (/again asks anew)")] * bool(expired)),
        mail_line(tx, since=since, span="since then"),
        *([Line(label="Done", value=handles(done))] * bool(done)),
    ]
    return cards.notice("", title="What happened while you were away", fields=lines).model_copy(
        update={"outside": True}
    )


def _ended(tx: Tx, state: CallState, since: datetime) -> list[Call]:
    """Return the changes that ended so since then, by number."""
    return [
        call
        for call in reversed(tx.calls(states={state}))
        if call.ended and call.ended > since and call.reach is not Reach.READS
    ]


def told(tx: Tx, tell: Tell, *, text: str, now: datetime) -> Shown:
    """Make the notice that answers a greeting, a question for what waits, or a yes in words."""
    if tell is Tell.NEWS:
        lines = [waiting_line(tx), mail_line(tx, since=now - _DAY, span="in 24 hours")]
    elif not _waiting(tx):
        return cards.notice("Nothing waits for you.")
    elif tell is Tell.WAITING:
        lines = _each_waiting(tx)
    else:
        lines = [_cards_line(tx)]
    shown = cards.notice(text, fields=lines)
    return shown.model_copy(update={"outside": tell is not Tell.CARDS})


def _each_waiting(tx: Tx) -> list[Line]:
    """What each call that waits asks for; its title may be a stranger's words."""
    found = _waiting(tx)
    lines = [
        Line(label=call.handle, value=cards.in_short(tx.delivery(cards.card_id(call)).wanted))
        for call in found[:_NAMED]
    ]
    more = len(found) - _NAMED
    return [*lines, *([Line(label="Further", value=f"{more} more: /pending")] if more > 0 else [])]


def waiting_line(tx: Tx) -> Line:
    found = _waiting(tx)
    said = f"{handles(found)} (/pending shows {'them' if len(found) > 1 else 'it'})"
    return Line(label=WAITS, value=said if found else "nothing")


def mail_line(tx: Tx, *, since: datetime, span: str) -> Line:
    """How many mails came since then, and who wrote the newest about what: strangers' words."""
    count = tx.count_mails(MailQuery(after=since))
    if not count:
        return Line(label="New mail", value=f"none {span}")
    newest = tx.mails(MailQuery(after=since, limit=_MAILS))
    more = f"; and {count - len(newest)} more" if count > len(newest) else ""
    return Line(label="New mail", value=f"{count} {span}: {'; '.join(map(_mail, newest))}{more}")


def handles(calls: Sequence[Call]) -> str:
    """Such as ``A1, A2``; a long list is cut."""
    named = ", ".join(call.handle for call in calls[:_NAMED])
    return f"{named} and {len(calls) - _NAMED} more" if len(calls) > _NAMED else named


def _cards_line(tx: Tx) -> Line:
    found = _waiting(tx)
    if not found:
        return Line(label=WAITS, value="nothing")
    if len(found) > 1:
        return Line(label=WAITS, value=f"{handles(found)}, each on its card (/pending shows them)")
    name = found[0].handle
    return Line(label=WAITS, value=f"{name}: on its card, or /approve {name}, /deny {name}")


def _waiting(tx: Tx) -> list[Call]:
    """The calls that wait, oldest first."""
    return list(reversed(tx.calls(states={CallState.PARKED})))


def _mail(mail: Mail) -> str:
    heading = heading_of(mail)
    name, address = parseaddr(heading.sender)
    who = one_line(name or address or heading.sender, _SHORT) or "somebody"
    return f"{who}: {one_line(heading.subject, _SHORT) or 'no subject'}"
