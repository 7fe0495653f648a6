"""Make a call that a mail led to: code took its arguments from the mail, at the owner's wish."""

from collections.abc import Mapping
from typing import Any

from assistant.domain.calls.call import Call, Influence, QuotedArgument
from assistant.domain.conversation.conversation import Want
from assistant.domain.jobs.job import Cause
from assistant.domain.mail.heading import NOBODY, heading_of
from assistant.domain.mail.mail import Mail, how_known
from assistant.domain.mail.ports import MailTx
from assistant.domain.text.rows import one_row
from assistant.flows.calls.judge import draft_for, inspect
from assistant.flows.calls.owner_calls import record_all
from assistant.flows.context import Context
from assistant.flows.render.influence import VIA

WHY = "its words come from a mail"
"""Why a person is asked about such a call, whatever the policy or a grant would let run."""


def influence_of(tx: MailTx, mail: Mail, *, writer: str = "") -> Influence:
    """Name a mail as what led to a call, and grade who sent it by earlier mails from there.

    Of what was forwarded by hand it names who wrote that, as the forward says: often its owner
    sent the rest. ``writer``: an address, where the forward names none.
    """
    source = f"mail {mail.id} from {mail.sender_address or NOBODY}"
    if mail.forwarded is not None:
        wrote = one_row(heading_of(mail).sender_address or writer)
        if wrote and wrote.casefold() != mail.sender_address.casefold():
            source = f"mail {mail.id} from {wrote}{VIA}{mail.sender_address or NOBODY}"
    return Influence(source=source, grade=how_known(mail.sender_address, tx.earlier_mails(mail)))


def propose_from_mail(
    tool: str,
    args: Mapping[str, Any],
    mail: Mail,
    *,
    by: str,
    channel: str,
    place: str,
    cause: Cause,
    ctx: Context,
) -> Call:
    """Ask the owner about a call with a mail's words: it waits for their yes, or is refused.

    It is tainted, names the mail, and asks whatever the policy or a grant would let run: its
    owner has not seen yet what it would do.

    Args:
        tool: its name.
        args: all of them were taken from the mail.
        mail: it.
        by: who wants it, by their id in the channel.
        channel: where they are shown the card.
        place: where in that channel.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.
    """
    with ctx.store.read(cause) as tx:
        led = influence_of(tx, mail)
    copied = tuple(QuotedArgument(arg=name, source=led.source, grade=led.grade) for name in args)
    draft = draft_for(
        Want(tool=tool, args=dict(args)), cause=cause, tainted=True, actor=f"owner:{by}"
    ).model_copy(update={"led": (led,), "copied": copied})
    inspected = inspect(draft, cause=cause, ctx=ctx, now=ctx.clock.now())
    [call, *_] = record_all(inspected, channel=channel, place=place, cause=cause, ctx=ctx, ask=WHY)
    return call
