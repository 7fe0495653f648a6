"""Every error has a name, a kind and words."""

import errno
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain import errors
from assistant.domain.calls.tool_errors import (
    Cancelled,
    ErrorType,
    Exhausted,
    FailureKind,
    TimedOut,
    ToolError,
    ToolFailure,
    failure_of,
)
from assistant.domain.errors import AssistantError

NAMED = {
    "FileNotFoundError",
    "FileExistsError",
    "FileReadError",
    "FileWriteError",
    "FileEditError",
    "EditTargetNotFound",
    "EditTargetAmbiguous",
    "GlobError",
    "GrepError",
    "LsError",
    "PermissionError",
    "ShellExecutionError",
    "ShellTimeoutError",
    "HttpError",
    "FetchError",
    "SearchError",
    "MemoryError",
    "TodoError",
}
"""What the results of single tools promise to call their errors."""


def every(kind: type[AssistantError]) -> Iterator[type[AssistantError]]:
    for below in kind.__subclasses__():
        yield below
        yield from every(below)


OURS = sorted(
    {kind for kind in every(AssistantError) if kind.__init__ is AssistantError.__init__}, key=str
)
"""Those that are made of words alone."""


def test_the_promised_names_are_there() -> None:
    assert set(ErrorType) >= NAMED


@pytest.mark.parametrize("kind", OURS)
def test_every_error_of_ours_has_a_type_and_a_message(kind: type[AssistantError]) -> None:
    """Property 57: an error comes out with a type and a message."""
    failure, said = failure_of(kind("the particulars"))
    assert isinstance(failure, FailureKind)
    assert isinstance(said.type, ErrorType)
    assert "the particulars" in said.message
    assert failure_of(kind())[1].message


def test_the_plain_errors_have_names_of_their_own() -> None:
    plain = [
        kind
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and name not in ("AssistantError", "Permanent", "Transient")
    ]
    types = {kind: failure_of(kind())[1].type for kind in plain}
    assert [kind for kind, type in types.items() if type is ErrorType.EXECUTION] == []


@given(st.sampled_from(ErrorType), st.text(min_size=1))
def test_a_tool_names_its_error_itself(type: ErrorType, message: str) -> None:
    failure, said = failure_of(ToolFailure(type, message))
    assert said == ToolError(type=type, message=message)
    assert failure is said.kind


@pytest.mark.parametrize(
    ("error", "kind", "type"),
    [
        (errors.Denied("rule 3"), FailureKind.DENIED, ErrorType.PERMISSION_DENIED),
        (Cancelled(), FailureKind.DENIED, ErrorType.CANCELLED),
        (errors.BadArguments("start: missing"), FailureKind.INVALID, ErrorType.VALIDATION),
        (TimedOut(), FailureKind.TIMED_OUT, ErrorType.TIMEOUT),
        (TimeoutError(), FailureKind.TIMED_OUT, ErrorType.TIMEOUT),
        (errors.Unreachable(), FailureKind.RAISED, ErrorType.NETWORK),
        (ZeroDivisionError(), FailureKind.RAISED, ErrorType.EXECUTION),
        (Exhausted(), FailureKind.EXHAUSTED, ErrorType.RESOURCE),
        (OSError(errno.ENOSPC, "no space"), FailureKind.EXHAUSTED, ErrorType.RESOURCE),
        (MemoryError(), FailureKind.EXHAUSTED, ErrorType.RESOURCE),
    ],
)
def test_failures_are_of_five_kinds(error: Exception, kind: FailureKind, type: ErrorType) -> None:
    assert failure_of(error) == (kind, ToolError(type=type, message=failure_of(error)[1].message))


def test_what_is_none_of_ours_tells_nothing_of_the_inside() -> None:
    _, said = failure_of(RuntimeError("password=hunter2 in /etc/secret"))
    assert said.message == "an internal error"


def test_what_is_told_on_as_the_same_error_is_named_once() -> None:
    first = errors.BadArguments("path: there is none")
    assert str(errors.BadArguments(str(first))) == str(first)
