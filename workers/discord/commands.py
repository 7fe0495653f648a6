"""Slash commands: how Discord is told of them, and what each does. No model sees or gives one."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from assistant.adapters.discord.render import MOST_BUTTONS
from assistant.adapters.discord.text import shortened
from assistant.domain.approvals import Verb
from assistant.domain.call_states import HAPPENED, OWED, CallState
from assistant.domain.calls import Call
from assistant.domain.decisions import one_line
from assistant.domain.deliveries import Action, Delivery, Line
from assistant.domain.errors import BadArguments, NotFound
from assistant.domain.grants import say as say_grant
from assistant.domain.jobs import Cause
from assistant.domain.mail import MailQuery
from assistant.domain.modes import Mode
from assistant.domain.moments import say_moment, zone_of
from assistant.flows.asking import call_tool
from assistant.flows.cards import card_id, in_short, why
from assistant.flows.chat import begin_anew, hear, stop
from assistant.flows.granting import revoke
from assistant.flows.modes import keep, reviewed
from assistant.flows.pressing import buttons
from assistant.flows.undoing import done_since, undo
from assistant.ports import Tx
from workers.discord import place
from workers.discord.interaction import MARK, Interaction, Reply, Way
from workers.discord.presses import Pressing, ask_word, begun, enter, show_mail, told_of
from workers.discord.words import beside, dated, read, say

HELP = """\
Write to me here, in your own words; in a server, mention me and I answer in a thread.
What rests on your mail, calendar or files is answered in our direct messages.
/ask: the same as writing to me
/new: begin a new conversation
/search, /read: your mail
/free: your calendar
/pending: what waits for your yes or no
/grants: what runs without asking, because you said so; and to end it
/undo: take back what I did
/explain: why something was decided as it was
/mode: how careful the house is
/review, /keep: in recovery, what was done; leave it as it is
/lockdown: only reading goes on; all that waits is void
/stop: stop what is going on
/status: how everything is
/pair: make yourself known to me
Buttons under a card decide about exactly what it shows, once."""

_OFFERED = 25
"""Choices that Discord shows while an option is typed, at the most."""
_CHOICE = 90
"""Characters of one of them; Discord takes 100."""
_LATELY = timedelta(days=30)
_PATIENCE = 10.0
"""Seconds that a look into the calendar may take before it is told as being under way."""
_POLL = 0.1


@dataclass(frozen=True, kw_only=True)
class Given:
    """One command by somebody who is listened to."""

    it: Interaction
    cause: Cause
    ctx: Pressing
    status: Callable[[], Sequence[str]]
    place: str
    """The conversation that is meant: where it was given, or the direct messages."""

    @property
    def by(self) -> str:
        return place.person(self.it.user)

    def text(self, name: str) -> str:
        value = self.it.options.get(name)
        return str(value).strip() if value is not None else ""


def given(one: Given) -> Reply:
    """Carry out a command. Raises ``NotFound`` for one that there is not."""
    carry_out = _MEANINGS.get(one.it.name)
    if carry_out is None:
        raise NotFound(f"command /{one.it.name}")
    return carry_out(one)


def offered(one: Given) -> Reply:
    """What fits an option that is being typed."""
    offer = _CHOICES.get((one.it.name, one.it.focused))
    found = offer(one) if offer else []
    choices = [(shortened(shown, _CHOICE), value) for shown, value in found[:_OFFERED]]
    return Reply(way=Way.CHOICES, choices=choices)


# Talking


def _ask(one: Given) -> Reply:
    talk = hear(
        one.text("words"),
        channel=place.CHANNEL,
        place=one.place,
        event=f"interaction {one.it.id}",
        cause=one.cause,
        store=one.ctx.ctx.store,
        limits=one.ctx.limits,
        aside="" if one.place == place.alone(one.it.user) else place.alone(one.it.user),
    )
    there = one.place == place.alone(one.it.user) and not one.it.private
    where = "in our direct messages" if there else "here"
    return replace(begun(f"I am on it; the answer comes {where}.", ctx=one.ctx), follow=talk or "")


def _new(one: Given) -> Reply:
    store = one.ctx.ctx.store
    begin_anew(channel=place.CHANNEL, place=one.place, cause=one.cause, store=store)
    return say("A new conversation; the old one is kept.")


def _help(_one: Given) -> Reply:
    return say(HELP)


def _stop(one: Given) -> Reply:
    ctx = one.ctx.ctx
    return say(
        stop(
            channel=place.CHANNEL,
            place=one.place,
            cause=one.cause,
            store=ctx.store,
            toolbox=ctx.toolbox,
            zone=one.ctx.zone,
        )
    )


# Mail and calendar


def _search(one: Given) -> Reply:
    with one.ctx.ctx.store.read(one.cause) as tx:
        found = tx.mails(MailQuery(words=one.text("words"), limit=10))
    if not found:
        return say("No mail has these words in its subject, sender or summary.")
    told = [
        Line(
            label=mail.id[:8],
            value=f"{one_line(mail.subject) or '(no subject)'}, "
            f"from {one_line(mail.sender) or 'nobody named'}, "
            f"received {say_moment(mail.received, one.ctx.zone)}",
            at=mail.received,
        )
        for mail in found
    ]
    return read(told, title="/read shows one of these mails")


def _read(one: Given) -> Reply:
    return show_mail(one.text("mail"), by=one.by, cause=one.cause, ctx=one.ctx)


def _free(one: Given) -> Reply:
    """Looked up as the owner's own call: recorded, and under the policy like any other."""
    from assistant.adapters.offline_dates import Almanac  # noqa: PLC0415 (dateparser is heavy)
    from assistant.adapters.offline_grammar import Reader  # noqa: PLC0415

    zone = one.ctx.zone
    now = one.ctx.ctx.clock.now().astimezone(zone_of(zone))
    words = one.text("when") or "today"
    reader = Reader(almanac=Almanac(now=now, zone=zone_of(zone)), last_mail="")
    reading = reader.read(f"am I free {words}?")
    if reading is None or not reading.wants:
        raise BadArguments(f"I do not understand when {words!r} is; try: tomorrow afternoon")
    [want] = reading.wants
    [call, *_] = call_tool(
        want.tool,
        want.args,
        by=one.by,
        channel=place.CHANNEL,
        place=place.alone(one.it.user),
        cause=one.cause,
        ctx=one.ctx.ctx,
    )
    ended = _ended(call, one)
    if ended.state is CallState.DONE:
        start, end = (datetime.fromisoformat(want.args[name]) for name in ("start", "end"))
        return dated(say(reading.text, ended.result), start, until=end)
    if ended.state in OWED:
        late = f"{ended.handle} takes its time; ask again in a moment."
        return begun(reading.text, late, ctx=one.ctx)
    return say(reading.text, f"{ended.handle} is {ended.state}: {ended.told or ended.result}")


def _ended(call: Call, one: Given) -> Call:
    """The call, once it has ended or patience has."""
    give_up = time.monotonic() + _PATIENCE
    while call.state in OWED and time.monotonic() < give_up:
        time.sleep(_POLL)
        with one.ctx.ctx.store.read(one.cause) as tx:
            call = tx.call(call.id)
    return call


# What waits, and what was done


def _pending(one: Given) -> Reply:
    with one.ctx.ctx.store.read(one.cause) as tx:
        waiting = list(reversed(tx.calls(states={CallState.PARKED})))
        cards = [(call, tx.delivery(card_id(call)), tx.approval(call.id)) for call in waiting]
    if not cards:
        return say("Nothing waits for you.")
    told = [
        Line(
            label=call.handle,
            value=f"{in_short(card.wanted)}; waits until "
            f"{say_moment(asked.expires, one.ctx.zone)}{_where(card)}",
            at=asked.expires,
        )
        for call, card, asked in cards
    ]
    shows = [
        Action(verb=Verb.REVEAL, label=f"Show {call.handle}", subject=card.id)
        for call, card, _ in cards[:MOST_BUTTONS]
    ]
    tokens = buttons(shows, by=one.by, cause=one.cause, ctx=one.ctx.ctx)
    listed = read(told, title="What waits for you")
    return beside(listed, list(zip(shows, tokens, strict=True)))


def _where(card: Delivery) -> str:
    return "" if card.channel == place.CHANNEL else f" (its card is in the {card.channel})"


def _undo(one: Given) -> Reply:
    handles = one.text("call").split()
    if not handles:
        raise BadArguments("name what to undo, such as A17")
    found = undo(
        handles,
        by=one.by,
        channel=place.CHANNEL,
        place=place.alone(one.it.user),
        cause=one.cause,
        ctx=one.ctx.ctx,
    )
    return told_of(found, ctx=one.ctx)


def _explain(one: Given) -> Reply:
    with one.ctx.ctx.store.read(one.cause) as tx:
        call = tx.call_named(one.text("call"))
    return say(*why(call))


def _grants(one: Given) -> Reply:
    handle = one.text("end")
    if handle:
        return say(revoke(handle, by=one.by, cause=one.cause, ctx=one.ctx.ctx).text)
    with one.ctx.ctx.store.read(one.cause) as tx:
        found = tx.grants()
    told = [
        Line(
            label=grant.handle,
            value="\n".join(say_grant(grant, one.ctx.zone)),
            at=grant.expires,
        )
        for grant in found
    ]
    if not told:
        return say("Nothing is granted: what asks, asks each time.")
    return read(told, title="What runs without asking")


# The house


def _mode(one: Given) -> Reply:
    name = one.text("name")
    if not name:
        with one.ctx.ctx.store.read(one.cause) as tx:
            record = tx.mode()
        since = f" since {say_moment(record.since, one.ctx.zone)}" if record.since else ""
        why_so = f": {record.reason}" if record.reason else ""
        said = say(f"The house is in {record.mode}{since}, by {record.by}{why_so}.")
        return dated(said, record.since)
    try:
        wanted = Mode(name)
    except ValueError as error:
        raise BadArguments(f"there is no mode {name}; there are {', '.join(Mode)}") from error
    return _enter(one, wanted)


def _lockdown(one: Given) -> Reply:
    return _enter(one, Mode.LOCKDOWN)


def _enter(one: Given, wanted: Mode) -> Reply:
    left = _to_review(one)
    changed = enter(wanted, one.it, reason=one.text("reason"), cause=one.cause, use=one.ctx)
    if changed.accepted and left and wanted is not Mode.RECOVERY:
        unseen = f"Not looked at: {', '.join(left)}. /mode recovery goes on with it."
        return say(changed.text, unseen)
    if not changed.word:
        return say(changed.text)
    enters = Action(verb=Verb.MODE, label=f"Enter {wanted}", subject=wanted)
    [word] = buttons([enters], by=one.by, cause=one.cause, ctx=one.ctx.ctx)
    return ask_word(changed, custom_id=f"{MARK}{word}")


def _to_review(one: Given) -> list[str]:
    with one.ctx.ctx.store.read(one.cause) as tx:
        return [call.handle for call, _ in reviewed(tx, tx.mode())]


def _review(one: Given) -> Reply:
    """What recovery has still to look at, oldest first."""
    with one.ctx.ctx.store.read(one.cause) as tx:
        record = tx.mode()
        left = [
            f"{call.handle} {effect.kind}: {call.told}" for call, effect in reviewed(tx, record)
        ]
    if record.mode is not Mode.RECOVERY:
        return say(
            f"The house is in {record.mode}. /mode recovery begins to look at what was done."
        )
    if not left:
        return say("Nothing is left to be looked at; /mode normal ends it.")
    return say(*left, "", "/undo takes one back, /keep leaves it as it is.")


def _keep(one: Given) -> Reply:
    store = one.ctx.ctx.store
    return say(keep(one.text("call"), by=one.by, cause=one.cause, store=store).text)


def _status(one: Given) -> Reply:
    return say(*one.status())


_MEANINGS: Mapping[str, Callable[[Given], Reply]] = {
    "ask": _ask,
    "new": _new,
    "help": _help,
    "search": _search,
    "read": _read,
    "free": _free,
    "pending": _pending,
    "grants": _grants,
    "undo": _undo,
    "mode": _mode,
    "lockdown": _lockdown,
    "stop": _stop,
    "review": _review,
    "keep": _keep,
    "status": _status,
    "explain": _explain,
}


# What is offered while an option is typed

_Found = Sequence[tuple[str, str]]


def _mails(one: Given) -> _Found:
    with one.ctx.ctx.store.read(one.cause) as tx:
        found = tx.mails(MailQuery(words=one.text("mail"), limit=_OFFERED))
    return [(f"{mail.subject or '(no subject)'}, {mail.sender}", mail.id) for mail in found]


def _undoable(one: Given) -> _Found:
    ctx = one.ctx.ctx
    since = ctx.clock.now() - _LATELY
    handles = done_since(since, cause=one.cause, ctx=ctx)[:_OFFERED]
    with ctx.store.read(one.cause) as tx:
        told = [_in_a_line(tx, tx.call_named(handle)) for handle in handles]
    return _fitting(told, one.text("call"))


def _calls(one: Given) -> _Found:
    with one.ctx.ctx.store.read(one.cause) as tx:
        told = [_in_a_line(tx, call) for call in tx.calls(limit=4 * _OFFERED)]
    return _fitting(told, one.text("call"))


def _in_a_line(tx: Tx, call: Call) -> tuple[str, str]:
    """What it did or was to do, and its handle."""
    told = call.told if call.state in HAPPENED else ""
    if not told:
        with suppress(NotFound):
            told = in_short(tx.delivery(card_id(call)).wanted)
    return f"{call.handle}: {told or call.tool} ({call.state})", call.handle


def _fitting(found: _Found, typed: str) -> _Found:
    return [one for one in found if typed.casefold() in one[0].casefold()]


def _unreviewed(one: Given) -> _Found:
    with one.ctx.ctx.store.read(one.cause) as tx:
        told = [(f"{call.handle}: {call.told}", call.handle) for call, _ in reviewed(tx, tx.mode())]
    return _fitting(told, one.text("call"))


def _granted(one: Given) -> _Found:
    with one.ctx.ctx.store.read(one.cause) as tx:
        found = tx.grants()
    return [
        (f"{grant.handle}: {say_grant(grant, one.ctx.zone)[0]}", grant.handle) for grant in found
    ]


_CHOICES: Mapping[tuple[str, str], Callable[[Given], _Found]] = {
    ("read", "mail"): _mails,
    ("undo", "call"): _undoable,
    ("explain", "call"): _calls,
    ("keep", "call"): _unreviewed,
    ("grants", "end"): _granted,
}


# How Discord is told of them


def _option(name: str, description: str, **more: Any) -> dict[str, Any]:
    """A text that is typed; see "Application Command Option Structure"."""
    return {"type": 3, "name": name, "description": description, **more}


def _command(name: str, description: str, *options: dict[str, Any]) -> dict[str, Any]:
    """For servers and for people, in servers, direct messages and group chats."""
    return {
        "type": 1,
        "name": name,
        "description": description,
        "options": list(options),
        "integration_types": [0, 1],
        "contexts": [0, 1, 2],
    }


_MODES = [{"name": mode.value, "value": mode.value} for mode in Mode]
_REASON = _option("reason", "Why, in your words", max_length=200)

COMMANDS: Sequence[Mapping[str, Any]] = (
    _command("ask", "Ask me something", _option("words", "What you want", required=True)),
    _command("new", "Begin a new conversation"),
    _command("help", "What I understand"),
    _command("search", "Find mail", _option("words", "In subject, sender, summary", required=True)),
    _command("read", "Read a mail", _option("mail", "Which one", required=True, autocomplete=True)),
    _command("free", "When you are free", _option("when", "Such as: tomorrow afternoon")),
    _command("pending", "What waits for your yes or no"),
    _command(
        "grants",
        "What runs without asking, because you said so",
        _option("end", "End one of these", autocomplete=True),
    ),
    _command(
        "undo", "Take back what I did", _option("call", "Which", required=True, autocomplete=True)
    ),
    _command(
        "mode",
        "How careful the house is",
        _option("name", "The mode to enter", choices=_MODES),
        _REASON,
    ),
    _command("lockdown", "Only reading goes on; all that waits is void", _REASON),
    _command("review", "In recovery: what was done"),
    _command(
        "keep",
        "In recovery: leave what this did as it is",
        _option("call", "Which", required=True, autocomplete=True),
    ),
    _command("stop", "Stop what is going on"),
    _command("status", "How everything is"),
    _command(
        "explain",
        "Why something was decided as it was",
        _option("call", "Which", required=True, autocomplete=True),
    ),
    _command(
        "pair",
        "Make yourself known to me",
        _option("code", "What `assistant pair` printed", required=True),
    ),
)
