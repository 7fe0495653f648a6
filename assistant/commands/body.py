"""What a command takes and does. It is loaded when the command is used."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SkipValidation

from assistant.commands.answer import Answer, Form
from assistant.commands.context import CommandContext


class Args(BaseModel):
    """What a command takes. A field's description is the help of its option."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


Stream = Annotated[IO[bytes], SkipValidation]
"""An opened file that was given; its field has ``Option(file=True)``."""
A = TypeVar("A", bound=BaseModel)
Choices = Callable[[CommandContext, str], Sequence[tuple[str, str]]]
"""For an argument that is being typed: what fits, as it is shown, and the value."""


@dataclass(frozen=True)
class Option:
    """How a field is given where its name and its kind do not say that.

    Put it into the field's ``Annotated``.
    """

    name: str = ""
    """On the command line, with its dashes, where it is not the field's own: ``--all``."""
    short: str = ""
    old: str = ""
    """The name that it had on the command line before, which still counts."""
    positional: bool = False
    """Given by its place on the command line, although it can be left out."""
    shell: bool = True
    """Given on the command line."""
    chat: bool = True
    """Given in chats."""
    needed: bool = False
    """A chat has to give it, although the field can be left out."""
    step: bool = False
    """The yes to what was shown, or its word: a channel with buttons and forms asks by these."""
    json: bool = False
    """What it asks for is JSON, with ``--json`` or without."""
    file: bool = False
    """The name of a file, or ``-`` for standard input: the command gets the opened stream."""


@dataclass(frozen=True, kw_only=True)
class Body(Generic[A]):
    args: type[A]
    run: Callable[[CommandContext, A], Answer]
    preview: Callable[[CommandContext, A], Answer] | None = None
    """What is shown first, on a command line that shows nothing by itself: what a yes is about."""
    then: Callable[[CommandContext, A, Answer], Answer] | None = None
    """What came of it, once what it waits for rests. An answer that waits again is followed too."""
    choices: Mapping[str, Choices] = field(default_factory=dict)
    form: Callable[[CommandContext, A], Form | None] | None = None
    """What is asked for first, where a channel has forms; None where nothing has to be."""


class Nothing(Args):
    """No arguments."""


class OneCall(Args):
    """A call, by its handle."""

    call: str = Field(description="Such as A17.")


def option_of(metadata: Sequence[Any]) -> Option:
    """How a field with this metadata is given."""
    return next((one for one in metadata if isinstance(one, Option)), Option())
