"""Carry out a command: ask for what is to be typed first, then say what came of it."""

import time
from collections.abc import Callable, Sequence

from assistant.adapters.discord.text import shortened
from assistant.commands.answer import Answer, Button, CommandOutcome, Waits
from assistant.commands.buttons import terms_of
from assistant.commands.carry_out import offered
from assistant.commands.context import CommandContext
from assistant.domain.calls.states import OWED
from assistant.domain.conversation.deliveries import Action
from assistant.flows.approvals.buttons import buttons
from workers.discord.commands.asked import Asked, as_modal, word_modal
from workers.discord.commands.words import Pressable, buttons_of, cards_of, told
from workers.discord.interaction import MARK, Interaction, Reply, Way

_OFFERED = 25
"""Choices that Discord shows while an option is typed, at the most."""
_CHOICE = 90
"""Characters of one of them; Discord takes 100."""
_POLL = 0.1


def carry_out(asked: Asked, *, nobody_works: Callable[[], bool]) -> Reply:
    """Carry out a command, or answer with the form that it needs. Raises what the command does.

    Args:
        asked: the command.
        nobody_works: asked once something counts that workers carry out.
    """
    if form := asked.form():
        custom_id = asked.custom_id or _custom_id(asked.ctx, form.next)
        return Reply(way=Way.MODAL, modal=as_modal(form, custom_id=custom_id))
    answer = asked.bound.run(asked.ctx)
    if (
        answer.word
        and answer.outcome is CommandOutcome.WAITING
        and answer.next
        and not asked.filled
    ):
        custom_id = asked.custom_id or _custom_id(asked.ctx, answer.next)
        return Reply(way=Way.MODAL, modal=word_modal(answer.word, custom_id=custom_id))
    begun = answer.waits is not None and answer.outcome is CommandOutcome.DONE
    if answer.waits is not None and answer.waits.soon:
        rested = _rests(asked.ctx, answer.waits)
        answer = asked.bound.then(asked.ctx, answer, rested=rested) or answer
        begun = not rested
    late = begun and nobody_works()
    return told(answer, pressable=_pressable(asked.ctx, answer), late=late)


def offer(it: Interaction, ctx: CommandContext) -> Reply:
    """What fits an option that is being typed."""
    found = offered(ctx, it.name, it.focused, str(it.options.get(it.focused) or "").strip())
    choices = [(shortened(shown, _CHOICE), value) for shown, value in found[:_OFFERED]]
    return Reply(way=Way.CHOICES, choices=choices)


def _rests(ctx: CommandContext, waits: Waits) -> bool:
    """Wait for what is the answer itself; False once patience has ended."""
    give_up = time.monotonic() + waits.soon
    while time.monotonic() < give_up:
        with ctx.read() as tx:
            if not any(tx.call(id).state in OWED for id in waits.calls):
                return True
        time.sleep(_POLL)
    return False


# Buttons


def _pressable(ctx: CommandContext, answer: Answer) -> Sequence[Pressable]:
    """The buttons below an answer, stored; of one card its own."""
    cards = cards_of(answer)
    if found := buttons_of(answer):
        shown = {**ctx.shown, **{one.call: one.shown.digest for one in cards}, **answer.shown}
        return _stored(ctx.having_shown(shown), found)
    if len(cards) != 1:
        return ()
    [card] = cards
    actions = card.shown.actions
    digest = card.shown.digest
    tokens = buttons(actions, by=ctx.by, card=digest, cause=ctx.cause, ctx=ctx.flows)
    return [Pressable(action=one, token=word) for one, word in zip(actions, tokens, strict=True)]


def _stored(ctx: CommandContext, found: Sequence[Button]) -> list[Pressable]:
    """Buttons of an answer. Those about one thing are bound to what is shown of it."""
    named = [(one, one.verb) for one in found if one.verb is not None]
    actions = [
        Action(
            verb=verb,
            label=one.label,
            subject=one.subject,
            choice=one.choice,
            detail=one.detail,
        )
        for one, verb in named
    ]
    terms = [terms_of(one, ctx.shown) for one, _ in named]
    subjects = {one.subject for one in found}
    card = ctx.shown.get(found[0].subject, "") if len(subjects) == 1 else ""
    tokens = buttons(actions, by=ctx.by, card=card, terms=terms, cause=ctx.cause, ctx=ctx.flows)
    return [Pressable(action=one, token=word) for one, word in zip(actions, tokens, strict=True)]


def _custom_id(ctx: CommandContext, button: Button) -> str:
    """What a form carries that no button led to."""
    [stored] = _stored(ctx, [button])
    return f"{MARK}{stored.token}"
