"""A password that is kept encrypted, and what it is for."""

from datetime import datetime
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from assistant.domain.canonical import canonical
from assistant.domain.errors import Misconfigured


class WrongKey(Misconfigured):
    """The key does not open what was encrypted."""

    said_alone = True


class Credential(BaseModel):
    """``about`` and ``name`` cannot be changed without the key: the password is bound to them."""

    model_config = ConfigDict(frozen=True)
    name: str
    about: str
    """What it is for, as JSON. It is not encrypted, so that it can be told without the key."""
    sealed: str
    """The password, encrypted. Encrypting it again gives another text."""
    created: datetime


def bound_to(owner: str, name: str, about: str) -> str:
    """Return what a password is bound to, as text: whose it is, its name, and what it is for."""
    return canonical({"owner": owner, "name": name, "about": about}).decode()


class SecretBox(Protocol):
    """Encrypts and decrypts with the key of this installation."""

    def seal(self, secret: str, *, bound: str) -> str:
        """Encrypt; make the key if there is none. Raises ``Misconfigured``, ``NoSpace``."""
        ...

    def open(self, sealed: str, *, bound: str) -> str:
        """Decrypt. Raises ``WrongKey`` without the key, or if anything was changed since."""
        ...


class CredentialTx(Protocol):
    """The owner's credentials, by name."""

    def credential(self, name: str) -> Credential | None:
        """Return one; None if there is none. Raises ``Misconfigured`` for a damaged row."""
        ...

    def keep_credential(self, credential: Credential, *, by: str) -> None:
        """Store it in the place of the one of that name, and write the audit entry."""
        ...

    def forget_credential(self, name: str, *, by: str) -> bool:
        """Delete it and write the audit entry; return whether there was one."""
        ...
