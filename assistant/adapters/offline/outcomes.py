"""Turn the outcome of a call, as a model sees it, into a sentence for a person."""

import re

from assistant.adapters.offline import scopes, texts
from assistant.domain.calls.states import HAPPENED, CallState
from assistant.domain.conversation.conversation import ViewCall
from assistant.domain.text.fence import unfence

_INSTEAD = re.compile(r"\A(?:the owner changed|in place of) #?(A\d+)[;:] ")
_PARKED = re.compile(r"\Aparked #A\d+: [^\n]*\Z")
_FOLLOWS = re.compile(r"\Ait waits for (#A\d+(?:, #A\d+)*) and has NOT been done; [^\n]*\Z")
_ENDINGS = (
    ("denied: ", "{name} was not done, as you said."),
    ("the owner said no", "{name} was not done, as you said."),
    ("the owner stopped it", "{name} was stopped, as you said; nothing was done."),
    (
        "it expired before the owner answered",
        "{name} expired before you answered; nothing was done.",
    ),
)
_VOID = "was cancelled, and nothing was done"
_KINDS = {"void": _VOID, "refused": "was refused", "failed": "failed"}
"""How an outcome with a reason begins, and its words for a person."""
_BY_ID = re.compile(r"\A(\w[\w ]*) the event \(uid [^\n]*\)")
"""How the result of a change of an event begins."""
_LISTED_ID = re.compile(r"^(- .*) \(uid [^\s()]+\)$", re.MULTILINE)
"""What ends the line of an event in a list: an id that nobody can read."""
_WHICH_OF_SERIES = re.compile(r"it repeats: say with `(?:scope|on)`")
"""How the refusal of a change of a series begins whose words do not say how much of it is meant."""
_NOTHING = re.compile(r"; nothing was done\Z")


def said_of(call: ViewCall, outcome: str) -> str:
    """Return the outcome of a call in a sentence; empty where the outcome is out of date.

    ``outcome`` is the text that a model sees. A tool's result is repeated as it is.
    """
    before = _INSTEAD.match(outcome)
    text = outcome[before.end() :] if before else outcome
    name = f"{call.handle}, which replaces {before[1]}," if before else call.handle
    if _PARKED.match(text):
        return f"{name} waits for your approval." if _still(call, CallState.PARKED) else ""
    if follows := _FOLLOWS.match(text):
        others = follows[1].replace("#", "")
        return f"{name} waits for {others}." if _still(call, CallState.CLEARED) else ""
    return _ended(call, name, text)


def _still(call: ViewCall, state: CallState) -> bool:
    return not call.end and call.state in (None, state)


def _by_title(call: ViewCall, text: str) -> str:
    """Name an event by the title that was asked for, in the place of its id."""
    title = call.args.get("title") or call.args.get("event")
    if not isinstance(title, str):
        return text
    return _BY_ID.sub(lambda found: f"{found[1]} “{title}”", text)


def _ended(call: ViewCall, name: str, text: str) -> str:
    kind, colon, rest = text.partition(":")
    if call.state in HAPPENED:
        return _LISTED_ID.sub(r"\1", _by_title(call, unfence(text)))
    for begins, words in _ENDINGS:
        if text.startswith(begins):
            return words.format(name=name)
    why = unfence((rest if colon and kind in _KINDS else text).strip())
    if kind == "refused":
        # The prefix is there twice if too many calls already waited for the owner.
        why = why.removeprefix("refused: ").replace("wait for the owner", "wait for you")
        if _WHICH_OF_SERIES.match(why) and (ways := scopes.offers(call.tool, call.args)):
            return "\n".join((texts.WHICH_OF_SERIES.format(name=name), *ways))
    became = _VOID if call.state is CallState.VOID else _KINDS.get(kind, "")
    if call.state is CallState.FAILED:
        became = _KINDS["failed"]
    why = _NOTHING.sub("", why).rstrip(".")
    return f"{name} {became}: {why}." if became else unfence(text)
