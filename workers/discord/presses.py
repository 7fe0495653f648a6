"""A button or a form: what it means, and what is answered. Decisions are made in the flows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assistant.adapters.discord.modals import modal, read_modal, text_modal
from assistant.domain.approvals import Answer, Verb
from assistant.domain.call_states import CallState
from assistant.domain.calls import Call
from assistant.domain.decisions import MODEL
from assistant.domain.deliveries import Action, Home, Line
from assistant.domain.errors import AssistantError, Denied, NotFound
from assistant.domain.grants import say as say_grant
from assistant.domain.jobs import Cause
from assistant.domain.limits import TalkLimits
from assistant.domain.mail import MailState
from assistant.domain.modes import Mode
from assistant.domain.tokens import Token
from assistant.domain.typed_times import write_times
from assistant.flows.anew import edit_call
from assistant.flows.call_status import lookup_status
from assistant.flows.cards import card_id, in_short, second_step, why
from assistant.flows.chat import hear
from assistant.flows.context import Context
from assistant.flows.details import details
from assistant.flows.granting import draft_similar, scope_digest
from assistant.flows.modes import Changed, set_mode
from assistant.flows.plans import plan_of
from assistant.flows.pressing import Button, buttons, look_up, press, use_up
from assistant.flows.undoing import Undoing, undo
from assistant.flows.waiting import REASON, late
from assistant.ports import Blobs
from assistant.tools.contract.tool import Tool
from ingest.announce import actions_on
from ingest.forget import forget_mail
from ingest.showing import whole
from workers.discord import place
from workers.discord.interaction import Interaction, Kind, Reply, Way
from workers.discord.words import beside, dated, offer, read, say, show

ONCE_ONE_RUNS = "runs as soon as a worker does"
"""When what would run at once runs, where no worker moves."""
_SURE = {"sure": "yes"}


@dataclass(frozen=True, kw_only=True)
class Pressing:
    """What presses need, bound once."""

    ctx: Context
    blobs: Blobs
    limits: TalkLimits
    home: Home
    nobody_works: Callable[[], str]
    """What is told where nobody works just now, else nothing. Asked once something counts."""

    @property
    def zone(self) -> str:
        return self.ctx.zone


@dataclass(frozen=True, kw_only=True)
class Pressed:
    """One press by somebody who is listened to."""

    it: Interaction
    button: Button
    cause: Cause
    ctx: Pressing

    @property
    def token(self) -> Token:
        return self.button.token

    @property
    def by(self) -> str:
        return place.person(self.it.user)

    @property
    def typed(self) -> str:
        """What the form's one input holds."""
        return self.it.fields.get("text", "")

    @property
    def filled(self) -> bool:
        """True for a form that was sent, False for the button that leads to one."""
        return self.it.kind is Kind.MODAL

    def call(self) -> Call:
        with self.ctx.ctx.store.read(self.cause) as tx:
            return tx.call(self.token.subject)

    def late(self, call: Call) -> Reply:
        """It waits no more: how it stands."""
        with self.ctx.ctx.store.read(self.cause) as tx:
            return say(late(tx, call))

    def tool(self, call: Call) -> Tool[Any] | None:
        return self.ctx.ctx.toolbox.get(call.tool)

    def goes_on(self) -> str:
        """The conversation in which the model has to say more after this; empty where none."""
        try:
            call = self.button.call or self.call()
        except AssistantError:  # what was decided is, whatever cannot be read of it now
            return ""
        return call.conversation if call.actor == MODEL else ""


def pressed(it: Interaction, *, cause: Cause, ctx: Pressing) -> Reply:
    """Carry out a press.

    Raises:
        NotFound: it is no button of ours.
        Denied: it counts for nothing, wherever that comes from.
    """
    found = look_up(
        it.token,
        by=place.person(it.user),
        shown_as=it.message,
        cause=cause,
        ctx=ctx.ctx,
    )
    one = Pressed(it=it, button=found, cause=cause, ctx=ctx)
    return _MEANINGS.get(found.token.verb, _decided)(one)


def _decided(one: Pressed) -> Reply:
    """A button that decides something by itself; with a second step where one is asked for."""
    said = press(
        one.button,
        by=one.by,
        cause=one.cause,
        ctx=one.ctx.ctx,
        word=one.typed if one.token.verb is not Verb.DENY else "",
        reason=one.typed if one.token.verb is Verb.DENY else "",
    )
    if said.word and not one.filled:
        return ask_word(said, custom_id=one.it.custom_id)
    return _answered(one, said)


def _answered(one: Pressed, said: Answer) -> Reply:
    if not said.accepted:
        return dated(say(said.text), said.at)
    nobody = one.ctx.nobody_works()
    told = say(said.told(at_once=ONCE_ONE_RUNS), nobody) if nobody else say(said.text)
    return replace(dated(told, said.at), follow=one.goes_on())


def begun(*lines: str, ctx: Pressing) -> Reply:
    """What counts from now on and is carried out by workers; where none moves, that too."""
    nobody = ctx.nobody_works()
    return say(*lines, nobody) if nobody else say(*lines)


def ask_word(said: Answer, *, custom_id: str) -> Reply:
    """A form for the second step."""
    label = f"Type {said.word}"
    form = text_modal("A second step", custom_id, label, placeholder=said.word)
    return Reply(way=Way.MODAL, modal=form)


def _denied(one: Pressed) -> Reply:
    if one.filled:
        return _decided(one)
    call = one.call()
    if call.state is not CallState.PARKED:
        return _decided(one)  # says how it stands
    form = text_modal(
        f"Deny {call.handle}",
        one.it.custom_id,
        "Why? The model is told.",
        required=False,
        placeholder="optional",
        most=REASON,
    )
    return Reply(way=Way.MODAL, modal=form)


def _edited(one: Pressed) -> Reply:
    call = one.call()
    tool = one.tool(call)
    if tool is None:
        raise NotFound(f"tool {call.tool}")
    args: dict[str, Any] = {}
    if not one.filled and call.state is not CallState.PARKED:
        return one.late(call)
    if not call.undoes:  # of an undo nothing can be otherwise
        schema = tool.schema.parameters
        if not one.filled:
            asked = write_times(call.asked, schema, zone=one.ctx.zone)
            form = modal(f"Edit {call.handle}", one.it.custom_id, schema, asked)
            return Reply(way=Way.MODAL, modal=form)
        args = _emptied(call, read_modal(schema, one.it.fields))
    said = edit_call(
        call.id,
        args,
        by=one.by,
        card=one.token.card,
        cause=one.cause,
        ctx=one.ctx.ctx,
    )
    return _answered(one, said)


def _emptied(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """What was there and is not any more was taken out, and does not simply stay."""
    return {**dict.fromkeys(call.asked.keys() - args.keys()), **args}


def _detailed(one: Pressed) -> Reply:
    with one.ctx.ctx.store.read(one.cause) as tx:
        status = lookup_status(tx, tx.call(one.token.subject))
    return read(details(status, one.tool(status.call), zone=one.ctx.zone))


def _why(one: Pressed) -> Reply:
    return say(*why(one.call()))


def _more(one: Pressed) -> Reply:
    """The rarer answers, each with what it would mean."""
    call, ctx = one.call(), one.ctx
    if call.state is not CallState.PARKED:
        return one.late(call)
    lines: list[Line] = []
    labels: dict[Verb, str] = {}
    terms: dict[Verb, Mapping[str, str]] = {}
    try:
        grant = draft_similar(call.id, by=one.by, cause=one.cause, ctx=ctx.ctx)
    except Denied as error:
        lines.append(Line(label="Calls like it", value=str(error)))
    else:
        scope = "\n".join(say_grant(grant, ctx.zone))
        meant = "Approving calls like it would mean"
        lines.append(Line(label=meant, value=scope, at=grant.expires))
        labels[Verb.SIMILAR] = "Approve such calls"
        terms[Verb.SIMILAR] = {"scope": scope_digest(grant)}
    plan = plan_of(call.id, cause=one.cause, ctx=ctx.ctx)
    if len(plan) > 1:
        with ctx.ctx.store.read(one.cause) as tx:
            cards = {each.id: tx.delivery(card_id(each)) for each in plan}
        told = (f"{each.handle}: {in_short(cards[each.id].wanted)}" for each in plan)
        lines.append(Line(label="All that waits together", value="\n".join(told)))
        if step := second_step(plan):
            lines.append(Line(label="Approving all takes a second step", value=step))
        labels[Verb.PLAN] = f"Approve all {len(plan)}"
        terms[Verb.PLAN] = {each.id: cards[each.id].shown for each in plan}
    labels |= {Verb.SNOOZE: "Remind me later", Verb.WHY: "Why?"}
    actions = [Action(verb=verb, label=label, subject=call.id) for verb, label in labels.items()]
    tokens = buttons(
        actions, by=one.by, card=one.token.card, terms=terms, cause=one.cause, ctx=ctx.ctx
    )
    return offer(f"{call.handle}: more", lines, list(zip(actions, tokens, strict=True)))


def _undone(one: Pressed) -> Reply:
    found = undo(
        [one.token.subject],
        by=one.by,
        channel=place.CHANNEL,
        place=place.alone(one.it.user),
        cause=one.cause,
        ctx=one.ctx.ctx,
    )
    if any(each.accepted for each in found):
        use_up(one.token, by=one.by, cause=one.cause, ctx=one.ctx.ctx)
    return told_of(found, ctx=one.ctx)


def told_of(found: Sequence[Undoing], *, ctx: Pressing) -> Reply:
    """What came of wanting to undo these."""
    texts = [each.text for each in found]
    return begun(*texts, ctx=ctx) if any(each.accepted for each in found) else say(*texts)


def _entered(one: Pressed) -> Reply:
    mode = Mode(one.token.subject)
    changed = enter(mode, one.it, word=one.typed, cause=one.cause, use=one.ctx)
    if changed.word and not one.filled:
        return ask_word(changed, custom_id=one.it.custom_id)
    return say(changed.text)


def enter(
    mode: Mode,
    it: Interaction,
    *,
    reason: str = "",
    word: str = "",
    cause: Cause,
    use: Pressing,
) -> Changed:
    """Enter a mode, by the word of whoever acts here."""
    ctx = use.ctx
    return set_mode(
        mode,
        by=place.person(it.user),
        reason=reason,
        word=word,
        cause=cause,
        store=ctx.store,
        clock=ctx.clock,
        toolbox=ctx.toolbox,
        zone=ctx.zone,
        home=use.home,
    )


def show_mail(id: str, *, by: str, cause: Cause, ctx: Pressing) -> Reply:
    """A mail, whole, and what can be done about it. Raises ``NotFound``."""
    with ctx.ctx.store.read(cause) as tx:
        mail = tx.mail(id)
    words = read(whole(mail, blobs=ctx.blobs, zone=ctx.zone))
    more = [action for action in actions_on(mail) if action.verb != Verb.SHOW]
    if not more:
        return words
    tokens = buttons(more, by=by, cause=cause, ctx=ctx.ctx)
    return beside(words, list(zip(more, tokens, strict=True)))


def _shown(one: Pressed) -> Reply:
    return show_mail(one.token.subject, by=one.by, cause=one.cause, ctx=one.ctx)


def _revealed(one: Pressed) -> Reply:
    """What waits for the owner where others read, as it is now, with buttons for them alone.

    These are of no delivery: pressed on this answer, they would seem to be replayed.
    """
    ctx = one.ctx.ctx
    with ctx.store.read(one.cause) as tx:
        wanted = tx.delivery(one.token.subject).wanted
    tokens = buttons(wanted.actions, by=one.by, card=wanted.digest, cause=one.cause, ctx=ctx)
    return show(wanted, tokens)


def _asked(one: Pressed) -> Reply:
    """Ask something about a mail: heard as the owner's words, the mail named by code."""
    if late := _forgotten_already(one):
        return late
    if not one.filled:
        form = text_modal("Ask about this mail", one.it.custom_id, "Your question", long=True)
        return Reply(way=Way.MODAL, modal=form)
    talk = hear(
        f"{one.typed}\n(This is about mail {one.token.subject}.)",
        channel=place.CHANNEL,
        place=place.alone(one.it.user),
        event=f"interaction {one.it.id}",
        cause=one.cause,
        store=one.ctx.ctx.store,
        limits=one.ctx.limits,
    )
    heard = begun("I am on it; the answer comes in our direct messages.", ctx=one.ctx)
    return replace(heard, follow=talk or "")


def _forgotten(one: Pressed) -> Reply:
    """A second step first: what is forgotten is gone."""
    if late := _forgotten_already(one):
        return late
    mail, ctx = one.token.subject, one.ctx
    if one.token.terms != _SURE:
        sure = Action(verb=Verb.FORGET, label="Forget it for good", subject=mail)
        terms = {Verb.FORGET: _SURE}
        [word] = buttons([sure], by=one.by, terms=terms, cause=one.cause, ctx=ctx.ctx)
        meant = Line(
            label="What this does",
            value="Its words, its summary, its attachments and what came in are deleted. "
            "Nobody can bring them back.",
        )
        return offer(f"Forget mail {mail[:8]}?", [meant], [(sure, word)])
    forget_mail(mail, by=one.by, cause=one.cause, store=ctx.ctx.store)
    return say("It is forgotten.")


def _forgotten_already(one: Pressed) -> Reply | None:
    with one.ctx.ctx.store.read(one.cause) as tx:
        mail = tx.mail(one.token.subject)
    return say("That mail was forgotten.") if mail.state is MailState.FORGOTTEN else None


_MEANINGS: Mapping[Verb, Callable[[Pressed], Reply]] = {
    Verb.DENY: _denied,
    Verb.EDIT: _edited,
    Verb.DETAILS: _detailed,
    Verb.WHY: _why,
    Verb.MORE: _more,
    Verb.UNDO: _undone,
    Verb.MODE: _entered,
    Verb.SHOW: _shown,
    Verb.REVEAL: _revealed,
    Verb.ASK: _asked,
    Verb.FORGET: _forgotten,
}
