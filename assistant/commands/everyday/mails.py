"""Mail: what came in, and what can be done about it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from textwrap import indent
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from assistant.commands.answer import (
    Answer,
    Block,
    Button,
    CommandOutcome,
    Table,
    Waits,
    Words,
    fields,
    say,
)
from assistant.commands.body import Args, Body, Option, Stream
from assistant.commands.buttons import command_of
from assistant.commands.channel import PRESSING, CommandChannel
from assistant.commands.context import CommandContext
from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.invitations.known import KnownInvitation
from assistant.domain.calendar.invitations.news import InvitationNews, NewsKind
from assistant.domain.calendar.invitations.record import record_id
from assistant.domain.calendar.invitations.words import say_news
from assistant.domain.calendar.recurrence_words import joined
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.deliveries import Line
from assistant.domain.errors import BadArguments, TooLarge
from assistant.domain.mail.envelope import Envelope
from assistant.domain.mail.heading import NOBODY, heading_of, how_it_came, letter_title
from assistant.domain.mail.held import HeldGroup, Retried, counted, groups_of, retry_line
from assistant.domain.mail.mail import MAIL_NAMES, Mail, MailQuery, MailState, mail_state_called
from assistant.domain.mail.understanding.understood import shortened
from assistant.domain.mail.words import (
    HIDDEN_SHOWN,
    HIDDEN_TITLE,
    all_text_of,
    hidden_in,
    invitations_of,
    letter_words,
    letters_of,
    with_words,
)
from assistant.domain.policy.decisions import one_line
from assistant.domain.text.sizes import in_bytes
from assistant.domain.time.moments import say_moment

_SENDER, _SUBJECT, _SUMMARY = 40, 60, 120
"""Characters of a list's columns; one mail, and JSON, have all of it."""
_OFFERED = 25
_INDENT, _DEEPEST = "  ", 4
_INNER = {"owner", "raw", "body", "words", "inside", "hidden", "invitations", "bundle"}
"""Fields of a mail that no program outside needs: names of blobs, and what is found by."""
_HANDLE = 8
_GROUPS = 10
"""Reasons for which mails are held, as a list names them."""
_PAGE = 1_000


class _Added(Args):
    file: Annotated[
        Stream,
        Field(description="A raw message (.eml), or - for standard input."),
        Option(file=True),
    ]
    wait: bool = Field(default=True, description="Wait until it is read and summarised.")


def _state(word: str) -> str:
    """Refuse a word that is no state's."""
    return mail_state_called(word).value if word else ""


class _Listed(Args):
    state: Annotated[
        str,
        AfterValidator(_state),
        Field(description="Only mails in this state, such as could-not-be-read."),
    ] = ""
    limit: int = Field(20, ge=1, le=1000, description="How many at the most.")


class _Searched(Args):
    limit: Annotated[
        int, Field(ge=1, le=1000, description="How many at the most."), Option(chat=False)
    ] = 20
    words: str = Field(description="Words in subject, sender and summary.")
    more: Annotated[
        list[str], Field(description="Further words."), Option(positional=True, chat=False)
    ] = Field(default_factory=list)


class _OneMail(Args):
    mail: str = Field(description="The mail's id, or enough of its beginning.")


class _Retried(Args):
    mail: Annotated[
        str,
        Field(description="The mail's id, or enough of its beginning."),
        Option(positional=True),
    ] = ""
    every: Annotated[
        bool, Field(description="All mails that could not be read."), Option(name="--all")
    ] = False
    reason: str = Field(
        default="", description="With --all: only those in whose reason these words stand."
    )


class _Shown(_OneMail):
    whole: bool = Field(
        default=False, description="Its text as it stands, not told apart by who wrote what."
    )


class _Forgotten(_OneMail):
    yes: Annotated[bool, Field(description="Ask nothing more."), Option(step=True)] = False


def _add(ctx: CommandContext, args: _Added) -> Answer:
    mails = ctx.parts.mails
    raw = args.file.read(mails.largest + 1)
    if len(raw) > mails.largest:
        raise TooLarge(f"a message has {mails.largest} bytes at the most; nothing was kept")
    received = mails.add(raw, cause=ctx.cause)
    waits = Waits(trace=ctx.cause.trace, about=received) if args.wait else None
    return replace(_added(ctx, received.id, known=received.known), waits=waits)


def _was_added(ctx: CommandContext, _args: _Added, answer: Answer) -> Answer:
    assert answer.waits is not None  # noqa: S101 (nobody else is asked)
    return _added(ctx, answer.waits.about.id, known=answer.waits.about.known)


def _added(ctx: CommandContext, id: str, *, known: bool) -> Answer:
    mail = _named(ctx, id)
    told = {_kept(mail, known=known): mail.id, **_told(ctx, mail), **_asks(ctx, mail)}
    return Answer(
        blocks=(fields(told),),
        outcome=CommandOutcome.FAILED if mail.state is MailState.HELD else CommandOutcome.DONE,
        data=lambda: {**_facts(mail), "known": known},
    )


def _asks(ctx: CommandContext, mail: Mail) -> dict[str, str]:
    """Which cards wait about its invitations; nothing where none does."""
    if not mail.invitations:
        return {}
    with ctx.read() as tx:
        calls = [tx.call(one.call) for one in tx.invitations_by(mail.id) if one.call]
    names = [call.handle for call in calls if call.state is CallState.PARKED]
    said = f"a card waits, {names[0]}" if len(names) == 1 else f"cards wait, {joined(names)}"
    return {"Invitation": said} if names else {}


def _kept(mail: Mail, *, known: bool) -> str:
    if mail.state is MailState.FORGOTTEN:
        return "Known, not kept"
    return "Known already" if known else "Kept as"


def _list(ctx: CommandContext, args: _Listed) -> Answer:
    state = MailState(args.state) if args.state else None
    return _mails(ctx, MailQuery(state=state, limit=args.limit), empty="No mail.")


def _search(ctx: CommandContext, args: _Searched) -> Answer:
    empty = "No mail has these words in its subject, sender or summary."
    words = " ".join((args.words, *args.more))
    return _mails(ctx, MailQuery(words=words, limit=args.limit), empty=empty)


def _mails(ctx: CommandContext, query: MailQuery, *, empty: str) -> Answer:
    with ctx.read() as tx:
        mails = tx.mails(query)
    held = sum(mail.state is MailState.HELD for mail in mails)
    pressing = ctx.channel in PRESSING
    rows = tuple(
        (
            mail.id[:_HANDLE],
            MAIL_NAMES[mail.state],
            one_line(heading.sender, _SENDER),
            one_line(heading.subject, _SUBJECT),
            one_line(mail.summary or mail.reason, _SUMMARY),
        )
        for mail, heading in ((mail, heading_of(mail)) for mail in mails)
    )
    table = Table(
        columns=("id", "state", "from", "subject", "summary"),
        rows=rows,
        title="" if pressing else f"{ctx.typed('read')} shows one of these mails",
        lines=tuple(
            _in_a_line(ctx, mail, str(n) if pressing else mail.id[:_HANDLE])
            for n, mail in enumerate(mails, 1)
        ),
        empty=empty,
    )
    retry = f"{held} could not be read; `assistant mail retry ID` tries one again"
    groups = _groups(ctx) if query.state is MailState.HELD else ()
    return Answer(
        blocks=(_held_groups(ctx, groups), table) if groups else (table,),
        notes=(retry,) if held and not groups else (),
        buttons=tuple(_show(mail, n) for n, mail in enumerate(mails, 1)),
        data=lambda: [_facts(mail) for mail in mails],
    )


def _groups(ctx: CommandContext) -> Sequence[HeldGroup]:
    with ctx.read() as tx:
        return groups_of(tx.held_reasons())


def _held_groups(ctx: CommandContext, groups: Sequence[HeldGroup]) -> Table:
    """Why mails are held, each kind of reason once, the newest first."""
    shown = groups[:_GROUPS]
    more = len(groups) - len(shown)
    rows = [
        (counted(one.count), one.kind, say_moment(one.newest, ctx.zone), retry_line(one))
        for one in shown
    ]
    if more:
        rows.append(("...", f"and {more} more reasons", "", retry_line()))
    return Table(
        columns=("held", "why (N: a number)", "newest", "reads them again"),
        rows=tuple(rows),
        lines=tuple(Line(label=row[0], value=f"{row[1]}: {row[3]}") for row in rows),
        empty="",
    )


def _show(mail: Mail, number: int) -> Button:
    heading = heading_of(mail)
    return Button(
        label=f"{number}. {one_line(heading.sender) or '(no sender)'}",
        command="read",
        args={"mail": mail.id},
        verb=Verb.SHOW,
        subject=mail.id,
        choice="Show one of them",
        detail=one_line(heading.subject) or "(no subject)",
    )


def _in_a_line(ctx: CommandContext, mail: Mail, label: str) -> Line:
    heading = heading_of(mail)
    told = (
        f"{one_line(heading.subject) or '(no subject)'}, "
        f"from {one_line(heading.sender) or NOBODY}, "
        f"received {say_moment(mail.received, ctx.zone)}"
    )
    return Line(label=label, value=told, at=mail.received)


def _read(ctx: CommandContext, args: _Shown) -> Answer:
    """One mail whole. A shell prints what is known of it above its text."""
    mail = _named(ctx, args.mail)
    shown: tuple[Block, ...]
    if ctx.channel is CommandChannel.COMMAND_LINE:
        told = {**_told(ctx, mail), **_invited(ctx, mail)}
        shown = (fields(told), *_said(ctx, mail, as_it_stands=args.whole))
    else:
        lines = ctx.parts.mails.whole(mail, as_it_stands=args.whole)
        shown = (replace(fields({}), lines=tuple(lines)),)
    return Answer(
        blocks=shown,
        buttons=tuple(
            Button(
                label=action.label,
                command=command_of(action.verb),
                args={"mail": mail.id},
                verb=Verb(action.verb),
                subject=mail.id,
            )
            for action in ctx.parts.mails.actions(mail)
            if action.verb != Verb.SHOW
        ),
        data=lambda: _whole(ctx, mail),
    )


def _said(ctx: CommandContext, mail: Mail, *, as_it_stands: bool) -> Iterator[Words]:
    """Its letters, each below a title and indented by how deep it stands in others."""
    blobs = ctx.parts.blobs
    letters = () if as_it_stands else letters_of(mail, blobs)
    if len(letters) <= 1:
        text = all_text_of(mail, blobs)
        yield from [Words(text=text, outside=True)] if text else []
    else:
        for number, letter in enumerate(with_words(letters), 1):
            margin = _INDENT * min(letter.depth, _DEEPEST)
            yield Words(text=f"{margin}{number}. {letter_title(mail, letter, ctx.zone)}")
            if said := letter_words(letter):
                yield Words(text=indent(said, margin), outside=True)
    if hidden := hidden_in(mail, blobs):
        yield Words(text=f"{HIDDEN_TITLE}:")
        yield Words(text=shortened(hidden, HIDDEN_SHOWN), outside=True)


def _invited(ctx: CommandContext, mail: Mail) -> dict[str, str]:
    """What its invitations say, each on a line of its own, and which call asks about them."""
    found = invitations_of(mail, ctx.parts.blobs)
    if not found:
        return {}
    with ctx.read() as tx:
        asked = {one.id: one for one in tx.invitations_by(mail.id)}
        calls = {id: tx.call(one.call).handle for id, one in asked.items() if one.call}
    names = {}
    for number, each in enumerate(found, 1):
        id = record_id(ctx.cause.owner, KnownInvitation.of(each).key)
        kind = NewsKind.CANCEL if each.cancels else NewsKind.NEW
        told = say_news(each, InvitationNews(kind=kind), ctx.zone, now=ctx.now())
        lines = [one_line(said) for said in told]
        by = f"from {each.organizer}" if each.organizer else "names no organizer"
        call = f"asked about as {calls[id]}" if id in calls else ""
        label = "Invitation" if len(found) == 1 else f"Invitation {number}"
        names[label] = "; ".join(filter(None, (*lines, one_line(by), call)))
    return names


def _whole(ctx: CommandContext, mail: Mail) -> dict[str, Any]:
    """All that is known of a mail, for programs; ``letters`` is empty where it is one letter."""
    blobs = ctx.parts.blobs
    letters = letters_of(mail, blobs) if mail.words else ()
    return {
        **_facts(mail),
        "text": all_text_of(mail, blobs),
        "letters": [letter.model_dump(mode="json") for letter in letters],
        "invitations": _invitations(ctx, mail),
        "hidden": hidden_in(mail, blobs),
    }


def _invitations(ctx: CommandContext, mail: Mail) -> list[dict[str, Any]]:
    """What its calendar objects say: claims of whoever wrote them."""
    return [each.model_dump(mode="json") for each in invitations_of(mail, ctx.parts.blobs)]


def _retry(ctx: CommandContext, args: _Retried) -> Answer:
    if bool(args.mail) == args.every:
        raise BadArguments("give the id of a mail, or --all")
    if args.reason and not args.every:
        raise BadArguments("--reason goes with --all")
    if args.every:
        return _retry_all(ctx, args.reason)
    mail = ctx.parts.mails.retry(args.mail, cause=ctx.cause)
    waits = Waits(trace=ctx.cause.trace, about=mail.id)
    return replace(say(f"{mail.id} is read once more."), waits=waits)


def _reread(ctx: CommandContext, args: _OneMail) -> Answer:
    mail = ctx.parts.mails.reread(args.mail, cause=ctx.cause)
    waits = Waits(trace=ctx.cause.trace, about=mail.id)
    return replace(say(f"{mail.id} is read again."), waits=waits)


def _retry_all(ctx: CommandContext, reason: str) -> Answer:
    done = ctx.parts.mails.retry_all(reason, cause=ctx.cause)
    if not done.again:
        return Answer(
            blocks=(Words(text=_retried_line(done)),), data=lambda: _retried_facts(done, ())
        )
    waits = Waits(trace=ctx.cause.trace, about=done)
    return replace(say(_retried_line(done)), waits=waits)


def _retried(ctx: CommandContext, _args: _Retried, answer: Answer) -> Answer:
    assert answer.waits is not None  # noqa: S101 (nobody else is asked)
    about = answer.waits.about
    if isinstance(about, Retried):
        return _all_retried(ctx, about, rested=answer.waits.rested)
    return _was_read(ctx, about)


def _was_reread(ctx: CommandContext, _args: _OneMail, answer: Answer) -> Answer:
    assert answer.waits is not None  # noqa: S101 (nobody else is asked)
    return _was_read(ctx, answer.waits.about)


def _was_read(ctx: CommandContext, id: str) -> Answer:
    mail = _named(ctx, id)
    return Answer(
        blocks=(fields(_told(ctx, mail)),),
        outcome=CommandOutcome.FAILED if mail.state is MailState.HELD else CommandOutcome.DONE,
        data=lambda: _facts(mail),
    )


def _all_retried(ctx: CommandContext, done: Retried, *, rested: bool) -> Answer:
    """How many they were, and which of them cannot be read again."""
    failed = _held_of(ctx, frozenset(done.again))
    again = f"{counted(len(failed))} could not be read again" if failed else ""
    later = "" if rested else "not all are read yet; the others are read as soon as workers run"
    return Answer(
        blocks=(Words(text=". ".join(filter(None, (_retried_line(done), again)))),),
        notes=tuple(filter(None, (later,))),
        outcome=CommandOutcome.FAILED if failed else CommandOutcome.DONE,
        data=lambda: _retried_facts(done, failed),
    )


def _held_of(ctx: CommandContext, ids: Collection[str]) -> Sequence[str]:
    """Those of these mails that are held, looked up page by page."""
    found: list[str] = []
    after = 0
    with ctx.read() as tx:
        while page := tx.held_mails(after=after, limit=_PAGE):
            found += [one.id for one in page if one.id in ids]
            after = page[-1].number
    return found


def _retried_line(done: Retried) -> str:
    """Such as ``12 mails are read again; 3 were not held any more``."""
    count = len(done.again)
    said = f"{counted(count)} {'is' if count == 1 else 'are'} read again"
    gone = f"{done.gone} {'was' if done.gone == 1 else 'were'} not held any more"
    if not count:
        said = "No such mail is held" if not done.gone else "No mail is read again"
    return f"{said}; {gone}" if done.gone else said


def _retried_facts(done: Retried, failed: Sequence[str]) -> dict[str, Any]:
    return {"again": list(done.again), "gone": done.gone, "held_again": list(failed)}


def _forget_preview(ctx: CommandContext, args: _Forgotten) -> Answer:
    mail = _named(ctx, args.mail)
    return Answer(
        blocks=() if args.yes else (fields(_told(ctx, mail)),),
        question="Forget this mail? Its words cannot be had back.",
        final=True,
    )


def _forget(ctx: CommandContext, args: _Forgotten) -> Answer:
    """First what it means, then the yes to that."""
    if not args.yes:
        mail = _named(ctx, args.mail)
        if mail.state is MailState.FORGOTTEN:
            return say("That mail was forgotten.", outcome=CommandOutcome.STALE)
        meant = "Its words, its summary, its attachments and what came in are deleted. "
        return Answer(
            blocks=(
                fields({"Forget": one_line(heading_of(mail).subject) or "(no subject)"}),
                Words(text=f"{meant}Nobody can bring them back."),
            ),
            next=Button(
                label="Forget it for good",
                command="forget",
                args={"mail": mail.id, "yes": True},
                verb=Verb.FORGET,
                subject=mail.id,
            ),
        )
    mail = ctx.parts.mails.forget(args.mail, by=ctx.by, cause=ctx.cause)
    waits = Waits(trace=ctx.cause.trace, about=mail.id)
    return replace(say("It is forgotten."), waits=waits)


def _was_forgotten(ctx: CommandContext, _args: _Forgotten, answer: Answer) -> Answer:
    assert answer.waits is not None  # noqa: S101 (nobody else is asked)
    mail = _named(ctx, answer.waits.about)
    late = "its words are gone; its bytes are deleted as soon as their store answers"
    return Answer(
        blocks=(fields(_told(ctx, mail)),),
        notes=() if answer.waits.rested else (late,),
        data=lambda: _facts(mail),
    )


def _named(ctx: CommandContext, id: str) -> Mail:
    with ctx.read() as tx:
        return tx.mail(id)


def _facts(mail: Mail) -> dict[str, Any]:
    return mail.model_dump(mode="json", exclude=_INNER)


def _told(ctx: CommandContext, mail: Mail) -> dict[str, str]:
    by = " (an excerpt: its own sentences)" if mail.summarised_by == "extract" else ""
    heading = heading_of(mail)
    sent = say_moment(heading.sent, ctx.zone) if heading.sent else heading.sent_words
    return {
        "Id": mail.id,
        "State": f"{MAIL_NAMES[mail.state]}{f': {mail.reason}' if mail.reason else ''}",
        "From": heading.sender,
        "Forwarded by": heading.forwarded_by,
        "To": heading.recipients,
        "Subject": heading.subject,
        "Date": sent,
        **how_it_came(mail, ctx.zone),
        "Received": f"{say_moment(mail.received, ctx.zone)} by {mail.door}",
        "Envelope": _envelope(mail.envelope),
        "Attached": ", ".join(f"{part.name} ({in_bytes(part.size)})" for part in mail.attachments),
        "Odd": "; ".join(mail.defects),
        "Summary": f"{mail.summary}{by}" if mail.summary else "",
    }


def _envelope(envelope: Envelope) -> str:
    """Say how it came; none of it is verified but the network address."""
    sender = envelope.mail_from
    parts = (
        "" if sender is None else f"from <{sender}>",
        f"to {', '.join(envelope.recipients)}" if envelope.recipients else "",
        " ".join(filter(None, ("by", envelope.helo, f"[{envelope.peer}]")))
        if envelope.peer
        else "",
        envelope.tls and f"with {envelope.tls}",
    )
    return ", ".join(filter(None, parts))


def found(ctx: CommandContext, typed: str) -> Sequence[tuple[str, str]]:
    """The newest mails that have these words."""
    with ctx.read() as tx:
        mails = tx.mails(MailQuery(words=typed, limit=_OFFERED))
    headings = [(heading_of(mail), mail.id) for mail in mails]
    return [(f"{told.subject or '(no subject)'}, {told.sender}", id) for told, id in headings]


_CHOICES = {"mail": found}
ADD = Body(args=_Added, run=_add, then=_was_added)
LIST = Body(args=_Listed, run=_list)
SEARCH = Body(args=_Searched, run=_search)
READ = Body(args=_Shown, run=_read, choices=_CHOICES)
RETRY = Body(args=_Retried, run=_retry, then=_retried, choices=_CHOICES)
REREAD = Body(args=_OneMail, run=_reread, then=_was_reread, choices=_CHOICES)
FORGET = Body(
    args=_Forgotten, run=_forget, preview=_forget_preview, then=_was_forgotten, choices=_CHOICES
)
