"""The arguments of a tool: as a JSON Schema for a model, and validated with advice on errors."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from assistant.domain.errors import BadArguments

A = TypeVar("A", bound=BaseModel)


@lru_cache(maxsize=1_000)
def json_schema(args: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema without its examples. Made once: it takes pydantic milliseconds."""
    schema = args.model_json_schema()
    schema.pop("examples", None)
    return schema


def validated(model: type[A], args: Mapping[str, Any]) -> A:
    """Validate arguments. Raises ``BadArguments`` that says what to correct, field by field."""
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
