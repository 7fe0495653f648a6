"""Say why a call was decided as it was, and who asked for it, as its owner would be told.

What is stored of a decision is a line for each layer, ``base: create_event is high risk here, so
ask``. It stays as it is, for programs and the audit; here it becomes a sentence.
"""

import re
from collections.abc import Iterator, Mapping

from assistant.domain.calls.call import Call, Reach
from assistant.domain.policy.decide import OWN_YES
from assistant.domain.policy.decisions import MAIL, MODEL
from assistant.domain.policy.grants import READ_TITLES

_OWNER = "owner:"
_STAND_BACK = frozenset({"base", "rule", "default", "autorun", "taint"})
"""The layers that stand back for what the owner asks for in person."""
_BASE = re.compile(r"\S+ is \w+ risk here, (?:but (?P<but>.+), )?so (?P<verdict>\w+)")
_RUNS = "it may run without asking"
_VERDICTS: Mapping[str, str] = {
    "allow": "it may run without asking",
    "report": "it may run without asking, and you are told",
    "ask": "it asks",
    "deny": "it is refused",
}
_ALWAYS = "it asks because your policy makes it always ask"
_SENTENCES: tuple[tuple[str, re.Pattern[str], str], ...] = tuple(
    (layer, re.compile(pattern, re.DOTALL), sentence)
    for layer, pattern, sentence in (
        ("rule", r"rules\[\d+\], for .+; but .+ is enforced, so ask", _ALWAYS),
        ("default", r"no rule fits, so \w+; but .+ is enforced, so ask", _ALWAYS),
        (
            "rule",
            r"(?P<rule>rules\[\d+\]), for .+?, says (?P<verdict>\w+)(?P<told>: .+)?",
            "{verdict}, as your policy says in {rule}{told}",
        ),
        (
            "default",
            r"no rule fits, so (?P<verdict>\w+)",
            "{verdict}, as your policy says of all that no rule is about",
        ),
        (
            "floor",
            r"it destroys what is the owner's own(?P<more>.*), which always asks",
            "it asks because it destroys what is your own{more}",
        ),
        ("floor", r"(?P<why>.+), which always asks", "it asks because {why}"),
        (
            "grant",
            r"(?P<grant>G\d+) covers it, so \w+",
            f"{_RUNS}: you said yes to such calls with {{grant}}",
        ),
        (
            "mode",
            r"in alert, \w+ risk means (?P<verdict>\w+)(?:, with \S+ typed)?",
            "{verdict}, as the assistant is in alert",
        ),
        (
            "autorun",
            r"none: .+",
            "it asks because your setting ASSISTANT_AUTORUN lets nothing but reads run by itself",
        ),
        (
            "autorun",
            r"no_public: what touches (?P<where>\S+) asks",
            "it asks because it touches {where}, where others can read (ASSISTANT_AUTORUN)",
        ),
        (
            "taint",
            r"outside text was in view, and (?P<why>.+), so ask",
            "it asks because others' words were in view, and {why}",
        ),
        (
            "taint",
            r"outside text was in view, for which (?P<grant>G\d+) was made, so \w+",
            f"{_RUNS} beside others' words: you said yes to that with {{grant}}",
        ),
        (
            "taint",
            r"outside text was in view, and what others wrote runs no command",
            "it is refused because others' words were in view: what others wrote runs no command",
        ),
        ("again", r"the owner changed it", "it asks because you changed it"),
        ("again", r"(?P<why>.+)", "it asks because {why}"),
    )
)
"""By layer: what is stored, and the sentence."""
_WHAT: Mapping[Reach, str] = {
    Reach.READS: "only reads{in_it}",
    Reach.WRITES: "changes {where}",
    Reach.DESTROYS: "deletes something{in_it}",
    Reach.SENDS: "sends something to others",
    Reach.EXECUTES: "runs a command",
    Reach.GOVERNS: "changes what guards the assistant",
}
_BUT: Mapping[str, str] = {
    "it is enforced": "your policy makes it always ask",
    "it always wants a yes": "it always wants a yes",
    "it wants a yes where something would be gone": "something would be gone",
}
_PLACES: Mapping[str, str] = {
    "calendar": "your calendar",
    "mail": "your mail",
    "private": "your files",
    "shared": "your files",
    "public": "your files",
}
"""By how a location begins."""


def asked_by(call: Call) -> str:
    """Say who asked for a call: the owner in person, or the assistant, and in whose words."""
    if call.actor.startswith(_OWNER):
        return f"you ({call.actor.removeprefix(_OWNER)})"
    if call.actor == MAIL:
        return "an invitation in a mail"
    if call.actor != MODEL:
        return call.actor
    given = {name for name, value in call.asked.items() if value is not None}
    typed = given and given <= set(call.typed)
    return "the assistant, as you typed it" if typed else "the assistant"


def reasons(call: Call) -> list[str]:
    """Say what each layer said in a sentence, the layer's name behind it."""
    told = ((_sentence(call, layer, words), layer) for layer, words in _layers(call))
    return [f"{said} ({layer})" if layer else said for said, layer in told]


def reason_of_layer(call: Call) -> str:
    """Say what the layer with the last word said; empty where nothing is stored of it."""
    mine = [(layer, words) for layer, words in _layers(call) if layer == call.layer]
    said = (_sentence(call, layer, words) for layer, words in mine)
    return " ".join(said)


def _layers(call: Call) -> Iterator[tuple[str, str]]:
    for reason in call.reasons:
        layer, colon, words = reason.partition(": ")
        yield (layer, words) if colon else ("", reason)


def _sentence(call: Call, layer: str, words: str) -> str:
    if layer in _STAND_BACK and call.actor.startswith(_OWNER) and words.endswith(f"; {OWN_YES}"):
        return "It may run without asking, as you asked for it yourself."
    said = _said(call, layer, words) or words
    return f"{said[:1].upper()}{said[1:]}" + ("" if said.endswith((".", "!", "?")) else ".")


def _said(call: Call, layer: str, words: str) -> str:
    """Say it in words of people; empty for what says it so already."""
    if layer == "base" and (found := _BASE.fullmatch(words)):
        return _of_base(call, found["verdict"], found["but"] or "")
    for of, pattern, sentence in _SENTENCES:
        if of == layer and (found := pattern.fullmatch(words)):
            given = found.groupdict(default="")
            verdict = given.pop("verdict", "")
            return sentence.format(verdict=_VERDICTS.get(verdict, verdict), **given)
    return ""


def _of_base(call: Call, verdict: str, but: str) -> str:
    what = _BUT.get(but, but) if but else _what(call)
    if verdict == "ask":
        return f"it asks because {what}"
    return f"{_VERDICTS.get(verdict, verdict)}: {what}"


def _what(call: Call) -> str:
    """Say what a call does, as far as that counts: ``it changes your calendar``."""
    if call.tool == READ_TITLES:
        return "it reads titles in your calendar"
    where = _where(call)
    said = _WHAT[call.reach].format(
        where=where or "something", in_it=f" in {where}" if where else ""
    )
    return f"it {said}"


def _where(call: Call) -> str:
    begins = {location.partition(":")[0] for location in call.facts.locations}
    places = {_PLACES.get(begin, "") for begin in begins}
    return places.pop() if len(places) == 1 else ""
