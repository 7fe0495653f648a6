"""Tell the owner of mails: render a mail's row, and keep its delivery up to date."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import Any

from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import When
from assistant.domain.conversation.deliveries import (
    Action,
    Delivery,
    Home,
    Line,
    Shown,
    ShownKind,
)
from assistant.domain.errors import NotFound
from assistant.domain.mail.heading import heading_of
from assistant.domain.mail.held import bare_reason
from assistant.domain.mail.mail import Mail, MailQuery, MailState, how_seen
from assistant.domain.mail.ports import MailTx
from assistant.domain.store import Tx
from assistant.domain.time.clock import Clock
from assistant.domain.time.quiet_hours import QuietHours
from ingest.card_rows import EXTRACT, NAME, confirmation_rows, mail_rows, mailbox
from ingest.text import line, paragraphs

__all__ = ["EXTRACT", "Notices", "actions_on", "mark_announced", "render", "take_back", "tell"]

GROUP = 3
"""The mails of one minute that get a notice each; further ones share a notice."""
HANDLE = 8
"""Characters of a mail's id that people use as its name."""
LISTED = 20
"""The mails listed in a shared notice, each a choice; a list on Discord has 25 of them."""
MANY = 1_000
TITLE = 256
TEXT = 2_000
"""The most characters of a title, and of a summary or a reason."""
SUBJECT = 100
"""The most characters of a subject in a list."""
NO_SUBJECT = "(no subject)"

_MINUTE = timedelta(minutes=1)
_PREFIX = "mail-"
_BUNDLE = "mails-"
_QUIET = f"{_BUNDLE}quiet-"
_KEPT = "The mail is kept unchanged. To try again: assistant mail retry {id}"
_BUTTONS = (
    (Verb.SHOW, "Show"),
    (Verb.ASK, "Ask about it"),
    (Verb.SCHEDULE, "Add to calendar"),
    (Verb.FORGET, "Forget"),
)
_SHOW_ONE = "Show one of them"
_BEYOND = (
    "/search finds them by a word of their subject, sender or summary; "
    "`assistant mail list` has them all"
)
_UNVERIFIED = "no sender is verified: anybody can write an address"


@dataclass(frozen=True, kw_only=True)
class Notices:
    """Where and how the owner is told of mail; times are in ``zone`` (an IANA name).

    ``group``: whether many mails of one minute share a notice. ``when``: the time to come that a
    mail, with this text, names for the calendar.
    """

    home: Home
    zone: str
    clock: Clock
    group: bool = False
    when: Callable[[Mail, str], When | None] = lambda _mail, _text: None
    quiet: QuietHours | None = None
    """Where mails share notices, those of one night share one."""


def tell(
    tx: Tx,
    mail: Mail,
    to: MailState,
    *,
    notices: Notices,
    dated: bool = False,
    note: str = "",
    invited: str = "",
    **changes: Any,
) -> Mail:
    """Move a mail on, and make its notice show the new state.

    ``dated``, ``note`` and ``invited`` are those of ``render``.

    A mail has one notice, which changes with it. A mail whose new summary equals the one shown
    counts as announced at once, as no delivery follows that could mark it.

    Raises:
        IllegalStep, Conflict: as ``move_mail`` does.
    """
    bundle = mail.bundle or _bundle_for(tx, mail, notices)
    moved = tx.move_mail(mail, to, bundle=bundle, **changes)
    if bundle:
        told = _tell_with_others(tx, moved, notices)
    else:
        told = _tell_alone(tx, moved, notices, dated=dated, note=note, invited=invited)
    if mail.summarised_by and to is MailState.SUMMARISED and told():
        return tx.move_mail(moved, MailState.ANNOUNCED)
    return moved


def mark_announced(tx: Tx, shown: Delivery) -> None:
    """Mark the mails of a delivery that a channel now shows as announced.

    Ignores other deliveries. To lock the delivery's row as well, lock it after this call: the order
    is mail, then delivery.
    """
    if shown.id.startswith(_BUNDLE):
        _mark_bundle(tx, shown)
    elif shown.id.startswith(_PREFIX):
        _mark(tx, shown.id.removeprefix(_PREFIX))


def take_back(tx: Tx, mail: Mail) -> None:
    """Remove the words of a forgotten mail from its notice."""
    with suppress(NotFound):  # there is no notice yet
        notice = tx.delivery(mail.bundle or f"{_PREFIX}{mail.id}", lock=True)
        wanted = _render_bundle(tx, mail.bundle) if mail.bundle else render(mail, zone="UTC")
        tx.want(notice.model_copy(update={"wanted": wanted}))


def render(
    mail: Mail,
    *,
    zone: str,
    earlier: int = 0,
    dated: bool = False,
    note: str = "",
    invited: str = "",
) -> Shown:
    """Render a mail for the owner.

    Args:
        mail: the mail's row.
        zone: the zone for times, an IANA name.
        earlier: how many mails came from the sender's address before.
        dated: whether it names a time for the calendar.
        note: what the forwarder wrote above what was forwarded.
        invited: what its invitations say, and what becomes of them.
    """
    if mail.state is MailState.FORGOTTEN:
        return Shown(kind=ShownKind.MAIL, title="A mail", text="Forgotten.")
    shown = Shown(kind=ShownKind.MAIL, actions=tuple(actions_on(mail, dated=dated)), outside=True)
    if asked := mail.confirmation:
        provider = line(asked.provider, NAME) or "Somebody"
        said = {
            "title": f"{provider} asks whether to forward mail here",
            "text": line(asked.code, NAME),
            "fields": confirmation_rows(mail, asked, earlier),
        }
    else:
        said = {
            "title": line(heading_of(mail).subject, TITLE) or NO_SUBJECT,
            "text": _held(mail) if mail.state is MailState.HELD else paragraphs(mail.summary, TEXT),
            "fields": mail_rows(mail, zone=zone, earlier=earlier, note=note, invited=invited),
        }
    return shown.model_copy(update=said)


def _held(mail: Mail) -> str:
    reason = paragraphs(bare_reason(mail.reason), TEXT)
    return f"This mail could not be read: {reason}\n{_KEPT.format(id=mail.id[:HANDLE])}"


def actions_on(mail: Mail, *, dated: bool = False) -> Iterator[Action]:
    """Yield the buttons of a mail; a held mail has no text to show or to ask about.

    ``dated``: whether it names a time for the calendar.
    """
    if mail.state is MailState.FORGOTTEN:
        return
    for verb, label in _BUTTONS:
        if verb is Verb.SCHEDULE and not dated:
            continue
        if verb is Verb.FORGET or mail.state is not MailState.HELD:
            yield Action(verb=verb, label=label, subject=mail.id, handle=mail.id[:HANDLE])


# One by one


def _tell_alone(
    tx: Tx, mail: Mail, notices: Notices, *, dated: bool, note: str, invited: str
) -> Callable[[], bool]:
    """Want a mail's notice; return a function that says whether it is shown already."""
    zone, earlier = tx.zone() or notices.zone, tx.earlier_mails(mail)
    wanted = render(mail, zone=zone, earlier=earlier, dated=dated, note=note, invited=invited)
    notice = _notice(f"{_PREFIX}{mail.id}", mail, wanted, notices.home)
    tx.want(notice)
    return lambda: tx.delivery(notice.id).settled


def _mark(tx: MailTx, id: str) -> None:
    mail = tx.mail(id, lock=True)
    if mail.state is MailState.SUMMARISED:
        tx.move_mail(mail, MailState.ANNOUNCED)


def _notice(id: str, mail: Mail, wanted: Shown, home: Home) -> Delivery:
    return Delivery(
        id=id,
        owner=mail.owner,
        channel=home.channel,
        place=home.place,
        wanted=wanted,
        trace=mail.trace,
    )


# Many at once


def _bundle_for(tx: Tx, mail: Mail, notices: Notices) -> str:
    """Return the delivery that a mail shares with others of this minute; empty for its own."""
    if not notices.group:
        return ""
    with suppress(NotFound):
        tx.delivery(f"{_PREFIX}{mail.id}")
        return ""  # the mail has a notice of its own
    now = notices.clock.now().astimezone(UTC)
    zone = tx.zone() or notices.zone
    if notices.quiet and (ends := notices.quiet.end(now, zone)):
        return f"{_QUIET}{ends:%Y%m%dT%H%MZ}"
    lately = tx.deliveries(
        channel=notices.home.channel, prefix=_PREFIX, since=now - _MINUTE, limit=GROUP
    )
    return f"{_BUNDLE}{now:%Y%m%dT%H%MZ}" if len(lately) == GROUP else ""


def _tell_with_others(tx: Tx, mail: Mail, notices: Notices) -> Callable[[], bool]:
    """Want a shared notice; return a function that says whether the notice stayed as it was.

    Locks the delivery before it looks up the mails: when two mails join at one time, the later one
    sees the earlier. When two mails begin a notice at one time, the later one waits in ``want``.
    """
    try:
        before = tx.delivery(mail.bundle, lock=True).revision
    except NotFound:
        before = 0
        tx.want(_notice(mail.bundle, mail, _listed(tx, [mail], 1, mail.bundle), notices.home))
    notice = _notice(mail.bundle, mail, _render_bundle(tx, mail.bundle), notices.home)
    tx.want(notice)
    return lambda: tx.delivery(notice.id).revision == before


def _mark_bundle(tx: Tx, shown: Delivery) -> None:
    """Look up the mails first: a mail that joins later makes a new revision, shown later."""
    told = tx.mails(MailQuery(bundle=shown.id, state=MailState.SUMMARISED, limit=MANY))
    if tx.delivery(shown.id).revision == shown.revision:
        for id in sorted(mail.id for mail in told):
            _mark(tx, id)


def _render_bundle(tx: MailTx, bundle: str) -> Shown:
    newest = tx.mails(MailQuery(bundle=bundle, limit=LISTED))
    return _listed(tx, newest, tx.count_mails(MailQuery(bundle=bundle)), bundle)


def _listed(tx: MailTx, mails: Sequence[Mail], count: int, bundle: str) -> Shown:
    if not mails:
        return Shown(kind=ShownKind.MAIL, title="New mails", text="Forgotten.")
    lines = [
        Line(label=str(n), value=_in_a_line(mail, tx.earlier_mails(mail)))
        for n, mail in enumerate(mails, 1)
    ]
    if count > len(mails):
        lines.append(Line(label="More", value=f"and {count - len(mails):,} more: {_BEYOND}"))
    lines.append(Line(label="Known", value=_UNVERIFIED))
    more = "" if bundle.startswith(_QUIET) else "more "
    return Shown(
        kind=ShownKind.MAIL,
        title=f"{count:,} {more}new mail{'' if count == 1 else 's'}",
        fields=tuple(lines),
        actions=tuple(
            _show(mail, n) for n, mail in enumerate(mails, 1) if mail.state is not MailState.HELD
        ),
        outside=True,
    )


def _show(mail: Mail, number: int) -> Action:
    return Action(
        verb=Verb.SHOW,
        label=f"{number}. {_sender(mail)}",
        subject=mail.id,
        handle=mail.id[:HANDLE],
        choice=_SHOW_ONE,
        detail=_subject(mail),
    )


def _sender(mail: Mail) -> str:
    return mailbox(heading_of(mail).sender) or "(no sender)"


def _subject(mail: Mail) -> str:
    if asked := mail.confirmation:
        code = f", code {asked.code}" if asked.code else ""
        return line(f"asks whether to forward mail here{code}", SUBJECT)
    return line(heading_of(mail).subject, SUBJECT) or NO_SUBJECT


def _in_a_line(mail: Mail, earlier: int) -> str:
    forwarder = heading_of(mail).forwarded_by
    by = f", forwarded by {mailbox(forwarder)}" if forwarder else ""
    known = f" ({how_seen(mail.sender_address, earlier)})" if mail.sender else ""
    parts = len(mail.attachments)
    attached = f", {parts} attachment{'' if parts == 1 else 's'}" if parts else ""
    held = " (could not be read)" if mail.state is MailState.HELD else ""
    invites = ", an invitation" if mail.invitations else ""
    return f"{_sender(mail)}{by}{known}: {_subject(mail)}{attached}{invites}{held}"
