"""Take in what the owner says, stop what goes on, begin anew."""

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
    """Take in what the owner said, where they said it; the conversation, None if heard before.

    Args:
        text: their own words.
        channel: where they said it.
        place: in that channel.
        event: the channel's own name for it; the same one twice is heard once.
        cause: on whose behalf.
        store: where it is kept.
        limits: how much is heard at once.
        aside: where the owner alone reads, if others can read the place.
        quoted: others' words that came along: outside text, whoever passed them on.

    Raises:
        BadArguments: it is empty or longer than ``limits.said``.
    """
    if not text.strip():
        raise BadArguments("nothing was said")
    if len(text) > limits.said:
        raise BadArguments(f"{len(text)} characters at once; {limits.said} are heard")
    with store.begin(cause) as tx:
        if not tx.first_sight(channel, event):
            return None
        conversation = tx.conversation_in(channel, place, idle=limits.idle, aside=aside)
        for one in _bounded_quotes(quoted, limits.quoted):
            words = fence(one.text, source=one.source)
            tx.append(
                conversation.id,
                Entry(role=Role.OUTCOME, origin=Origin.OUTSIDE, source=one.source, text=words),
                answer=False,
            )
        entry = Entry(role=Role.OWNER, origin=Origin.OWNER, text=text)
        tx.append(conversation.id, entry, answer=True)
        tx.emit(Think(id=conversation.id))
        return conversation.id


def _bounded_quotes(quoted: Sequence[Quoted], left: int) -> Iterator[Quoted]:
    """As much of it as is heard, and how much is not."""
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
    """Stop what is going on in a conversation; what it says to the person.

    An answer under way is dropped when it comes, and calls that have not begun are cancelled. What
    has begun hears of it and stops where nothing is half done, or ends by itself. What waits for a
    person goes on waiting. However long the owner has said nothing, it is that conversation.
    """
    with store.begin(cause) as tx:
        conversation = tx.conversation_in(channel, place, idle=float("inf"))
        entry = Entry(role=Role.OWNER, origin=Origin.OWNER, text="(the owner said: stop)")
        seq = tx.append(conversation.id, entry, answer=True)
        tx.thought(conversation.id, seen=seq, tainted=False)
        # Workers go on meanwhile: each call is locked before it is told what becomes of it.
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
    """End the conversation there; what is said next begins a new one."""
    with store.begin(cause) as tx:
        tx.close(tx.conversation_in(channel, place, idle=float("inf")).id)
