"""A connection as a credential: its password encrypted, the rest to be read without the key."""

from datetime import datetime

from pydantic import ValidationError

from assistant.domain.calendar.connecting.connection import CREDENTIAL, CalendarConnection
from assistant.domain.credentials.credential import Credential, SecretBox, WrongKey, bound_to
from assistant.domain.errors import Misconfigured

UNREADABLE = (
    "what is kept of the connected calendar cannot be read: run `assistant calendar connect` again"
)


def sealed(
    connection: CalendarConnection, password: str, *, owner: str, box: SecretBox, at: datetime
) -> Credential:
    """Raises ``Misconfigured`` where there can be no key."""
    about = connection.model_dump_json()
    cipher = box.seal(password, bound=bound_to(owner, CREDENTIAL, about))
    return Credential(name=CREDENTIAL, about=about, sealed=cipher, created=at)


def connection_of(credential: Credential) -> CalendarConnection:
    """Raises ``Misconfigured`` for a row that was damaged."""
    try:
        return CalendarConnection.model_validate_json(credential.about)
    except ValidationError as error:
        raise Misconfigured(UNREADABLE) from error


def password_of(credential: Credential, *, owner: str, box: SecretBox) -> str:
    """Raises ``WrongKey``, which says what is kept and what to do."""
    try:
        return box.open(credential.sealed, bound=bound_to(owner, credential.name, credential.about))
    except WrongKey as error:
        login = connection_of(credential).login
        raise WrongKey(
            f"the password of {login.username} for the calendar is kept, and cannot be read: "
            f"{error}. Put the key back, or run `assistant calendar connect` again"
        ) from error
