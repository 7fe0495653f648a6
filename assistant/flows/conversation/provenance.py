"""Find out whose words a model has in view, and how well they are known."""

import re
from collections.abc import Sequence

from assistant.domain.calls.call import Writer
from assistant.domain.conversation.conversation import Entry, Origin
from assistant.domain.errors import NotFound
from assistant.domain.mail.mail import how_known
from assistant.domain.store import Tx

MOST = 5
"""Writers that a card names at the most."""
_MAIL = re.compile(r"mail ([0-9a-f]{4,64})\b")


def writers(tx: Tx, entries: Sequence[Entry]) -> tuple[Writer, ...]:
    """Return the writers of the outside texts among these entries, the newest first."""
    outside = (entry.source for entry in reversed(entries) if entry.origin is Origin.OUTSIDE)
    sources = list(dict.fromkeys(filter(None, outside)))
    return tuple(_writer(tx, source) for source in sources[:MOST])


def _writer(tx: Tx, source: str) -> Writer:
    """Grade a writer: of a mail, by earlier mail from its address; anybody else is unknown."""
    found = _MAIL.match(source)
    if found is None:
        return Writer(source=source)
    try:
        mail = tx.mail(found[1])
    except NotFound:
        return Writer(source=source)
    named = f"mail {mail.id} from {mail.sender_address or 'nobody named'}"
    return Writer(source=named, grade=how_known(mail.sender_address, tx.earlier_mails(mail)))
