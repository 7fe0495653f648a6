"""Find out what influenced a model: the outside texts in its view, and who wrote them."""

import re
from collections.abc import Sequence

from assistant.domain.calls.call import Influence
from assistant.domain.conversation.conversation import Entry, Origin
from assistant.domain.errors import NotFound
from assistant.domain.mail.mail import how_known
from assistant.domain.mail.ports import MailTx

MOST = 5
"""The most influences that a card names."""
_MAIL = re.compile(r"mail ([0-9a-f]{4,64})\b")


def influenced_by(tx: MailTx, entries: Sequence[Entry]) -> tuple[Influence, ...]:
    """Return the outside texts among these entries, newest first."""
    outside = (entry.source for entry in reversed(entries) if entry.origin is Origin.OUTSIDE)
    sources = list(dict.fromkeys(filter(None, outside)))
    return tuple(_influence(tx, source) for source in sources[:MOST])


def _influence(tx: MailTx, source: str) -> Influence:
    """Grade a mail's writer by the earlier mails from that address; others stay unknown."""
    found = _MAIL.match(source)
    if found is None:
        return Influence(source=source)
    try:
        mail = tx.mail(found[1])
    except NotFound:
        return Influence(source=source)
    named = f"mail {mail.id} from {mail.sender_address or 'nobody named'}"
    return Influence(source=named, grade=how_known(mail.sender_address, tx.earlier_mails(mail)))
