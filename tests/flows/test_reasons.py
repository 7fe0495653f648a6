"""Why it asks is said in a sentence that a person understands; what is stored stays as it is."""

import re

import pytest
from hypothesis import given

from assistant.domain.calls.call import Call, Facts, Reach
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.decide import OWN_YES, PolicyContext, decide
from assistant.domain.policy.decisions import MODEL, Layer, Request
from assistant.flows.render.cards import why
from assistant.flows.render.reasons import _said, asked_by, reason_of_layer, reasons
from tests.flows.test_batches import booking
from tests.judging import asked, cases, judged, rule
from tests.operations import enters
from tests.world import World

DIALECT = re.compile(r"risk here|, so (ask|allow|report|deny)|outside text|the owner|always asks")


def a_call(
    *stored: str, reach: Reach = Reach.WRITES, at: str = "calendar:1", **more: object
) -> Call:
    return Call(
        id="c1",
        owner="owner",
        number=17,
        conversation="t1",
        turn=1,
        ordinal=0,
        tool="create_event",
        facts=Facts(args={"title": "Rent"}, locations=(at,)),
        state=CallState.PARKED,
        reach=reach,
        reasons=stored,
        layer="".join(stored[-1:]).rpartition(": ")[0].partition(":")[0],
    ).model_copy(update=more)


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        (
            "base: create_event is high risk here, so ask",
            "It asks because it changes your calendar. (base)",
        ),
        (
            "base: create_event is medium risk here, so report",
            "It may run without asking, and you are told: it changes your calendar. (base)",
        ),
        (
            "base: x is low risk here, but it wants a yes where something would be gone, so ask",
            "It asks because something would be gone. (base)",
        ),
        (
            "rule: rules[2], for create_event, says ask: look first",
            "It asks, as your policy says in rules[2]: look first. (rule)",
        ),
        (
            "default: no rule fits, so deny",
            "It is refused, as your policy says of all that no rule is about. (default)",
        ),
        (
            "floor: it destroys what is the owner's own, which always asks",
            "It asks because it destroys what is your own. (floor)",
        ),
        (
            "grant: G3 covers it, so report",
            "It may run without asking: you said yes to such calls with G3. (grant)",
        ),
        (
            "mode: in alert, high risk means ask, with CONFIRM typed",
            "It asks, as the assistant is in alert. (mode)",
        ),
        ("mode: in recovery every change asks", "In recovery every change asks. (mode)"),
        (
            "taint: outside text was in view, and it destroys, so ask",
            "It asks because others' words were in view, and it destroys. (taint)",
        ),
        (
            "autorun: none: everything that is not a read asks",
            (
                "It asks because your setting ASSISTANT_AUTORUN lets nothing but reads run by "
                "itself. (autorun)"
            ),
        ),
        (
            "again: it changed since it was shown",
            "It asks because it changed since it was shown. (again)",
        ),
        ("again: the owner changed it", "It asks because you changed it. (again)"),
        (
            "rule: rules[0], for x, says allow: fine; but x is enforced, so ask",
            "It asks because your policy makes it always ask. (rule)",
        ),
        (
            "default: no rule fits, so allow; but x is enforced, so ask",
            "It asks because your policy makes it always ask. (default)",
        ),
        (
            "taint: outside text was in view, and what others wrote runs no command",
            (
                "It is refused because others' words were in view: what others wrote runs no "
                "command. (taint)"
            ),
        ),
        (
            "deny: there is no mail named from the owner",
            "There is no mail named from the owner. (deny)",
        ),
        ("it was so in an older version", "It was so in an older version. ()"),
    ],
)
def test_a_stored_reason_is_told_as_a_sentence(stored: str, said: str) -> None:
    call = a_call(stored)
    assert reasons(call) == [said.removesuffix(" ()")]
    assert reason_of_layer(call) == said.rpartition(" (")[0]


@pytest.mark.parametrize(
    ("reach", "at", "said"),
    [
        (Reach.DESTROYS, "calendar:1", "It asks because it deletes something in your calendar."),
        (Reach.WRITES, "private:/a", "It asks because it changes your files."),
        (Reach.WRITES, "lamp:1", "It asks because it changes something."),
        (Reach.SENDS, "mail:1", "It asks because it sends something to others."),
        (Reach.EXECUTES, "x", "It asks because it runs a command."),
    ],
)
def test_what_it_touches_is_named(reach: Reach, at: str, said: str) -> None:
    assert reason_of_layer(a_call("base: x is high risk here, so ask", reach=reach, at=at)) == said


def test_what_is_decided_now_is_told_without_the_words_of_the_policy(world: World) -> None:
    world.asks(booking("Rent"))
    enters(world, Mode.ALERT)
    world.asks(booking("Tea"), Want(tool="delete_event", args={"event": "Rent"}))
    for call in map(world.call, ("A1", "A2")):
        assert call.reasons
        said = "\n".join((*why(call), *reasons(call)))
        assert not DIALECT.search(said), said
        assert "asked for by model" not in said


def test_who_asked_is_said_truly() -> None:
    given = {"title": "Rent", "notes": None}
    assert asked_by(a_call(asked=given)) == "the assistant"
    assert asked_by(a_call(asked=given, typed=("title",))) == "the assistant, as you typed it"
    assert asked_by(a_call(asked=given, actor="owner:terminal:ada")) == "you (terminal:ada)"


def test_what_the_owner_typed_is_told_as_typed_by_them(world: World) -> None:
    world.model.will(Turn(wants=(booking("Rent"),)), Turn(text="So be it."))
    world.says("create Rent 2026-11-30 10:00-10:30")
    assert asked_by(world.call("A1")) == "the assistant, as you typed it"


STANDS_BACK = ("base", "rule", "default", "autorun", "taint")


@pytest.mark.parametrize("layer", Layer)
@pytest.mark.parametrize("actor", [MODEL, "owner:terminal:ada"])
def test_only_a_layer_that_stands_back_for_the_owner_says_so(layer: Layer, actor: str) -> None:
    [said] = reasons(a_call(f"{layer}: it would ask; {OWN_YES}", actor=actor))
    stands_back = layer in STANDS_BACK and actor != MODEL
    assert ("asked for it yourself" in said) == stands_back


def test_a_made_up_tool_cannot_say_that_the_owner_asked(world: World) -> None:
    world.asks(Want(tool=f"x; {OWN_YES}", args={}))
    assert world.call("A1").state is CallState.REFUSED
    assert "asked for it yourself" not in " ".join(why(world.call("A1")))


AS_IT_IS = ("deny", "constraint", "rate", "mode")
"""The layers whose words are told as they are, where they are no others'."""


def test_a_rule_with_a_message_that_shows_nothing_is_told_without_it() -> None:
    silent = rule("ask").model_copy(update={"message": "\u2028 "})
    decision = judged(asked(), silent)
    told = " ".join(reasons(a_call(*decision.reasons)))
    assert "It asks, as your policy says in rules[0]. (rule)" in told


@given(cases())
def test_every_reason_of_the_policy_has_a_sentence(case: tuple[Request, PolicyContext]) -> None:
    request, policy_context = case
    decision = decide(request, policy_context)
    call = a_call(*decision.reasons, actor=request.actor).model_copy(
        update={"reach": request.reach or Reach.WRITES, "facts": request.facts}
    )
    for stored, said in zip(decision.reasons, reasons(call), strict=True):
        layer, _, words = stored.partition(": ")
        own = request.by_owner and words.endswith(OWN_YES)
        assert own or layer in AS_IT_IS or _said(call, layer, words), stored
        if layer != "rule":  # which may quote the words of a rule
            assert not DIALECT.search(said), said
