"""Take in what the owner says, stop work under way, end a conversation."""

from collections.abc import Iterator, Sequence

from assistant.domain.calls.states import OWED, CallState
from assistant.domain.conversation.conversation import (
    Entry,
    Origin,
    Quoted,
    Role,
)
from assistant.domain.errors import BadArguments
from assistant.domain.jobs.job import Cause
from assistant.domain.limits import ConversationLimits
from assistant.domain.messages import Think
from assistant.domain.store import Store
from assistant.domain.text.fence import fence
from assistant.domain.text.sound import sound
from assistant.flows.conversation.news import note_act
from assistant.flows.render.outcomes import show_card
from assistant.tools.contract.toolbox import Toolbox


def hear(
    text: str,
    *,
    channel: str,
    place: str,
    event: str,
    cause: Cause,
    store: Store,
    limits: ConversationLimits,
    aside: str = "",
    quoted: Sequence[Quoted] = (),
) -> str | None:
    """Take in what the owner said; return the conversation's id, or None if it was heard before.

    Args:
        text: the owner's own words.
        channel: where they said it.
        place: where in that channel.
        event: the channel's id of the message; a message that comes twice is heard once.
        cause: on whose behalf.
        store: where it is kept.
        limits: how much is heard at once.
        aside: where only the owner reads; empty unless others can read the place.
        quoted: words of others that came with the message: outside text, whoever passed them on.

    Raises:
        BadArguments: the text is empty or longer than ``limits.said``.
    """
    if not text.strip():
        raise BadArguments("nothing was said")
    if len(text) > limits.said:
        raise BadArguments(f"{len(text)} characters at once; the limit is {limits.said}")
    with store.begin(cause) as tx:
        if not tx.first_sight(channel, event):
            return None
        note_act(tx, channel=channel, place=aside or place)
        conversation = tx.conversation_in(channel, place, idle=limits.idle, aside=aside)
        for one in _bounded_quotes(quoted, limits.quoted):
            fenced = fence(one.text, source=one.source)
            tx.append(
                conversation.id,
                Entry(role=Role.OUTCOME, origin=Origin.OUTSIDE, source=one.source, text=fenced),
                answer=False,
            )
        entry = Entry(role=Role.OWNER, origin=Origin.OWNER, text=text)
        tx.append(conversation.id, entry, answer=True)
        tx.emit(Think(id=conversation.id))
        return conversation.id


def _bounded_quotes(quoted: Sequence[Quoted], left: int) -> Iterator[Quoted]:
    """Cut quotes to ``left`` characters in all, and say how much was left out."""
    for one in quoted:
        kept, cut = one.text[:left], len(one.text[left:])
        left -= len(kept)
        more = f"\n[{cut} more characters of this were left out]" if cut else ""
        yield Quoted(source=one.source, text=sound(kept + more))


def stop(
    *,
    channel: str,
    place: str,
    cause: Cause,
    store: Store,
    toolbox: Toolbox,
    zone: str,
) -> str:
    """Stop the work of a conversation; return what to tell the person.

    Drops an answer under way when it comes, cancels calls that have not begun, and asks running
    calls to stop; these stop where nothing is half done, or end by themselves. Calls that wait for
    a person go on waiting. Finds the conversation however long the owner has said nothing.
    """
    with store.begin(cause) as tx:
        conversation = tx.conversation_in(channel, place, idle=float("inf"))
        note = Entry(
            role=Role.NOTE,
            origin=Origin.ASSISTANT,
            text="The owner stopped the work under way.",
        )
        seq = tx.append(conversation.id, note, answer=True)
        tx.thought(conversation.id, seen=seq, tainted=False)
        # Workers go on meanwhile, so each call is locked and read again before it is changed.
        seen = tx.calls(conversation=conversation.id, states=OWED)
        held = [tx.call(call.id, lock=True) for call in seen]
        calls = [call for call in held if call.state in OWED]
        cancelled = [
            tx.move(call, CallState.CANCELLED, result="the owner stopped it")
            for call in calls
            if call.state is CallState.CLEARED
        ]
        for call in cancelled:
            show_card(tx, call, toolbox=toolbox, zone=zone)
        going = [call for call in calls if call.state is not CallState.CLEARED]
        for call in going:
            tx.ask_stop(call)
    told = ["Stopped."]
    if cancelled:
        told.append(f"Not done: {', '.join(call.handle for call in cancelled)}.")
    if going:
        names = ", ".join(call.handle for call in going)
        told.append(f"Under way, and told to stop: {names}.")
    return " ".join(told)


def begin_anew(*, channel: str, place: str, cause: Cause, store: Store) -> None:
    """End the conversation of a place; the next message there begins a new one."""
    with store.begin(cause) as tx:
        tx.close(tx.conversation_in(channel, place, idle=float("inf")).id)
