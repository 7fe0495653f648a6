"""Read addresses that a forwarding server rewrote: SRS, and Gmail's ``+caf_=``.

SRS is the Sender Rewriting Scheme: ``SRS0=hash=day=domain=local@forwarder`` hides the sender's
address in one of the forwarder's, so that SPF passes and a bounce finds its way back;
``SRS1=hash=first-forwarder==hash=day=domain=local@second`` does so for a second forwarder.
"""

from typing import NamedTuple

from ingest.letters.mailboxes import is_address

_SEPARATORS = frozenset("=+-")
_LONGEST = 600
_CAF = "+caf_="
_EXCHANGE = "+srs="


class RewrittenSender(NamedTuple):
    """Who sent a mail and who forwarded it, by the address that a server wrote."""

    how: str
    """The scheme, in words."""
    sender: str
    """The envelope's sender before; empty where the scheme does not say it."""
    forwarder: str
    """The address that forwarded it, or ``@domain`` where only that is known."""
    towards: str = ""
    """Where it was forwarded to; Gmail alone says it."""


def rewritten_sender(address: str) -> RewrittenSender | None:
    """Read a rewritten envelope sender, or return None for any other address."""
    local, _, domain = address.strip().strip("<>").partition("@")
    folded = local.casefold()
    if not local or not domain or "@" in domain or len(address) > _LONGEST:
        return None
    if folded.startswith(("srs0", "srs1")) and folded[4:5] in _SEPARATORS:
        return _srs(local[:4].upper(), local[5:], domain)
    if len(folded) != len(local):  # places would not agree
        return None
    if (at := folded.find(_CAF)) > 0:
        return _gmail(local, at, domain)
    if (at := folded.find(_EXCHANGE)) > 0:
        sender = _hidden(local[at + len(_EXCHANGE) :])
        return RewrittenSender("SRS of Microsoft", sender, f"{local[:at]}@{domain}")
    return None


def _srs(scheme: str, rest: str, domain: str) -> RewrittenSender | None:
    if scheme == "SRS0":
        sender = _hidden(rest)
        return RewrittenSender("SRS0", sender, f"@{domain}") if sender else None
    # SRS1 keeps the whole of the first forwarder's SRS0 behind two separators.
    first, _, inner = rest.partition("=")[2].partition("=")
    if not first or inner[:1] not in _SEPARATORS or not inner:
        return None
    return RewrittenSender("SRS1", _hidden(inner[1:]), f"@{domain}")


def _hidden(words: str) -> str:
    """Read ``hash=day=domain=local``."""
    parts = words.split("=", 3)
    if len(parts) != 4:  # noqa: PLR2004 (the four of the scheme)
        return ""
    address = f"{parts[3]}@{parts[2]}"
    return address if is_address(address) else ""


def _gmail(local: str, at: int, domain: str) -> RewrittenSender:
    """Read ``ann+caf_=inbox=example.org@gmail.com``: ann's mail went to inbox@example.org."""
    name, equals, where = local[at + len(_CAF) :].rpartition("=")
    towards = f"{name}@{where}" if equals and name and where else ""
    return RewrittenSender("Gmail's forwarding", "", f"{local[:at]}@{domain}", towards)
