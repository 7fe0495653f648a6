"""Encrypt passwords with AES-256-GCM, which also notices every change of what they are bound to."""

import binascii
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from assistant.adapters.secrets.key import Key
from assistant.domain.credentials.credential import WrongKey

_FORMAT = "1."
"""Stands before everything that is encrypted, so that another way to do it can be told."""
_NONCE = 12
_PURPOSE = b"assistant: credentials"


class AesBox:
    """See ``assistant.domain.credentials.credential.SecretBox``."""

    def __init__(self, key: Key) -> None:
        self._key = key

    def seal(self, secret: str, *, bound: str) -> str:
        nonce = secrets.token_bytes(_NONCE)
        cipher = AESGCM(_derived(self._key.ensure()))
        sealed = nonce + cipher.encrypt(nonce, secret.encode(), bound.encode())
        return _FORMAT + urlsafe_b64encode(sealed).decode()

    def open(self, sealed: str, *, bound: str) -> str:
        cipher = AESGCM(_derived(self._key.read()))
        form, text = sealed[: len(_FORMAT)], sealed[len(_FORMAT) :]
        try:
            data = urlsafe_b64decode(text)
            if form != _FORMAT or len(data) <= _NONCE:
                raise WrongKey("what is kept was encrypted in a way that this version cannot read")
            return cipher.decrypt(data[:_NONCE], data[_NONCE:], bound.encode()).decode()
        except (InvalidTag, binascii.Error) as error:
            raise WrongKey(
                f"the key in {self._key.said} does not open it: it is another key than the one "
                "that it was encrypted with, or the row was changed"
            ) from error


def _derived(text: str) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(text.encode())
