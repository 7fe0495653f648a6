"""Say what is wrong with a setting: which one, where it stands, what is wrong, what would do.

A secret, or an address that may hold one, is never told.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from annotated_types import Ge, Gt, Le
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from assistant.domain.errors import Misconfigured

_SECRET_NAMES = re.compile(r".*(_url|_base|_gateway|_endpoint|_key|_token|_password)")
_LONGEST = 60
_KINDS: Mapping[str, str] = {
    "int_parsing": "is no whole number",
    "int_type": "is no whole number",
    "int_from_float": "is no whole number",
    "float_parsing": "is no number",
    "float_type": "is no number",
    "finite_number": "is no number",
    "string_type": "is no text; put it in quotes",
    "path_type": "is no path",
}


class WrongSettings(Misconfigured):
    """Settings are wrong."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("; ".join(lines))
        self.lines = tuple(lines)
        """A sentence for each."""


def said_of(name: str, place: str, why: str) -> str:
    """Such as ``ASSISTANT_SMTP_PORT in /home/ada/.env: 'abc' is no whole number``."""
    return f"{name}{f' {place}' if place else ''}: {why}"


def why(problem: Mapping[str, Any], field: FieldInfo | None, name: str) -> str:
    """Say what is wrong with a value and what would be right, from pydantic's problem."""
    kind = str(problem["type"])
    if kind == "value_error":
        return str(problem["msg"]).removeprefix("Value error, ")
    value = _shown(problem["input"], field, name)
    if field is None:
        return f"{value} does not fit"
    if kind in {"literal_error", "enum"}:
        return f"{value} is none of {_choices(problem)}{_default(field)}"
    if kind in _KINDS:
        return f"{value} {_KINDS[kind]}{_default(field)}"
    if limits := _limits(field):
        return f"{value}: give {limits}{_default(field)}"
    return f"{value} does not fit{_default(field)}"


def _shown(value: Any, field: FieldInfo | None, name: str) -> str:
    secret = field is None or field.annotation is SecretStr or _SECRET_NAMES.fullmatch(name)
    text = str(value)
    if secret or len(text) > _LONGEST:
        return "its value"
    return repr(text)


def _choices(problem: Mapping[str, Any]) -> str:
    return str(problem.get("ctx", {}).get("expected", "")).replace("'", "")


def _limits(field: FieldInfo) -> str:
    said = []
    for one in field.metadata:
        if isinstance(one, Ge):
            said.append(f"at least {one.ge}")
        if isinstance(one, Gt):
            said.append(f"more than {one.gt}")
        if isinstance(one, Le):
            said.append(f"at most {one.le}")
    return " and ".join(said)


def _default(field: FieldInfo) -> str:
    default = field.default
    if isinstance(default, SecretStr) or default in ("", None):
        return ""
    return f"; the default is {default}"
