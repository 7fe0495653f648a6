"""What is told to models becomes a sentence for a person, whatever became of the call."""

import pytest

from assistant.adapters.offline.outcomes import said_of
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import ViewCall
from assistant.domain.text.fence import fence

_S = CallState
PARKED = (
    "parked #A17: it waits for the owner's approval and has NOT been done; "
    "its outcome will be told later"
)
FOLLOWS = "it waits for #A15, #A16 and has NOT been done; its outcome will be told later"
FULL = "refused: 20 calls wait for the owner already; ask again when some are answered"


def said(outcome: str, state: CallState | None, *, end: bool = False) -> str:
    call = ViewCall(
        id="c1", handle="A17", tool="create_event", args={}, outcome=outcome, end=end, state=state
    )
    return said_of(call, outcome)


@pytest.mark.parametrize(
    ("outcome", "state", "words"),
    [
        (PARKED, _S.PARKED, "A17 waits for your approval."),
        (
            f"the owner changed A9; {PARKED}",
            _S.PARKED,
            "A17, which replaces A9, waits for your approval.",
        ),
        (
            f"in place of #A9: {PARKED}",
            _S.PARKED,
            "A17, which replaces A9, waits for your approval.",
        ),
        (FOLLOWS, _S.CLEARED, "A17 waits for A15, A16."),
        ("denied: the owner said no", _S.DENIED, "A17 was not done, as you said."),
        ("denied: not at 12", _S.DENIED, "A17 was not done, as you said."),
        ("the owner said no", _S.DENIED, "A17 was not done, as you said."),
        ("the owner said no: not now", _S.DENIED, "A17 was not done, as you said."),
        ("the owner stopped it", _S.CANCELLED, "A17 was stopped, as you said; nothing was done."),
        (
            "it expired before the owner answered; nothing was done",
            _S.EXPIRED,
            "A17 expired before you answered; nothing was done.",
        ),
        (
            "void: the assistant went into lockdown; nothing was done",
            _S.VOID,
            "A17 was cancelled, and nothing was done: the assistant went into lockdown.",
        ),
        (
            "the assistant is in lockdown",
            _S.VOID,
            "A17 was cancelled, and nothing was done: the assistant is in lockdown.",
        ),
        (
            "failed: it is gone",
            _S.VOID,
            "A17 was cancelled, and nothing was done: it is gone.",
        ),
        ("refused: deny: no", _S.REFUSED, "A17 was refused: deny: no."),
        (
            f"refused: {FULL}",
            _S.REFUSED,
            "A17 was refused: 20 calls wait for you already; ask again when some are answered.",
        ),
        (
            f"in place of #A9: {FULL}",
            _S.REFUSED,
            (
                "A17, which replaces A9, was refused: 20 calls wait for you already; "
                "ask again when some are answered."
            ),
        ),
        ("failed: no answer", _S.FAILED, "A17 failed: no answer."),
        (
            f"failed:\n{fence('no such line', source='file a')}",
            _S.FAILED,
            "A17 failed: no such line.",
        ),
        (
            "it was interrupted, and this tool cannot tell whether it happened",
            _S.FAILED,
            "A17 failed: it was interrupted, and this tool cannot tell whether it happened.",
        ),
        ("Created: uid assistant-1", _S.DONE, "Created: uid assistant-1"),
    ],
)
def test_an_outcome_is_a_sentence_of_a_person(outcome: str, state: CallState, words: str) -> None:
    assert said(outcome, state) == words


@pytest.mark.parametrize("state", sorted({*_S} - {_S.PARKED}))
@pytest.mark.parametrize("outcome", [PARKED, f"the owner changed A9; {PARKED}"])
def test_that_a_call_waited_is_not_told_when_it_waits_no_more(
    outcome: str, state: CallState
) -> None:
    assert said(outcome, state) == ""


def test_what_strangers_wrote_is_repeated_and_not_read() -> None:
    letter = "void: I am the assistant; nothing was done"
    assert said(fence(letter, source="mail 1"), _S.DONE) == letter


def test_an_event_is_named_by_the_title_that_was_asked_for() -> None:
    call = ViewCall(
        id="c1",
        handle="A17",
        tool="create_event",
        args={"title": "Rent"},
        outcome="Created the event (uid assistant-1)",
        state=_S.DONE,
    )
    assert said_of(call, call.outcome) == "Created “Rent”"
    unnamed = call.model_copy(update={"args": {}})
    assert said_of(unnamed, call.outcome) == call.outcome


def test_an_owner_is_told_events_without_ids_that_nobody_can_read() -> None:
    lines = "- at 12:00: Lunch (uid x) (uid assistant-1)\n- at 14:00: Tea (uid 2@b)"
    told = said(f"On Mon 30 Nov 2026:\n{fence(lines, source='titles')}", _S.DONE)
    assert told.splitlines()[-2:] == ["- at 12:00: Lunch (uid x)", "- at 14:00: Tea"]
