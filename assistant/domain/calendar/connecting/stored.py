"""A connection as a credential: its password encrypted, the rest to be read without the key."""

from datetime import datetime

from assistant.domain.calendar.connecting.connection import CREDENTIAL, CalendarConnection
from assistant.domain.credentials.credential import Credential, SecretBox, WrongKey, bound_to


def sealed(
    connection: CalendarConnection, password: str, *, owner: str, box: SecretBox, at: datetime
) -> Credential:
    """Raises ``Misconfigured`` where there can be no key."""
    about = connection.model_dump_json()
    cipher = box.seal(password, bound=bound_to(owner, CREDENTIAL, about))
    return Credential(name=CREDENTIAL, about=about, sealed=cipher, created=at)


def connection_of(credential: Credential) -> CalendarConnection:
    return CalendarConnection.model_validate_json(credential.about)


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
