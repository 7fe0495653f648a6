"""A database's errors as SQLAlchemy raises them, and as the assistant names them."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

from sqlalchemy.exc import DBAPIError, OperationalError, StatementError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from assistant.domain.errors import (
    DATABASE,
    AlreadyThere,
    AssistantError,
    BadArguments,
    Conflict,
    Denied,
    Misconfigured,
    NoSpace,
    NotFound,
    Outage,
)

_AWAY = partial(Outage, part=DATABASE)


@contextmanager
def translated() -> Generator[None]:
    """Raise a database's errors as the assistant's own."""
    try:
        yield
    except DBAPIError as error:
        meaning = _meaning(error)
        if meaning is None:
            raise
        raise meaning(f"the database: {error.orig}") from error
    except StatementError as error:  # a value that its column does not take
        raise BadArguments(str(error.orig)) from error
    except PoolTimeout as error:
        raise _AWAY(f"the database: {error}") from error


def dbapi_error(error: Exception, text: str, dialect: Any, *, broken: bool) -> DBAPIError:
    """Wrap a driver's error as SQLAlchemy does when one of its connections meets it."""
    instance: Any = DBAPIError.instance(
        text,
        None,
        cast("Any", error),
        dialect.loaded_dbapi.Error,
        hide_parameters=True,
        connection_invalidated=broken,
        dialect=dialect,
    )
    return cast("DBAPIError", instance)


# By the beginning of Postgres's SQLSTATE (appendix A of its manual) or of SQLite's name for it.
_MEANINGS: Mapping[str, Callable[[str], AssistantError]] = {
    "40": Conflict,  # a deadlock or a serialisation failure
    "23505": AlreadyThere,
    "23503": NotFound,  # what a row would belong to
    "25006": Denied,  # a write in a transaction that only reads
    "22": BadArguments,
    "23": BadArguments,
    "53100": NoSpace,
    "42P01": Misconfigured,  # no such table: migrations are missing
    "SQLITE_BUSY_SNAPSHOT": Conflict,
    "SQLITE_FULL": NoSpace,
    "SQLITE_BUSY": _AWAY,  # others have been writing for as long as a writer waits
    "SQLITE_CONSTRAINT_UNIQUE": AlreadyThere,
    "SQLITE_CONSTRAINT_PRIMARYKEY": AlreadyThere,
    "SQLITE_CONSTRAINT_FOREIGNKEY": NotFound,
    "SQLITE_CONSTRAINT": BadArguments,
    "SQLITE_READONLY": Denied,
    "SQLITE_ERROR": Misconfigured,
}


def _meaning(error: DBAPIError) -> Callable[[str], AssistantError] | None:
    state = getattr(error.orig, "sqlstate", "") or getattr(error.orig, "sqlite_errorname", "") or ""
    for beginning, meaning in _MEANINGS.items():
        if state.startswith(beginning):
            return meaning
    gone = error.connection_invalidated or isinstance(error, OperationalError)
    return _AWAY if gone else None
