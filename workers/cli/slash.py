"""Commands of a chat that begin with a slash: carried out by code, seen by no model."""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assistant.domain.approvals import Answer, Verb
from assistant.domain.calls import Call
from assistant.domain.errors import BadArguments, Stale, WaitsOn
from assistant.domain.grants import say
from assistant.domain.jobs import Cause
from assistant.domain.modes import Mode
from assistant.domain.moments import say_moment
from assistant.domain.policy import WORD
from assistant.flows.cards import second_step, why
from assistant.flows.chat import begin_anew, stop
from assistant.flows.granting import revoke, scope_digest
from assistant.flows.modes import is_word
from workers.cli import mode
from workers.cli.approvals import (
    actor,
    answer,
    approve_all,
    approve_like,
    asked_again,
    detailed,
    edited,
    pending,
    planned,
    similar_to,
)
from workers.cli.arguments import json_object
from workers.cli.grants import granted
from workers.cli.render import as_lines, detail_lines
from workers.cli.session import Session
from workers.cli.undo import taken_back
from workers.settings import OWNER

if TYPE_CHECKING:
    from assistant.adapters.sql_screen import Line

HELP = """\
Say what you want in your own words. Commands, which no model sees or can give:
  /pending              what waits for you
  /approve A17 [word]   yes, to exactly what is shown
  /similar A17          yes to calls like it as well; shows what that covers, then
                        takes /similar A17 yes [word]
  /details A17          everything a yes covers, where a card is cut
  /plan A17             yes to all that waits together with it; shows it, then
                        takes /plan A17 yes [word]
  /deny A17 [reason]    no; the reason is told to the model
  /edit A17 {json}      change what it wants; the new one waits for your yes.
                        A time such as 2026-11-30 10:00 is in your zone
  /again A17            be asked again about what expired, failed or became void
  /undo A17             take back what it did
  /why A17              why it was decided as it was
  /grants               what runs without asking, because you said so
  /revoke G3            end one of these
  /stop                 stop what is going on
  /lockdown [reason]    only reading goes on; all that waits is void
  /mode                 how careful the house is
  /mode NAME [reason]   normal, alert, degraded, lockdown or recovery
  /review               in recovery: what was done that is still to be looked at
  /keep A17             leave that as it is; /undo A17 takes it back
  /new                  begin a new conversation
  /help                 this
  /quit                 leave; what waits goes on waiting"""
_YES = "yes"


class CountedForNothing(Stale):
    """An answer that changed nothing; its own words say why."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else super().__str__()


class WordMissing(CountedForNothing, WaitsOn):
    """A yes, or a way out of lockdown, without the word that it takes: what it was for waits on."""


@dataclass(frozen=True, kw_only=True)
class Spoken:
    """One slash command."""

    opened: Session
    rest: str
    """What follows its name."""
    cause: Cause
    seen: Sequence["Line"] = ()
    """What this terminal shows; empty for the screen as it is."""
    scopes: MutableMapping[str, str] | None = None
    """By call: the digest of the scope that was shown here; None where each command is alone."""

    def call(self) -> tuple[Call, str]:
        """The call that is meant, and what follows its name."""
        handle, _, rest = self.rest.strip().partition(" ")
        if not handle:
            waiting = [call.handle for call, _ in pending(self.opened)]
            raise BadArguments(f"which one? {', '.join(waiting) or 'nothing waits'}")
        with self.opened.assistant.store.read(self.cause) as tx:
            return tx.call_named(handle), rest.strip()

    def cards(self, calls: Sequence[Call]) -> dict[str, "Line"]:
        """By call: the card as this terminal shows it. What counts is what was seen."""
        keys = {f"{OWNER}:card-{call.id}": call.id for call in calls}
        lines = self.seen or self.opened.assistant.screen.named(list(keys))
        return {keys[line.key]: line for line in lines if line.key in keys}

    def card(self, call: Call) -> str:
        line = self.cards([call]).get(call.id)
        return line.shown.digest if line else ""


def command(
    opened: Session,
    text: str,
    *,
    cause: Cause,
    seen: Sequence["Line"] = (),
    scopes: MutableMapping[str, str] | None = None,
) -> str:
    """One slash command, in code. What it says; empty where the screen will show it.

    Raises:
        CountedForNothing: it was an answer, and changed nothing.
        WordMissing: for want of a word.
    """
    name, _, rest = text[1:].strip().partition(" ")
    carry_out = COMMANDS.get(name.lower())
    if carry_out is None:
        raise BadArguments(f"there is no command /{name}; /help lists them")
    return carry_out(Spoken(opened=opened, rest=rest, cause=cause, seen=seen, scopes=scopes))


def cards_of(opened: Session, calls: Sequence[Call]) -> Sequence["Line"]:
    """The cards of these calls, as the screen has them."""
    return opened.assistant.screen.named([f"{OWNER}:card-{call.id}" for call in calls])


def to_be_shown(opened: Session, text: str, cause: Cause) -> Sequence["Line"]:
    """The cards that a command has just printed, which its terminal has therefore shown."""
    name, _, rest = text[1:].strip().partition(" ")
    if name.lower() == "pending":
        return cards_of(opened, [call for call, _ in pending(opened)])
    if name.lower() == "plan" and rest.strip() and _YES not in rest.split():
        return cards_of(
            opened, planned(opened, Spoken(opened=opened, rest=rest, cause=cause).call()[0])
        )
    return ()


def _said(said: Answer, again: str = "") -> str:
    """The words of an answer that counted; raises for one that did not."""
    if said.accepted:
        return said.text
    hint = f"\nType: {_with(again, said.word)}" if said.word and again else ""
    kind = WordMissing if said.word else CountedForNothing
    raise kind(f"{said.text}{hint}")


def _with(command: str, word: str) -> str:
    return f"{command} {word}" if word else command


# What waits


def _pending(spoken: Spoken) -> str:
    waiting = [call for call, _ in pending(spoken.opened)]
    if not waiting:
        return "Nothing waits for you."
    cards = cards_of(spoken.opened, waiting)
    return "\n".join(as_lines(card.shown) for card in cards) or "It is about to be shown."


def _approve(spoken: Spoken) -> str:
    call, word = spoken.call()
    said = answer(spoken.opened, call, Verb.APPROVE, card=spoken.card(call), word=word)
    return _said(said, f"/approve {call.handle}")


def _details(spoken: Spoken) -> str:
    call, _ = spoken.call()
    return detail_lines(f"{call.handle}: {call.state}", detailed(call, spoken.opened))


def _deny(spoken: Spoken) -> str:
    call, reason = spoken.call()
    said = answer(spoken.opened, call, Verb.DENY, card=spoken.card(call), reason=reason)
    return _said(said)


def _similar(spoken: Spoken) -> str:
    """First the scope, then the yes to that scope."""
    call, rest = spoken.call()
    sure, _, word = rest.partition(" ")
    grant = similar_to(spoken.opened, call)
    lines = "\n".join(say(grant, spoken.opened.settings.timezone))
    known = spoken.scopes.get(call.id) if spoken.scopes is not None else scope_digest(grant)
    if sure.lower() != _YES or known is None:
        if spoken.scopes is not None:
            spoken.scopes[call.id] = scope_digest(grant)
        return f"{lines}\nType: {_with(f'/similar {call.handle} {_YES}', call.word)}"
    said = approve_like(spoken.opened, call, card=spoken.card(call), scope=known, word=word.strip())
    return _said(said, f"/similar {call.handle} {_YES}")


def _plan(spoken: Spoken) -> str:
    """First all that waits together, then the yes to all of that."""
    call, rest = spoken.call()
    sure, _, word = rest.partition(" ")
    plan = planned(spoken.opened, call)
    if not plan:
        raise CountedForNothing(f"Nothing waits together with {call.handle}.")
    if sure.lower() != _YES:
        cards = cards_of(spoken.opened, plan)
        told = "\n".join(as_lines(card.shown) for card in cards)
        step = second_step(plan)
        more = f"All of it takes a second step: {step}.\n" if step else ""
        again = _with(f"/plan {call.handle} {_YES}", WORD if step else "")
        return f"{told}\n{more}Type: {again}"
    shown = {id: line.shown.digest for id, line in spoken.cards(plan).items()}
    said = approve_all(spoken.opened, call, cards=shown, word=word.strip())
    return _said(said, f"/plan {call.handle} {_YES}")


def _edit(spoken: Spoken) -> str:
    call, typed = spoken.call()
    args = {} if call.undoes else _otherwise(call, typed)  # of an undo nothing can be otherwise
    return _said(edited(spoken.opened, call, args, card=spoken.card(call)))


def _otherwise(call: Call, typed: str) -> dict[str, Any]:
    try:
        return json_object(typed)
    except BadArguments as error:
        trouble = str(error) if typed else "what is to be otherwise?"
        raise BadArguments(f"{trouble} Type: {_example(call)}") from error


def _example(call: Call) -> str:
    """How to change one of its fields, and which there are."""
    fields = list(call.asked)
    first = "title" if "title" in fields else next(iter(fields), "name")
    others = f" (it has {', '.join(fields)})" if len(fields) > 1 else ""
    return f'/edit {call.handle} {{"{first}": "..."}}{others}'


def _again(spoken: Spoken) -> str:
    call, _ = spoken.call()
    return _said(asked_again(spoken.opened, call))


# What was done, and why


def _undo(spoken: Spoken) -> str:
    handles = spoken.rest.split()
    if not handles:
        raise BadArguments("which one? such as /undo A17")
    found = taken_back(spoken.opened, handles, spoken.cause)
    told = "\n".join(one.text for one in found)
    if not any(one.accepted for one in found):
        raise CountedForNothing(told)
    return told


def _why(spoken: Spoken) -> str:
    call, _ = spoken.call()
    head, *rest = why(call)
    return "\n".join((head, *(f"  {line}" for line in rest)))


# Grants


def _grants(spoken: Spoken) -> str:
    zone = spoken.opened.settings.timezone
    found = granted(spoken.opened)
    told = [
        "\n  ".join((f"{grant.handle}: {say(grant, zone)[0]}", *say(grant, zone)[1:]))
        for grant in found
    ]
    return "\n".join(told) or "Nothing is granted: what asks, asks each time."


def _revoke(spoken: Spoken) -> str:
    handle = spoken.rest.strip()
    if not handle:
        raise BadArguments("which one? such as /revoke G3")
    ctx = spoken.opened.assistant.ctx
    return _said(revoke(handle, by=actor(), cause=spoken.cause, ctx=ctx))


# The house


def _stop(spoken: Spoken) -> str:
    assistant = spoken.opened.assistant
    return stop(
        channel=assistant.screen.name,
        place=OWNER,
        cause=spoken.cause,
        store=assistant.store,
        toolbox=assistant.toolbox,
        zone=spoken.opened.settings.timezone,
    )


def _new(spoken: Spoken) -> str:
    assistant = spoken.opened.assistant
    begin_anew(
        channel=assistant.screen.name, place=OWNER, cause=spoken.cause, store=assistant.store
    )
    return "A new conversation; the old one is kept."


def _lockdown(spoken: Spoken) -> str:
    return _enter(spoken, Mode.LOCKDOWN, spoken.rest)


def _mode(spoken: Spoken) -> str:
    name, _, words = spoken.rest.strip().partition(" ")
    if not name:
        with spoken.opened.assistant.store.read(spoken.cause) as tx:
            found = mode.said(tx.mode(), spoken.opened.settings.timezone)
        return "\n".join(f"{label}: {value}" for label, value in found.items() if value)
    try:
        wanted = Mode(name.lower())
    except ValueError as error:
        raise BadArguments(f"there is no mode {name}; there are {', '.join(Mode)}") from error
    return _enter(spoken, wanted, words)


def _review(spoken: Spoken) -> str:
    record, changes = mode.to_review(spoken.opened)
    if record.review is None:
        return "Nothing is looked at: that is for recovery (/mode recovery)."
    if not changes:
        return "Nothing is left to be looked at. Then: /mode normal"
    since = say_moment(record.review, spoken.opened.settings.timezone)
    told = [f"  {one['id']} {one['kind']}: {one['told']}" for one in changes]
    return "\n".join((f"Done since {since}:", *told, "For each: /keep ID, or /undo ID."))


def _keep(spoken: Spoken) -> str:
    handle = spoken.rest.strip()
    if not handle:
        raise BadArguments("which one? such as /keep A17")
    return _said(mode.kept(spoken.opened, handle, cause=spoken.cause))


def _enter(spoken: Spoken, wanted: Mode, words: str) -> str:
    """Enter a mode; ``words`` are a reason, or the second step out of lockdown."""
    reason, word = ("", words) if is_word(words) else (words, "")
    changed = mode.change(spoken.opened, wanted, cause=spoken.cause, reason=reason, word=word)
    return _said(changed, f"/mode {wanted}")


def _help(_spoken: Spoken) -> str:
    return HELP


COMMANDS: Mapping[str, Callable[[Spoken], str]] = {
    "help": _help,
    "?": _help,
    "pending": _pending,
    "approve": _approve,
    "similar": _similar,
    "plan": _plan,
    "details": _details,
    "deny": _deny,
    "edit": _edit,
    "again": _again,
    "undo": _undo,
    "why": _why,
    "grants": _grants,
    "revoke": _revoke,
    "stop": _stop,
    "lockdown": _lockdown,
    "mode": _mode,
    "review": _review,
    "keep": _keep,
    "new": _new,
}
