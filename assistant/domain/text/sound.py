"""Make text storable everywhere: in every database, in canonical JSON, in UTF-8."""

import re
from typing import Any

_UNKEPT = re.compile("[\x00\ud800-\udfff]")


def sound(text: str) -> str:
    """Replace each NUL, which Postgres refuses, and each lone surrogate by U+FFFD."""
    return _UNKEPT.sub("\ufffd", text)


def sound_json(value: Any) -> Any:
    """Apply ``sound`` to every text in a JSON value, names of members included."""
    if isinstance(value, str):
        return sound(value)
    if isinstance(value, dict):
        return {sound(name): sound_json(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [sound_json(item) for item in value]
    return value
