"""Slash commands of a chat in a terminal: the table of commands, parsed and printed."""

from collections.abc import Iterable, MutableMapping
from typing import TYPE_CHECKING

from assistant.commands.answer import Card, CommandOutcome
from assistant.commands.carry_out import bound_words
from assistant.commands.channel import CommandChannel
from assistant.domain.calls.states import CallState
from assistant.domain.errors import Denied, Stale, WaitsOn
from assistant.domain.jobs.job import Cause
from assistant.flows.render.cards import card_id
from assistant.flows.render.outcomes import delivery_of
from assistant.flows.render.plan_card import covered
from workers.cli.session import Session, context_of
from workers.cli.terminal.answers import in_words
from workers.settings import OWNER

if TYPE_CHECKING:
    from assistant.adapters.sql_screen import ScreenLine

_CARD = f"{OWNER}:card-"


class CountedForNothing(Stale):
    """An answer that changed nothing; its own words say why."""

    looked = False
    """Whether it printed what must be looked at first, so that the same line counts then."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else super().__str__()


class WordMissing(CountedForNothing, WaitsOn):
    """A yes, or a way out of lockdown, without the word that it takes: what it was for waits on."""

    word = ""


class NotAllowed(CountedForNothing, Denied):
    """What was wanted is not possible."""


_ERRORS = {CommandOutcome.WAITING: WordMissing, CommandOutcome.DENIED: NotAllowed}


def command(
    opened: Session,
    text: str,
    *,
    cause: Cause,
    shown: MutableMapping[str, str] | None = None,
    printed: list[Card] | None = None,
) -> str:
    """Carry out one slash command, in code; what it says, empty where the screen will show it.

    Args:
        opened: the parts.
        text: what was typed.
        cause: on whose behalf.
        shown: by call the digest of the card that this terminal showed; it learns what this
            command shows. None where each command is alone: then what the screen holds counts.
        printed: learns the cards that what it says shows.

    Raises:
        CountedForNothing: it was an answer, and changed nothing.
        WordMissing: for want of a word.
        NotAllowed: it cannot be.
    """
    alone = on_screen(opened) if shown is None else shown
    ctx = context_of(opened, CommandChannel.TERMINAL, cause=cause, shown=alone)
    asked = bound_words(ctx, text)
    sure = getattr(asked.args, "yes", False)
    if shown is None and sure and (preview := asked.preview(ctx)):
        ctx = ctx.having_shown(preview.shown)
    answer = asked.run(ctx)
    if answer.waits and answer.waits.soon:
        rested = opened.settle(answer.waits.trace, seconds=answer.waits.soon)
        answer = asked.then(ctx, answer, rested=rested) or answer
    said = in_words(ctx, answer)
    if shown is not None:
        shown.update(answer.digests)
    if printed is not None:
        printed.extend(answer.cards)
    if answer.outcome is not CommandOutcome.DONE:
        error = _ERRORS.get(answer.outcome, CountedForNothing)(said)
        error.looked = answer.outcome is CommandOutcome.STALE and bool(answer.cards)
        if isinstance(error, WordMissing):
            error.word = answer.word
        raise error
    return said


def on_screen(opened: Session) -> dict[str, str]:
    """By call: the digest of its card, of those that wait, as the screen holds it."""
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        waiting = tx.calls(states={CallState.PARKED})
        cards = [delivery_of(tx, card_id(call)) for call in waiting]
    keys = {f"{OWNER}:{card.wanted.within or card.id}" for card in cards if card is not None}
    return digests(opened.assistant.screen.named(keys))


def card_of(line: "ScreenLine") -> str:
    """Return the id of the call whose card this is; empty where it is none."""
    return line.key.removeprefix(_CARD) if line.key.startswith(_CARD) else ""


def digests(lines: Iterable["ScreenLine"]) -> dict[str, str]:
    """By call: the digest of its card, of those among these lines."""
    lines = list(lines)
    steps = {id: digest for line in lines for id, digest in covered(line.shown).items()}
    alone = {
        line.key.removeprefix(_CARD): line.shown.digest
        for line in lines
        if line.key.startswith(_CARD)
    }
    return {**steps, **alone}
