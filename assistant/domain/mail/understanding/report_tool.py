"""The one call that asks a model what a mail says, and what its answer is read as.

The model reports by a tool call. One that calls no tool, or writes the same JSON as text, is read
as well; plain words become the gist, without facts.
"""

import json
from collections.abc import Mapping
from typing import Any

from assistant.domain.conversation.conversation import ToolSchema, Turn
from assistant.domain.mail.understanding.quotes import LONGEST
from assistant.domain.mail.understanding.understood import (
    MOST,
    WORDS,
    Reported,
    Understood,
    short_gist,
    understood_from,
)

NAME = "report_mail"
_LONGEST_JSON = 64 * 1024
_QUOTE = {
    "type": "string",
    "maxLength": LONGEST,
    "description": "The words of the mail that say so, copied letter by letter, in one piece.",
}
_WORDS = {"type": "string", "maxLength": WORDS}
_MOMENT = {
    "type": "string",
    "description": "2026-11-30, or 2026-11-30T10:00 where the quote names a time. "
    "Leave it out where the quote names no day.",
}


def _facts(about: str, words: str, **further: Mapping[str, Any]) -> dict[str, Any]:
    needed = [name for name in ("words", "quote", "value") if name in {"words", "quote", *further}]
    return {
        "type": "array",
        "maxItems": MOST,
        "description": about,
        "items": {
            "type": "object",
            "properties": {
                "words": {**_WORDS, "description": words},
                "quote": _QUOTE,
                **further,
            },
            "required": needed,
        },
    }


REPORT = ToolSchema(
    name=NAME,
    description="Report what the mail says. Call it exactly once.",
    parameters={
        "type": "object",
        "properties": {
            "gist": {
                "type": "string",
                "description": "What the mail is about, in one or two short sentences.",
            },
            "asks": _facts(
                "What the mail asks of its owner.",
                "What the owner is to do, beginning with a verb.",
                due=_MOMENT,
            ),
            "promises": _facts(
                "What the owner promised, only where the owner's own words are in the mail.",
                "What the owner promised, beginning with a verb.",
                due=_MOMENT,
            ),
            "dates": _facts(
                "Days and times that the mail names.", "The day or time, as written.", at=_MOMENT
            ),
            "amounts": _facts(
                "Sums of money that the mail names.",
                "What the sum is for.",
                value={"type": "string", "description": "Digits, with a point: 1250.00"},
                currency={"type": "string", "description": "The code, such as EUR."},
            ),
            "deadlines": _facts(
                "Days and times by which something must be done, or ends.",
                "What must be done by then, or ends then.",
                due=_MOMENT,
            ),
        },
        "required": ["gist"],
    },
)
"""The tool as a model sees it. It is in no registry: nothing runs, its arguments are the answer."""


def read_report(turn: Turn) -> Reported:
    """Return what a model's answer says. Never raises, whatever the answer.

    The facts are not compared with the mail yet: ``checked`` does that.
    """
    for want in turn.wants:
        if want.tool == NAME and not want.trouble:
            return understood_from(want.args)
    written = _json_in(turn.text)
    if written is not None:
        return understood_from(written)
    lost = sum(want.tool == NAME for want in turn.wants)
    return Reported(Understood(gist=short_gist(turn.text)), lost)


def _json_in(text: str) -> Mapping[str, Any] | None:
    """Return the object, where the whole answer is one, in a code fence or bare."""
    bare = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
    if not (bare.startswith("{") and bare.endswith("}") and len(bare) <= _LONGEST_JSON):
        return None
    try:
        read = json.loads(bare)
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) and "gist" in read else None
