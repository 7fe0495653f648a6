"""Tell how a mail was forwarded, from its headers and its envelope alone.

Every one of these is a claim: whoever hands a mail in can write any header and any MAIL FROM.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from assistant.domain.mail.envelope import Envelope
from assistant.domain.mail.forward import ForwardedMail, HowForwarded
from assistant.domain.text.subjects import SubjectKind, subject_kind
from ingest.letters.mailboxes import address_of, is_address
from ingest.letters.rewritten import RewrittenSender, rewritten_sender
from ingest.text import line

_MOST_HEADERS = 1_000
_VALUE = 1_000
_RESTS_ON = 10
_SAID = 200


def how_forwarded(
    headers: Sequence[tuple[str, str]],
    envelope: Envelope,
    *,
    ours: Collection[str] = (),
    holds_forward: bool | None = None,
) -> ForwardedMail:
    """Tell an automatic forward, which keeps From, from one by hand, and from neither.

    Args:
        headers: names and decoded values of the mail's header fields, in their order.
        envelope: what was said at the door.
        ours: other addresses of the assistant, such as one that a mail server rewrites to it.
        holds_forward: whether a forwarded message was found in the mail, where that is known.
    """
    found = _Headers(headers)
    sender = found.address("from")
    rewritten = rewritten_sender(envelope.mail_from or "") or found.rewritten_return_path()
    own = {address.casefold() for address in (*envelope.recipients, *ours)}
    evidence = list(_automatic(found, envelope.mail_from or "", rewritten, sender, own))
    forwarder = _forwarder(evidence)
    if evidence and not found.is_answer():
        # A rule of Outlook that forwards, and does not redirect, makes a mail of its own.
        keeps = not (forwarder and forwarder.casefold() == sender.casefold())
        return ForwardedMail(
            how=HowForwarded.AUTOMATIC,
            keeps_sender=keeps,
            forwarder=forwarder,
            original_recipient=_recipient(found, own) or forwarder,
            original_mail_from=rewritten.sender if rewritten else "",
            rests_on=tuple(line(why, _SAID) for why, _ in evidence[:_RESTS_ON]),
        )
    by_hand = list(_by_hand(found, holds_forward=holds_forward))
    if found.is_answer() or not by_hand:
        return ForwardedMail()
    return ForwardedMail(
        how=HowForwarded.BY_HAND,
        keeps_sender=False,
        forwarder=sender,
        original_recipient=sender,
        rests_on=tuple(line(why, _SAID) for why in by_hand),
    )


class _Headers:
    def __init__(self, headers: Iterable[tuple[str, str]]) -> None:
        self._values: dict[str, list[str]] = {}
        for number, (name, value) in enumerate(headers):
            if number >= _MOST_HEADERS:
                break
            self._values.setdefault(name.strip().casefold(), []).append(value[:_VALUE].strip())

    def all(self, name: str) -> list[str]:
        return self._values.get(name, [])

    def first(self, name: str) -> str:
        return (self.all(name) or [""])[0]

    def address(self, name: str) -> str:
        return address_of(self.first(name))

    def addresses(self, name: str) -> list[str]:
        return [
            found
            for value in self.all(name)
            for part in value.replace(",", " ").replace(";", " ").split()
            if is_address(found := part.strip("<>\"'"))
        ]

    def is_answer(self) -> bool:
        """Return whether a program answered a mail, which no forward is (RFC 3834)."""
        return self.first("auto-submitted").casefold().startswith("auto-replied") or (
            bool(self.first("x-auto-response-suppress"))
            and self.first("auto-submitted").casefold().startswith("auto-generated")
            and bool(self.first("in-reply-to"))
        )

    def rewritten_return_path(self) -> RewrittenSender | None:
        return rewritten_sender(self.first("return-path"))


def _automatic(
    found: _Headers, mail_from: str, rewritten: RewrittenSender | None, sender: str, own: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield each sign of an automatic forward, with the forwarder if it names one."""
    if rewritten:
        named = rewritten.forwarder if not rewritten.forwarder.startswith("@") else ""
        yield f"the envelope's sender is written by {rewritten.how}: {mail_from}", named
    for name in ("x-forwarded-for", "x-forwarded-to"):
        if addresses := found.addresses(name):
            # Gmail writes the forwarder first, and where it goes to behind it.
            named = addresses[0] if name == "x-forwarded-for" else ""
            yield f"{name.title()}: {' '.join(addresses)}", named
    for name in ("x-ms-exchange-inbox-rules-loop", "x-ms-exchange-forwardingloop"):
        if value := found.first(name):
            address = value.partition(";")[0].strip()
            yield f"{name.title()}: {value}", address if is_address(address) else ""
    if found.first("x-ms-exchange-organization-autoforwarded").casefold() == "true":
        yield "X-MS-Exchange-Organization-AutoForwarded: true", ""
    if "auto-forwarded" in found.first("auto-submitted").casefold():
        yield f"Auto-Submitted: {found.first('auto-submitted')}", ""
    if found.all("resent-from") or found.all("resent-to"):
        yield f"Resent-From: {found.first('resent-from')}", found.address("resent-from")
    if not found.first("list-id"):
        yield from _passed_through(found, mail_from, sender, own)


def _passed_through(
    found: _Headers, mail_from: str, sender: str, own: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield mailboxes that the mail was delivered to before this one."""
    if own:
        for name in ("delivered-to", "x-original-to", "x-resolved-to"):
            for address in found.addresses(name):
                if address.casefold() not in own:
                    yield f"{name.title()}: {address}", address
    mail_from = mail_from.strip().strip("<>")
    to = {address.casefold() for name in ("to", "cc") for address in found.addresses(name)}
    if mail_from.casefold() in to and mail_from.casefold() != sender.casefold():
        yield f"the envelope's sender is one it was addressed to: {mail_from}", mail_from


def _forwarder(evidence: Sequence[tuple[str, str]]) -> str:
    return next((address for _, address in evidence if address), "")


def _recipient(found: _Headers, own: set[str]) -> str:
    """Return the first mailbox that the mail was delivered to, which is not this one."""
    for name in ("x-forwarded-for", "x-original-to", "delivered-to", "to", "cc"):
        # Each server writes its Delivered-To above those of earlier ones.
        for address in found.addresses(name)[:: -1 if name == "delivered-to" else 1]:
            if address.casefold() not in own:
                return address
    return ""


def _by_hand(found: _Headers, *, holds_forward: bool | None) -> Iterator[str]:
    subject = found.first("subject")
    says_so = subject_kind(subject) is SubjectKind.FORWARD
    if holds_forward is False:
        return
    if says_so:
        yield f"Subject: {subject}"
    if holds_forward and subject_kind(subject) is not SubjectKind.REPLY:
        yield "it holds a forwarded message"
