"""How a call ends badly: the names its result gives to errors, and the five kinds of failure.

A tool raises ``ToolFailure`` to name its error itself; every other error has the name of this
table. The name is what a model goes by, the kind is what the assistant goes by.
"""

import errno
from collections.abc import Mapping
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from assistant.domain.errors import (
    AlreadyThere,
    AssistantError,
    BadArguments,
    Busy,
    Conflict,
    Denied,
    IllegalStep,
    InUse,
    LeaseLost,
    Misconfigured,
    NotFound,
    Permanent,
    Stale,
    TooLarge,
    Unreachable,
    Unreadable,
    Unsure,
    WaitsOn,
)


class ErrorType(StrEnum):
    """The names of errors, as results carry them."""

    FILE_NOT_FOUND = "FileNotFoundError"
    FILE_EXISTS = "FileExistsError"
    FILE_READ = "FileReadError"
    FILE_WRITE = "FileWriteError"
    FILE_EDIT = "FileEditError"
    EDIT_TARGET_NOT_FOUND = "EditTargetNotFound"
    EDIT_TARGET_AMBIGUOUS = "EditTargetAmbiguous"
    GLOB = "GlobError"
    GREP = "GrepError"
    LS = "LsError"
    PERMISSION = "PermissionError"
    """The thing itself may not be touched."""
    SHELL_EXECUTION = "ShellExecutionError"
    SHELL_TIMEOUT = "ShellTimeoutError"
    HTTP = "HttpError"
    FETCH = "FetchError"
    SEARCH = "SearchError"
    MEMORY = "MemoryError"
    """Of the memory tool; a machine that runs short is ``ResourceError``."""
    TODO = "TodoError"

    VALIDATION = "ValidationError"
    UNKNOWN_TOOL = "UnknownToolError"
    PERMISSION_DENIED = "PermissionDenied"
    """The policy or a person said no."""
    CANCELLED = "CancelledError"
    TIMEOUT = "TimeoutError"
    NETWORK = "NetworkError"
    NOT_FOUND = "NotFoundError"
    ALREADY_EXISTS = "AlreadyExistsError"
    STALE = "StaleError"
    CONFLICT = "ConflictError"
    TOO_LARGE = "TooLargeError"
    UNREADABLE = "UnreadableError"
    CONFIGURATION = "ConfigurationError"
    RESOURCE = "ResourceError"
    """The machine ran out of room."""
    UNKNOWN_OUTCOME = "UnknownOutcomeError"
    RESULT = "ResultError"
    """The answer does not fit the schema that the tool declared for it."""
    EXECUTION = "ToolExecutionError"


class FailureKind(StrEnum):
    DENIED = "denied"
    """The policy or a person said no; a person's stop is one."""
    INVALID = "invalid"
    """Other arguments would do; the message says which."""
    TIMED_OUT = "timed_out"
    RAISED = "raised"
    EXHAUSTED = "exhausted"
    """The machine ran out of disk or memory."""


class ToolError(BaseModel):
    """What a result says of an error."""

    model_config = ConfigDict(frozen=True)
    type: ErrorType
    message: str

    @property
    def kind(self) -> FailureKind:
        return _KINDS.get(self.type, FailureKind.RAISED)


class ToolFailure(Permanent):
    """The tool could not do it."""

    def __init__(self, type: ErrorType, message: str) -> None:
        super().__init__(message)
        self.type = type
        self.message = message

    def __str__(self) -> str:
        return self.message


class Cancelled(Permanent):
    """It was cancelled."""


class TimedOut(Permanent):
    """It took too long."""


class Exhausted(Permanent):
    """There is no room left."""


_KINDS: Mapping[ErrorType, FailureKind] = {
    ErrorType.PERMISSION: FailureKind.DENIED,
    ErrorType.PERMISSION_DENIED: FailureKind.DENIED,
    ErrorType.CANCELLED: FailureKind.DENIED,
    ErrorType.VALIDATION: FailureKind.INVALID,
    ErrorType.UNKNOWN_TOOL: FailureKind.INVALID,
    ErrorType.NOT_FOUND: FailureKind.INVALID,
    ErrorType.ALREADY_EXISTS: FailureKind.INVALID,
    ErrorType.TOO_LARGE: FailureKind.INVALID,
    ErrorType.FILE_NOT_FOUND: FailureKind.INVALID,
    ErrorType.FILE_EXISTS: FailureKind.INVALID,
    ErrorType.EDIT_TARGET_NOT_FOUND: FailureKind.INVALID,
    ErrorType.EDIT_TARGET_AMBIGUOUS: FailureKind.INVALID,
    ErrorType.TIMEOUT: FailureKind.TIMED_OUT,
    ErrorType.SHELL_TIMEOUT: FailureKind.TIMED_OUT,
    ErrorType.RESOURCE: FailureKind.EXHAUSTED,
}

_TYPES: Mapping[type[AssistantError], ErrorType] = {
    BadArguments: ErrorType.VALIDATION,
    Denied: ErrorType.PERMISSION_DENIED,
    WaitsOn: ErrorType.PERMISSION_DENIED,
    NotFound: ErrorType.NOT_FOUND,
    AlreadyThere: ErrorType.ALREADY_EXISTS,
    Stale: ErrorType.STALE,
    TooLarge: ErrorType.TOO_LARGE,
    Unreadable: ErrorType.UNREADABLE,
    Misconfigured: ErrorType.CONFIGURATION,
    InUse: ErrorType.CONFLICT,
    Conflict: ErrorType.CONFLICT,
    LeaseLost: ErrorType.CONFLICT,
    IllegalStep: ErrorType.CONFLICT,
    Unreachable: ErrorType.NETWORK,
    Busy: ErrorType.NETWORK,
    Unsure: ErrorType.UNKNOWN_OUTCOME,
    Cancelled: ErrorType.CANCELLED,
    TimedOut: ErrorType.TIMEOUT,
    Exhausted: ErrorType.RESOURCE,
}

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EMFILE, errno.ENFILE})


def failure_of(error: Exception) -> tuple[FailureKind, ToolError]:
    """The kind and the name of an error.

    What is none of ours says nothing of the machine's insides: only that something went wrong.
    """
    said = _said(error)
    return said.kind, said


def _said(error: Exception) -> ToolError:
    if isinstance(error, ToolFailure):
        return ToolError(type=error.type, message=error.message or _plain(error))
    if isinstance(error, AssistantError):
        kinds = (_TYPES[kind] for kind in type(error).__mro__ if kind in _TYPES)
        return ToolError(type=next(kinds, ErrorType.EXECUTION), message=str(error))
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _NO_ROOM):
        return ToolError(type=ErrorType.RESOURCE, message=str(Exhausted()))
    if isinstance(error, TimeoutError):
        return ToolError(type=ErrorType.TIMEOUT, message=str(TimedOut()))
    return ToolError(type=ErrorType.EXECUTION, message="an internal error")


def _plain(error: AssistantError) -> str:
    return (type(error).__doc__ or "").splitlines()[0]
