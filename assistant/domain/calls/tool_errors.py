"""How a call fails: the names of errors in its result, and the five kinds of failure.

A tool raises ``ToolFailure`` to name its error itself; a table here names every other error. The
model goes by the name, the assistant by the kind.
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
    NotBegun,
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
    """The object itself does not permit the access."""
    SHELL_EXECUTION = "ShellExecutionError"
    SHELL_TIMEOUT = "ShellTimeoutError"
    HTTP = "HttpError"
    FETCH = "FetchError"
    SEARCH = "SearchError"
    MEMORY = "MemoryError"
    """The memory tool failed. A machine without free memory is ``ResourceError``."""
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
    """The machine ran out of disk, memory or handles."""
    UNKNOWN_OUTCOME = "UnknownOutcomeError"
    RESULT = "ResultError"
    """The result does not match the schema that the tool declared for it."""
    EXECUTION = "ToolExecutionError"


class FailureKind(StrEnum):
    DENIED = "denied"
    """The policy or a person said no, or a person stopped the call."""
    INVALID = "invalid"
    """The arguments are not valid; the message says how to mend them."""
    TIMED_OUT = "timed_out"
    RAISED = "raised"
    EXHAUSTED = "exhausted"
    """The machine ran out of disk or memory."""


class ToolError(BaseModel):
    """An error, as a result shows it."""

    model_config = ConfigDict(frozen=True)
    type: ErrorType
    message: str

    @property
    def kind(self) -> FailureKind:
        return _KINDS.get(self.type, FailureKind.RAISED)


class ToolFailure(Permanent):
    """The tool failed."""

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
    """No disk space or memory is left."""


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
    NotBegun: ErrorType.TIMEOUT,
    Unreachable: ErrorType.NETWORK,
    Busy: ErrorType.NETWORK,
    Unsure: ErrorType.UNKNOWN_OUTCOME,
    Cancelled: ErrorType.CANCELLED,
    TimedOut: ErrorType.TIMEOUT,
    Exhausted: ErrorType.RESOURCE,
}

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EMFILE, errno.ENFILE})


def failure_of(error: Exception) -> tuple[FailureKind, ToolError]:
    """Return the kind and the name of an error.

    The text of an unexpected error could show how the machine is built, so it is left out.
    """
    named = _tool_error(error)
    return named.kind, named


def _tool_error(error: Exception) -> ToolError:
    if isinstance(error, ToolFailure):
        return ToolError(type=error.type, message=error.message or _first_line(error))
    if isinstance(error, AssistantError):
        kinds = (_TYPES[kind] for kind in type(error).__mro__ if kind in _TYPES)
        return ToolError(type=next(kinds, ErrorType.EXECUTION), message=str(error))
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _NO_ROOM):
        return ToolError(type=ErrorType.RESOURCE, message=str(Exhausted()))
    if isinstance(error, TimeoutError):
        return ToolError(type=ErrorType.TIMEOUT, message=str(TimedOut()))
    return ToolError(type=ErrorType.EXECUTION, message="an internal error")


def _first_line(error: AssistantError) -> str:
    return (type(error).__doc__ or "").splitlines()[0]
