"""The arguments of a tool: as a JSON Schema for a model, and validated with advice on errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from assistant.domain.errors import BadArguments
from assistant.domain.limits import ARGUMENTS

A = TypeVar("A", bound=BaseModel)
_SCALAR = 4
"""The bytes that a number that is not whole, true, false or null counts."""
_ESCAPED = 6
"""The most bytes that JSON writes for one byte of a text: ``\\u0001``."""


@dataclass(frozen=True)
class ContentLimit:
    """Marks an argument as content, such as a file's text: ``Annotated[str, ContentLimit(MiB)]``.

    It counts for itself, and not among the 64 KiB that all other arguments have together.
    """

    most: int
    """Bytes."""


@lru_cache(maxsize=1_000)
def json_schema(args: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema without its examples. Made once: it takes pydantic milliseconds."""
    schema = args.model_json_schema()
    schema.pop("examples", None)
    return schema


@lru_cache(maxsize=1_000)
def contents(model: type[BaseModel]) -> Mapping[str, int]:
    """Return the arguments that are content, each with its most bytes."""
    marks = {
        name: [one.most for one in field.metadata if isinstance(one, ContentLimit)]
        for name, field in model.model_fields.items()
    }
    return {name: min(most) for name, most in marks.items() if most}


def largest(model: type[BaseModel]) -> int:
    """Return the most bytes that the arguments can have as a JSON text, before it is parsed."""
    return ARGUMENTS + _ESCAPED * sum(contents(model).values())


def too_large(args: Mapping[str, Any], model: type[BaseModel] | None) -> str:
    """Say which arguments are too large, before anything else reads them; empty if none is.

    Looks at no more than the limits. ``model`` is None for a tool that is not known.
    """
    own = contents(model) if model else {}
    for name, most in own.items():
        if _left(args.get(name), most) < 0:
            return f"{name}: it has more than {most:,} bytes, which is the most it can have"
    rest = {name: value for name, value in args.items() if name not in own}
    if _left(rest, ARGUMENTS) < 0:
        but = f" without {', '.join(own)}" if own else ""
        return f"they have more than {ARGUMENTS:,} bytes{but}, which is the most they can have"
    return ""


def _left(value: object, most: int) -> int:
    """Return how many bytes are left of ``most`` for more than this value; below 0 for none."""
    waiting = [value]
    while waiting and most >= 0:
        here = waiting.pop()
        if isinstance(here, str):
            most -= len(here) if len(here) > most or here.isascii() else _bytes(here)
        elif isinstance(here, Mapping):
            most -= len(here)
            waiting += [*here, *here.values()] if most >= 0 else ()
        elif isinstance(here, list | tuple):
            most -= len(here)
            waiting += here if most >= 0 else ()
        else:
            most -= here.bit_length() // 4 if isinstance(here, int) else _SCALAR
    return most


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def validated(model: type[A], args: Mapping[str, Any]) -> A:
    """Validate arguments. Raises ``BadArguments`` that says what to correct, field by field."""
    if why := too_large(args, model):
        raise BadArguments(why)
    try:
        return model.model_validate(dict(args))
    except ValidationError as error:
        raise BadArguments(_advice(error, list(model.model_fields))) from error


def _advice(error: ValidationError, fields: Sequence[str]) -> str:
    return "; ".join(
        f"{'.'.join(str(place) for place in problem['loc']) or 'arguments'}: "
        f"{_correction(problem, fields)}"
        for problem in error.errors(include_url=False, include_input=False)
    )


def _correction(problem: ErrorDetails, fields: Sequence[str]) -> str:
    if problem["type"] != "extra_forbidden":
        return problem["msg"].removeprefix("Value error, ")
    there = f"; there are {', '.join(fields) or 'none'}" if len(problem["loc"]) == 1 else ""
    return f"there is no such field{there}"
