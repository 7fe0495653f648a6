"""Forget what the invitations of a mail said."""

from assistant.domain.messages import FollowInvitation
from assistant.domain.store import Tx

FORGOTTEN = "the mail that it came by was forgotten"


def forget_invitations(tx: Tx, mail: str) -> None:
    """Empty what rows hold of a mail, and order that empty rows are deleted.

    A call that waits is withdrawn before that. Lock the mail first.
    """
    for found in tx.invitations_by(mail):
        record = tx.invitation(found.id, lock=True)
        if record.mail == mail:
            record = record.model_copy(update={"mail": "", "known": None, "told": (), "said": ""})
        if record.led == mail:
            gone = {"led": "", "proposal": None, "wanted": False, "withdrawn": FORGOTTEN}
            record = record.model_copy(update={**gone, "said": ""})
        tx.keep_invitation(record)
        tx.emit(FollowInvitation(id=record.id))
