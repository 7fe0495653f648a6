"""What became of a call, in a sentence for a person, without the words that are for models."""

import re

from assistant.domain.call_states import HAPPENED, CallState
from assistant.domain.fence import unfence
from assistant.domain.talk import ViewCall

_INSTEAD = re.compile(r"\A(?:the owner changed|in place of) #?(A\d+)[;:] ")
_PARKED = re.compile(r"\Aparked #A\d+: [^\n]*\Z")
_FOLLOWS = re.compile(r"\Ait waits for (#A\d+(?:, #A\d+)*) and has NOT been done; [^\n]*\Z")
_ENDINGS = (
    ("the owner said no", "{name} was not done, as you said."),
    ("the owner stopped it", "{name} was stopped, as you said; nothing was done."),
    (
        "it expired before the owner answered",
        "{name} expired before you answered; nothing was done.",
    ),
)
_VOID = "is void, and nothing was done"
_KINDS = {"void": _VOID, "refused": "was refused", "failed": "failed"}
"""How an outcome begins that says why, and what that means."""
_NOTHING = re.compile(r"; nothing was done\Z")


def said_of(call: ViewCall, outcome: str) -> str:
    """The last word on a call; empty where it was told what is so no more.

    ``outcome`` is what a model is told of it. What a tool found or did is repeated as it is.
    """
    before = _INSTEAD.match(outcome)
    text = outcome[before.end() :] if before else outcome
    name = f"{call.handle}, in the place of {before[1]}," if before else call.handle
    if _PARKED.match(text):
        return f"{name} waits for your approval." if _still(call, CallState.PARKED) else ""
    if follows := _FOLLOWS.match(text):
        others = follows[1].replace("#", "")
        return f"{name} waits for {others}." if _still(call, CallState.CLEARED) else ""
    return _ended(call, name, text)


def _still(call: ViewCall, state: CallState) -> bool:
    return not call.end and call.state in (None, state)


def _ended(call: ViewCall, name: str, text: str) -> str:
    kind, colon, rest = text.partition(":")
    if call.state in HAPPENED:
        return unfence(text)
    for begins, words in _ENDINGS:
        if text.startswith(begins):
            return words.format(name=name)
    why = unfence((rest if colon and kind in _KINDS else text).strip())
    if kind == "refused":
        # Twice, where it was too much to ask the owner about as well.
        why = why.removeprefix("refused: ").replace("wait for the owner", "wait for you")
    became = _VOID if call.state is CallState.VOID else _KINDS.get(kind, "")
    if call.state is CallState.FAILED:
        became = _KINDS["failed"]
    why = _NOTHING.sub("", why).rstrip(".")
    return f"{name} {became}: {why}." if became else unfence(text)
