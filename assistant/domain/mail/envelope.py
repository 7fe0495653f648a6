"""The envelope of a mail: what was said at the door, beside the message itself."""

from pydantic import BaseModel, ConfigDict


class Envelope(BaseModel):
    """What the other side said when it handed a mail over, and who it was.

    Only ``peer``, ``tls`` and ``door`` are our own observation. Anybody can say the rest.
    """

    model_config = ConfigDict(frozen=True)
    mail_from: str = ""
    """The address of MAIL FROM; empty for a bounce, and where the door has none."""
    recipients: tuple[str, ...] = ()
    """The addresses of RCPT TO that were accepted."""
    helo: str = ""
    peer: str = ""
    """The address that connected."""
    tls: str = ""
    """The version of TLS, such as ``TLSv1.3``; empty without."""
    door: str = ""
    """The door it came in by: smtp, lmtp, http, file."""
