"""The one desk behind the gateway and the HTTP endpoint: who may speak, and how far answers are.

What a command or a button does is in the table of commands (``assistant.commands``).
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from assistant.commands.channel import CommandChannel
from assistant.commands.context import CommandContext, CommandPorts
from assistant.domain.approvals.approval import Verb
from assistant.domain.approvals.tokens import hashed
from assistant.domain.calls.batches import owed
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import STATES, CallState, state_name
from assistant.domain.conversation.conversation import Conversation
from assistant.domain.conversation.deliveries import Shown, ShownKind
from assistant.domain.errors import AssistantError, BadArguments, NotFound, Transient
from assistant.domain.ids import new_trace
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import Deliver
from assistant.domain.policy.decisions import MODEL
from assistant.domain.store import Tx
from assistant.flows.approvals.buttons import ReplayedButton
from assistant.flows.conversation.hear import hear
from assistant.flows.conversation.people import PeopleContext, refused
from assistant.flows.governance.signals import signal_intrusion
from assistant.flows.operations.upkeep import queues_move
from assistant.flows.render.cards import card_id, to
from assistant.flows.render.outcomes import delivery_of, message_of, shown_digest
from workers.command_parts import CommandParts
from workers.discord import place
from workers.discord.commands.asked import Asked, pointed_at, pressed, typed
from workers.discord.commands.carrying import carry_out, offer
from workers.discord.commands.words import LATE, say
from workers.discord.interaction import PONG, Interaction, Kind, Reply, Way
from workers.discord.said import AnswerProgress, Heard, Said

if TYPE_CHECKING:
    from workers.parts import Assistant

log = logging.getLogger(__name__)

STRANGER = "I listen to my owner alone, and I do not know you."
NEWCOMER = (
    "I know nobody yet. Whoever runs me: `assistant pair` prints a code; give it to me with /pair."
)
UNREACHABLE = "I cannot reach what I need just now ({why}) Nothing was done; try again in a moment."
UNHEARD = "I cannot reach my database just now, so I have not heard this. Say it again in a moment."
UNFIT = "I did not hear this: {why}. /help tells what I understand."
_PAIR = "pair"
"""The one command that strangers may give."""
_PROGRESS = "progress-"
_MOST_DUE = 50
_DUE = timedelta(seconds=30)
"""How old a delivery is that is not simply being shown just now."""
_UNKNOWN = "an unknown tool"
"""In the place of a name that a model made up, which could read like a line of ours."""


@dataclass(frozen=True, kw_only=True)
class Desk:
    """Synchronous and safe between threads. What is expected to go wrong becomes words."""

    parts: CommandPorts
    lately: timedelta
    """How long ago a canary may have come out of a queue that moves."""

    @property
    def listening(self) -> PeopleContext:
        return self.parts.people

    # What people do

    def answer(self, it: Interaction) -> Reply:
        """Carry out a press, a form, a command, or say what fits a half-typed option."""
        if it.kind is Kind.PING:
            return PONG
        try:
            return self._answered(it)
        except Transient as error:
            log.warning("interaction %s: %s", it.id, error)
            reply = say(UNREACHABLE.format(why=str(error)))
        except ReplayedButton as error:
            self._intruded("a button was pressed where it was never shown", it)
            reply = say(str(error))
        except AssistantError as error:
            reply = say(str(error))
        return Reply(way=Way.CHOICES) if it.kind is Kind.AUTOCOMPLETE else reply

    def hear(self, said: Said) -> Heard:
        """Take in what somebody wrote, if it was written to us."""
        try:
            return self._heard(said)
        except BadArguments as error:
            return Heard(reply=UNFIT.format(why=error.args[0]))
        except Transient as error:
            log.warning("message %s was not heard: %s", said.id, error)
            return Heard(reply=UNHEARD)
        except AssistantError as error:
            log.exception("message %s was not heard", said.id)
            return Heard(reply=f"I could not take that in: {error}")

    # How far an answer is

    def busy(self, id: str) -> AnswerProgress:
        """Whether an answer is owed in a conversation, and what is being done for it."""
        with self._read() as tx:
            conversation = tx.conversation(id)
            found = tx.calls(conversation=id, limit=30)
        calls = [call for call in reversed(found) if call.actor == MODEL]
        turns = {call.turn for call in calls}
        going = [
            call for turn in turns for call in owed([one for one in calls if one.turn == turn])
        ]
        if not (conversation.owed or going):
            return AnswerProgress(owed=False)
        told = [call for call in calls if _since(call, conversation.spoke) or call in going]
        return AnswerProgress(
            owed=True, line=self._line(conversation, told), place=conversation.place
        )

    def progress(self, conversation: str, line: str, *, after: float = 0.0) -> None:
        """Let the progress line say this; an empty one is taken away.

        A line is shown ``after`` so many seconds. Its job waits for that, and is due at once where
        the line is taken away before.
        """
        id = f"{_PROGRESS}{conversation}"
        shown = Shown(kind=ShownKind.PROGRESS, text=line)
        if not line and not self._stands(id):
            return
        due = self.parts.clock.now() + timedelta(seconds=after) if line and after else None
        with self.parts.store.begin(self._cause()) as tx:
            tx.want(to(tx.conversation(conversation), id, shown, public=True), due=due)

    def _stands(self, id: str) -> bool:
        """Whether a line is there to be taken away; most answers come before there is any."""
        with self._read() as tx:
            before = delivery_of(tx, id)
        return before is not None and bool(before.wanted.text)

    def following(self) -> list[str]:
        """Conversations whose progress line still stands, to be followed again after a restart."""
        with self._read() as tx:
            found = tx.deliveries(channel=place.CHANNEL, prefix=_PROGRESS)
        return [one.id.removeprefix(_PROGRESS) for one in found if one.wanted.text]

    def show_what_is_due(self) -> None:
        """See that what is not shown yet is tried anew: what failed may go well by now.

        Raises ``Transient``.
        """
        before = self.parts.clock.now() - _DUE
        with self._read() as tx:
            found = tx.deliveries(channel=place.CHANNEL, settled=False, limit=_MOST_DUE)
        due = [one for one in reversed(found) if not one.created or one.created <= before]
        if not due:
            return
        with self.parts.store.begin(self._cause()) as tx:
            for delivery in due:
                tx.emit(Deliver(id=delivery.id))

    # Inside

    def _answered(self, it: Interaction) -> Reply:
        owner = self.listening.who(it.user)
        if not owner:
            return self._refused(it)
        cause = Cause(owner=owner, trace=new_trace())
        if it.target:
            return self._carried_out(pointed_at(it, self._context(it, cause)))
        if it.kind in (Kind.PRESS, Kind.MODAL):
            return self._carried_out(pressed(it, self._context(it, cause)))
        ctx = self._context(it, cause, where=self._place(it, cause))
        if it.kind is Kind.AUTOCOMPLETE:
            return offer(it, ctx)
        if it.name == "pending":
            self.show_what_is_due()
        return self._carried_out(typed(it, ctx.having_shown(self._shown_to(it, cause))))

    def _carried_out(self, asked: Asked) -> Reply:
        return carry_out(asked, nobody_works=lambda: bool(self._late()))

    def _context(self, it: Interaction, cause: Cause, *, where: str = "") -> CommandContext:
        """What a command may use. It is about the direct messages unless something else is said."""
        alone = place.alone(it.user)
        there = where or alone
        return CommandContext(
            by=place.person(it.user),
            channel=CommandChannel.DISCORD,
            conversations=place.CHANNEL,
            place=there,
            aside="" if there == alone else alone,
            event=f"interaction {it.id}",
            answers_in="in our direct messages" if there == alone and not it.private else "here",
            cause=cause,
            parts=self.parts,
        )

    def _shown_to(self, it: Interaction, cause: Cause) -> Mapping[str, str]:
        """By call: the digest of its card, of those that stand in this person's direct messages."""
        if "call" not in it.options:
            return {}
        with self.parts.store.read(cause) as tx:
            waiting = tx.calls(states={CallState.PARKED})
            cards = {call.id: delivery_of(tx, card_id(call)) for call in waiting}
            here = (place.CHANNEL, place.alone(it.user), "")
            shown = {}
            for id, card in cards.items():
                message = message_of(tx, card) if card is not None else None
                if card is None or message is None or not message.settled:
                    continue
                if (message.channel, message.place, message.note) == here:
                    shown[id] = shown_digest(tx, id, card)
        return {id: digest for id, digest in shown.items() if digest}

    def _place(self, it: Interaction, cause: Cause) -> str:
        """The thread or channel it was given in, where we talk there; else the direct messages."""
        if not it.private:
            here = place.thread(it.parent, it.channel) if it.parent else place.channel(it.channel)
            with self.parts.store.read(cause) as tx:
                if tx.talks_in(place.CHANNEL, here):
                    return here
        return place.alone(it.user)

    def _refused(self, it: Interaction) -> Reply:
        """A stranger: told so, noted, and listened to no further; but for the one right word."""
        cause = self._cause()
        if it.kind is Kind.COMMAND and it.name == _PAIR:
            return self._carried_out(typed(it, self._context(it, cause)))
        if it.kind is Kind.AUTOCOMPLETE:
            return Reply(way=Way.CHOICES)
        refused(it.user, it.kind.name.lower(), cause=cause, ctx=self.listening)
        if it.token and self._is_ours(it.token, cause):
            self._intruded("somebody else pressed a button", it)
        return say(self._unknown() if it.kind is Kind.COMMAND else STRANGER)

    def _unknown(self) -> str:
        """What a stranger is told who begins to talk; the first may be who runs it all."""
        return STRANGER if self.listening.everybody(self.listening.owner) else NEWCOMER

    def _is_ours(self, token: str, cause: Cause) -> bool:
        """Whether it is a button that nobody but us should see; one is for all to see."""
        try:
            with self.parts.store.read(cause) as tx:
                return tx.token(hashed(token)).verb is not Verb.REVEAL
        except NotFound:
            return False

    def _intruded(self, what: str, it: Interaction) -> None:
        log.warning("%s on Discord (user %s)", what, it.user)
        try:
            signal_intrusion(
                f"{what} on Discord",
                cause=self._cause(),
                store=self.parts.store,
                home=self.parts.home,
                zone=self.parts.zone,
            )
        except AssistantError:
            log.exception("the assistant could not be put on its guard")

    def _heard(self, said: Said) -> Heard:
        owner = self.listening.who(said.user)
        if not owner:
            return self._unheard(said)
        cause = Cause(owner=owner, trace=new_trace())
        if not (said.private or said.mentioned) and not self._talks(said, cause):
            return Heard()
        conversation = hear(
            said.text if said.text.strip() or not said.quoted else "(see what is quoted)",
            channel=place.CHANNEL,
            place=said.place,
            event=f"message {said.id}",
            cause=cause,
            store=self.parts.store,
            limits=self.parts.limits,
            aside=said.aside,
            quoted=said.quoted,
        )
        if conversation is None:
            return Heard()
        if said.private:
            self._show_again()
        return Heard(conversation=conversation, reply=self._late())

    def _show_again(self) -> None:
        """Whoever writes directly may have opened their direct messages again."""
        try:
            self.show_what_is_due()
        except Transient as error:
            log.warning("what is not shown yet is not tried again: %s", error)

    def _unheard(self, said: Said) -> Heard:
        if not (said.private or said.mentioned):
            return Heard()
        news = refused(said.user, "message", cause=self._cause(), ctx=self.listening)
        return Heard(reply=self._unknown() if news else "", refused=news)

    def _talks(self, said: Said, cause: Cause) -> bool:
        """Whether this is said in a thread where we talk already."""
        if not (said.parent and said.text.strip()):
            return False
        with self.parts.store.read(cause) as tx:
            return tx.talks_in(place.CHANNEL, said.place)

    def _late(self) -> str:
        """What is told beside what was heard; nothing where that cannot be known just now."""
        try:
            return "" if self._moves() else LATE
        except Transient as error:
            log.warning("whether anybody works is unknown: %s", error)
            return ""

    def _line(self, conversation: Conversation, calls: Sequence[Call]) -> str:
        if not self._moves():
            return LATE
        if conversation.aside:  # others read it: what is looked at is the owner's own
            return "Working on it…"
        known = self.parts.toolbox
        told = [_told(call, call.tool if known.get(call.tool) else _UNKNOWN) for call in calls]
        return " · ".join(filter(None, told)) or "Thinking…"

    def _moves(self) -> bool:
        """Whether every queue has been crossed lately."""
        fresh = self.parts.clock.now() - self.lately
        return queues_move(self.parts.store, since=fresh)

    def _cause(self) -> Cause:
        return Cause(owner=self.listening.owner, trace=new_trace())

    def _read(self) -> AbstractContextManager[Tx]:
        return self.parts.store.read(self._cause())


def _since(call: Call, spoke: datetime) -> bool:
    return call.created is not None and call.created >= spoke


def _told(call: Call, name: str) -> str:
    return STATES[call.state].in_progress.format(
        handle=call.handle,
        name=name,
        progress=call.progress or "running",
        state=state_name(call.state),
    )


def make_desk(assistant: "Assistant") -> Desk:
    """The desk of real parts."""
    parts = CommandParts(assistant)
    _ = parts.flows  # what is misconfigured is told now
    return Desk(parts=parts, lately=assistant.settings.lately)
