"""Check that a request to the HTTP interactions endpoint comes from Discord and is recent.

Source: https://docs.discord.com/developers/interactions/overview#setting-up-an-endpoint
"""

from datetime import datetime, timedelta

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from assistant.domain.errors import Denied

FRESH = timedelta(minutes=5)
"""How far the clocks may differ; an older request may be replayed."""


def check(body: bytes, *, signature: str, timestamp: str, key: str, now: datetime) -> None:
    """Check the signature of a request (Ed25519, RFC 8032).

    Args:
        body: the raw body; the timestamp is signed with it.
        signature: ``X-Signature-Ed25519``, in hexadecimal digits.
        timestamp: ``X-Signature-Timestamp``, in seconds since 1970.
        key: the application's public key, in hexadecimal digits.
        now: the present time.

    Raises:
        Denied: the signature is wrong or missing, or the request is too old or too new.
    """
    try:
        signed = timestamp.encode("ascii") + body
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), signed)
        apart = abs(now.timestamp() - int(timestamp))
    except (InvalidSignature, ValueError) as error:
        raise Denied("the signature is missing or wrong") from error
    if apart > FRESH.total_seconds():
        raise Denied("the request is too old or too new")
