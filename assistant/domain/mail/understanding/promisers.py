"""Tell by which address a promise was written: its mail's, which may be a stranger's."""

from collections.abc import Iterable, Mapping

from assistant.domain.mail.ports import MailTx
from assistant.domain.mail.understanding.commitments import Commitment, CommitmentKind


def promisers(tx: MailTx, commitments: Iterable[Commitment]) -> Mapping[str, str]:
    """Return the address in From of each mail that holds one of these promises, by mail.

    Not verified. Anybody can forward a mail here, with a note of their own above it.
    """
    ids = {one.mail for one in commitments if one.kind is CommitmentKind.PROMISED}
    return {id: tx.mail(id).sender_address for id in ids}
