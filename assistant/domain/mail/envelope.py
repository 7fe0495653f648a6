"""How a mail came in: what the sending program said, apart from what stands in the mail."""

from pydantic import BaseModel, ConfigDict


class Envelope(BaseModel):
    """The envelope of a mail (RFC 5321 section 2.3.1), as the door that took it in was told.

    The sender wrote all of it but ``peer`` and ``tls``, so it proves nothing about who wrote the
    mail. Mail that came before envelopes were kept has an empty one.
    """

    model_config = ConfigDict(frozen=True)
    mail_from: str | None = None
    """The address in MAIL FROM; empty for a bounce; None where the door has none."""
    recipients: tuple[str, ...] = ()
    """The addresses in RCPT TO that are the owner's."""
    helo: str = ""
    """The name in HELO, EHLO or LHLO."""
    peer: str = ""
    """The network address that it came from; of a proxy or mail server before the door, its."""
    tls: str = ""
    """The version and cipher of TLS, such as ``TLSv1.3 TLS_AES_256_GCM_SHA384``; empty without."""
