"""The commands of a chat, over a real screen."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from assistant.domain.calls.states import CallState
from assistant.domain.conversation.deliveries import Attempt, Shown, ShownKind
from workers.cli.session import Session
from workers.cli.terminal.card_prompt import PromptedCard
from workers.cli.terminal.chat import Talk, _say
from workers.cli.terminal.slash import command
from workers.settings import OWNER, only


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Session]:
    made = Session(only(data_dir=tmp_path, timezone="UTC"))
    made.open()
    yield made
    made.assistant.close()


def test_a_card_of_long_ago_can_be_looked_at_and_answered(
    opened: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    cause = opened.assistant.cause()
    _say(opened, 'create "Pay the rent" 2031-11-30 10:00', cause)
    assert opened.settle(cause.trace)
    for n in range(1_001):
        line = Shown(kind=ShownKind.NOTICE, text=str(n))
        opened.assistant.screen.show(OWNER, line, attempt=Attempt(key=f"line-{n}"))
    conversation = Talk(opened)
    conversation._draw_new()
    conversation._handle("/approve A1")
    assert "Look at A1 first." in capsys.readouterr().out
    conversation._handle("/pending")
    assert "Pay the rent" in capsys.readouterr().out
    conversation._handle("/deny A1 because of the rain")
    assert "nothing was done" in capsys.readouterr().out
    with opened.assistant.store.read(cause) as tx:
        assert tx.call_named("A1").state is CallState.DENIED


def test_a_no_counts_although_another_terminal_drew_the_card(
    opened: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    cause = opened.assistant.cause()
    _say(opened, 'create "Pay the rent" 2031-11-30 10:00', cause)
    assert opened.settle(cause.trace)
    Talk(opened)._draw_new()
    other = Talk(opened)
    other._draw_new()
    capsys.readouterr()
    other._handle("/deny A1 because it is paid")
    told = capsys.readouterr().out
    assert "A1 is denied; nothing was done." in told
    assert "A1: Create “Pay the rent”" in told
    with opened.assistant.store.read(cause) as tx:
        assert tx.call_named("A1").told == "because it is paid"


def test_a_line_whose_cards_are_to_be_looked_at_first_stands_there_again(
    opened: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    cause = opened.assistant.cause()
    _say(opened, 'create "A" 2031-11-30 10:00 and create "B" 2031-11-30 12:00', cause)
    assert opened.settle(cause.trace)
    conversation = Talk(opened)
    for line in ("/edit A1 title=Tea", "/snooze A1 evening"):
        conversation._shown.clear()
        conversation._handle(line)
        assert conversation._next == line
    conversation._next = ""
    conversation._shown.clear()
    conversation._handle("/approve A1")
    assert conversation._next == "", "a yes is typed anew"
    conversation._shown.clear()
    conversation._handle("/deny all A1 too dear")
    assert conversation._next == "", "a no needs no look"
    assert "A1, A2 are denied" in capsys.readouterr().out


def test_a_card_that_another_terminal_drew_is_looked_at_first(
    opened: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    cause = opened.assistant.cause()
    _say(opened, 'create "Pay the rent" 2031-11-30 10:00', cause)
    assert opened.settle(cause.trace)
    Talk(opened)._draw_new()
    assert "Pay the rent" in capsys.readouterr().out
    other = Talk(opened)
    other._draw_new()
    assert "Pay the rent" not in capsys.readouterr().out
    other._handle("/approve A1")
    assert "Look at A1 first." in capsys.readouterr().out
    with opened.assistant.store.read(cause) as tx:
        assert tx.call_named("A1").state is CallState.PARKED
    other._handle("/approve A1")
    with opened.assistant.store.read(cause) as tx:
        assert tx.call_named("A1").state is not CallState.PARKED


def test_an_answer_at_the_prompt_covers_the_printed_card_alone(opened: Session) -> None:
    cause = opened.assistant.cause()
    _say(opened, 'create "Pay the rent" 2031-11-30 10:00', cause)
    assert opened.settle(cause.trace)
    conversation = Talk(opened)
    conversation._draw_new()
    with opened.assistant.store.read(cause) as tx:
        id = tx.call_named("A1").id
    other = PromptedCard(call=id, handle="A1", digest="of a card that has changed")
    conversation._handle("/approve A1", asked=other)
    with opened.assistant.store.read(cause) as tx:
        assert tx.call_named("A1").state is CallState.PARKED


def test_a_reason_without_a_call_is_asked_for_the_call(
    opened: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    conversation = Talk(opened)
    conversation._entered("/deny too dear")
    assert "Nothing waits for you." in capsys.readouterr().out
    cause = opened.assistant.cause()
    _say(opened, 'create "Rent" 2031-11-30 10:00 and create "Tea" 2031-11-30 12:00', cause)
    assert opened.settle(cause.trace)
    conversation._entered("/deny too dear")
    assert "Which one? A1, A2. Type: /deny A1 too dear" in capsys.readouterr().out
    conversation._entered("/deny A2 too dear")
    with opened.assistant.store.read(cause) as tx:
        assert tx.call_named("A1").state is CallState.PARKED
        assert tx.call_named("A2").told == "too dear"


def test_what_a_command_prints_takes_the_card_from_the_prompt(opened: Session) -> None:
    cause = opened.assistant.cause()
    _say(opened, 'create "Pay the rent" 2031-11-30 10:00', cause)
    assert opened.settle(cause.trace)
    conversation = Talk(opened)
    conversation._bound = True
    conversation._show_waiting()
    assert conversation._label() == "A1 [y/n/e] "
    conversation._handle("/status")
    assert conversation._label() == "you "


def asks_for_two(opened: Session) -> Talk:
    """A plan of two steps, drawn in a terminal where somebody types."""
    cause = opened.assistant.cause()
    _say(opened, 'create "Rent" 2031-11-30 10:00; create "Tax" 2031-11-30 12:00', cause)
    assert opened.settle(cause.trace)
    talk = Talk(opened)
    talk._bound = True
    talk._draw_new()
    return talk


def states(opened: Session) -> list[CallState]:
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        return [call.state for call in reversed(tx.calls())]


def types(talk: Talk, text: str) -> None:
    """Somebody reads for a while, and types."""
    talk._label()
    talk._prompt._since -= 5
    talk._prompt.begun()
    talk._entered(text)


@pytest.mark.parametrize(("typed", "state"), [("y", CallState.DONE), ("n", CallState.DENIED)])
def test_a_letter_answers_all_of_a_plan(opened: Session, typed: str, state: CallState) -> None:
    talk = asks_for_two(opened)
    assert talk._label() == "A1–A2 [y/n] "
    types(talk, typed)
    assert opened.settle("")
    assert states(opened) == [state, state]


def test_enter_alone_shows_a_plan_again(
    opened: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    talk = asks_for_two(opened)
    talk._handle("/status")
    assert talk._label() == "you "
    assert talk._hint() == "2 steps wait for you; Enter shows them"
    capsys.readouterr()
    talk._entered("")
    assert "Create 2, in this order" in capsys.readouterr().out
    assert talk._label() == "A1–A2 [y/n] "
    types(talk, "y")
    assert opened.settle("")
    assert states(opened) == [CallState.DONE, CallState.DONE]


def test_a_plan_that_is_shown_whole_takes_a_letter_too(opened: Session) -> None:
    talk = asks_for_two(opened)
    talk._handle("/plan A2")
    assert talk._label() == "A1, A2 [y/n] "
    types(talk, "y")
    assert opened.settle("")
    assert states(opened) == [CallState.DONE, CallState.DONE]


def test_a_letter_answers_no_step_that_was_edited_after_the_plan_was_printed(
    opened: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    talk = asks_for_two(opened)
    command(opened, "/edit A2 title=Other", cause=opened.assistant.cause())
    types(talk, "y")
    assert "None of the plan was approved." in capsys.readouterr().out
    assert set(states(opened)) == {CallState.PARKED, CallState.SUPERSEDED}


def test_a_card_that_was_printed_is_told_of_in_a_line(
    opened: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    cause = opened.assistant.cause()
    _say(opened, 'create "Pay the rent" 2031-11-30 10:00', cause)
    assert opened.settle(cause.trace)
    conversation = Talk(opened)
    conversation._draw_new()
    conversation._handle("/approve A1")
    assert opened.settle("")
    capsys.readouterr()
    conversation._draw_new()
    told = capsys.readouterr().out
    assert "╭" not in told, "no card is printed again"
    said, commands = told.splitlines()
    assert said.startswith("▌ Created “Pay the rent” · ")
    assert "A1 · you, " in said
    assert "/undo A1" in commands


def test_help_is_indented_and_has_no_bar(
    opened: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    conversation = Talk(opened)
    conversation._console = Console(width=60, highlight=False)
    conversation._handle("/help")
    told = capsys.readouterr().out.splitlines()
    assert max(map(len, told)) <= 60
    assert not [line for line in told if "|" in line]
    assert "  /status" in "\n".join(told)


def test_a_chat_begins_with_what_waits(opened: Session, capsys: pytest.CaptureFixture[str]) -> None:
    cause = opened.assistant.cause()
    _say(opened, 'create "Pay the rent" 2031-11-30 10:00', cause)
    assert opened.settle(cause.trace)
    Talk(opened)._welcome()
    assert "Waiting for you: A1. /pending" in capsys.readouterr().out


def test_nothing_waits_in_an_empty_house(opened: Session) -> None:
    said = command(opened, "/pending", cause=opened.assistant.cause())
    assert said == "Nothing waits for you."


def test_a_chat_leaves_the_prompt_when_all_else_ends(opened: Session) -> None:
    ended = threading.Event()
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        later = threading.Timer(1.0, ended.set)
        later.start()
        Talk(opened).run(until=ended.is_set)
    assert ended.is_set()


def test_two_chats_show_the_same_conversation_each_line_once(
    opened: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = Talk(opened), Talk(opened)
    first._draw_new()
    second._draw_new()
    cause = opened.assistant.cause()
    _say(opened, "search party", cause)
    assert opened.settle(cause.trace)
    for one in (first, second):
        capsys.readouterr()
        one._draw_new()
        one._draw_new()
        told = capsys.readouterr().out
        assert told.count('I understood: search mail for "party"') == 1
        assert told.count("No mail matches.") == 1
    Talk(opened)._draw_new()
    assert "party" not in capsys.readouterr().out, "it was drawn before this one was opened"
