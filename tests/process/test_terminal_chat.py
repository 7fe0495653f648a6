"""The chat in a real terminal: letters answer the card above them, Tab completes, Ctrl-D tells."""

import re
from pathlib import Path

import pytest

from tests.process.command import run
from tests.process.terminal import Terminal, terminal
from workers.cli.terminal.card_prompt import READ_SECONDS

pytestmark = pytest.mark.process


def card(chat: Terminal, handle: str) -> None:
    """Wait for the card, and for its prompt."""
    chat.shows(f"/approve {handle}")
    _prompted(chat, f"{handle} [y/n/e]")


def _prompted(chat: Terminal, prompt: str) -> None:
    """Wait for the prompt, which Enter brings back below what came after its card."""
    for _ in range(5):
        screen = chat.rests(2 * READ_SECONDS)
        answers = (screen.rfind(command) for command in ("you", "/approve", "/plan"))
        if screen.rfind(prompt) > max(answers):
            return
        chat.types("")
    raise AssertionError(screen)


def test_a_card_is_answered_edited_and_denied_at_its_prompt(tmp_path: Path) -> None:
    with terminal("chat", data=tmp_path) as chat:
        chat.shows("you")
        chat.types('create "Rent" 2031-11-30 10:00')
        card(chat, "A1")
        chat.types("e")
        chat.shows("length: start=14:15 keeps the length, end=15:00 or")
        chat.shows("length=45m sets it.")
        chat.shows("/edit A1 title=Rent start=")
        chat.types("\x15/edit A1 title=Dentist start=14:15")
        chat.shows("A1 is replaced by A2")
        card(chat, "A2")
        chat.types("y")
        chat.shows("A2 is approved")
        chat.shows("Created “Dentist”")
        chat.shows("A2 · you, ")
        chat.types('create "Walk" 2031-11-30 18:00')
        card(chat, "A3")
        chat.types("n")
        chat.shows("A3 is denied")
        chat.rests()
        chat.types("\x04", enter=False)
        assert chat.ended() == 0
    calls = {one["id"]: one["state"] for one in run("calls", "list", "--json", data=tmp_path).value}
    assert calls == {"A1": "superseded", "A2": "done", "A3": "denied"}


@pytest.mark.slow
def test_a_plan_is_answered_at_its_prompt(tmp_path: Path) -> None:
    with terminal("chat", data=tmp_path) as chat:
        chat.shows("you")
        chat.types('create "Rent" 2031-11-30 10:00; create "Tax" 2031-11-30 12:00')
        chat.shows("/deny all A1")
        _prompted(chat, "A1–A2 [y/n]")
        chat.types("y")
        chat.shows("Created 2")
        chat.rests()  # between two prompts, the key would be lost
        chat.types("\x04", enter=False)
        assert chat.ended() == 0
    calls = {one["id"]: one["state"] for one in run("calls", "list", "--json", data=tmp_path).value}
    assert calls == {"A1": "done", "A2": "done"}


@pytest.mark.slow
def test_tab_offers_commands_and_what_waits_and_leaving_says_what_waits(tmp_path: Path) -> None:
    run("chat", "--once", 'create "Rent" 2031-11-30 10:00', data=tmp_path)
    with terminal("chat", data=tmp_path) as chat:
        chat.shows("Waiting for you: A1")
        chat.types("/appr\t", enter=False)
        chat.shows("/approve")
        chat.types(" \t", enter=False)
        chat.shows("A1")
        chat.types("\x03", enter=False)
        assert "goes on waiting" not in chat.rests(), "the first takes the typed line away"
        assert chat.process.poll() is None
        chat.types("\x03", enter=False)
        chat.shows("A1 goes on waiting for your yes")
        assert chat.ended() == 0


def test_two_events_in_a_sentence_make_a_plan_in_their_order(tmp_path: Path) -> None:
    with terminal("chat", data=tmp_path) as chat:
        chat.shows("you")
        chat.types("lunch tomorrow at 12:00 and dentist at 14:00")
        chat.shows('| I understood: create "lunch"')
        chat.shows('| I understood: create "dentist"')
        chat.shows("Create 2, in this order")
        chat.shows("1 “lunch”")
        chat.shows("2 “dentist”")
        chat.rests()
        chat.types("/plan")
        chat.shows("Type: /plan A1 yes")
        chat.shows("A1, A2 [y/n]")
        chat.rests()
        chat.types("/approve")
        chat.shows("Created 2")


def test_a_command_alone_answers_the_one_card_below_which_more_was_printed(tmp_path: Path) -> None:
    with terminal("chat", data=tmp_path) as chat:
        chat.shows("you")
        chat.types('create "Rent" 2031-11-30 10:00')
        card(chat, "A1")
        chat.types("/status")
        chat.shows("Waiting for you: 1")
        chat.rests()
        chat.types("y")
        chat.shows("Words approve and deny nothing: the card does.")
        chat.rests()
        chat.types("/deny")
        chat.shows("A1 is denied")
        chat.rests()
        chat.types("/deny")
        chat.shows("which one? there is none now.")


@pytest.mark.slow
@pytest.mark.parametrize("bracketed", [False, True])
def test_lines_pasted_at_once_are_each_answered_once_in_their_order(
    tmp_path: Path, *, bracketed: bool
) -> None:
    lines = [f"search pear{n}x" for n in range(19)] + ["zot2 thursday 17:00"]
    with terminal("chat", data=tmp_path) as chat:
        chat.shows("you")
        chat.rests()
        if bracketed:
            chat.types("\x1b[200~" + "\n".join(lines) + "\x1b[201~")
        else:
            chat.types("\r".join(lines))
        chat.shows('create "zot2"')
        chat.shows("/approve A20")
        screen = chat.rests()
    understood = re.findall(r'I understood: search mail for "(pear\d+x)"', screen)
    assert understood == [f"pear{n}x" for n in range(19)]
    assert screen.count("No mail matches.") == 19
    assert screen.count('I understood: create "zot2"') == 1


def test_a_letter_typed_behind_a_sentence_takes_nothing_of_it_away(tmp_path: Path) -> None:
    with terminal("chat", data=tmp_path) as chat:
        chat.shows("you")
        chat.rests()
        chat.types("zot2 thursday 17:00\ry")
        chat.shows('create "zot2"')
        chat.shows("/approve A1")
        chat.shows("Words approve and deny nothing")
        chat.rests()
    [call] = run("calls", "list", "--json", data=tmp_path).value
    assert call["state"] == "parked"


def test_lines_of_a_pipe_are_each_answered_and_its_end_ends_the_chat(tmp_path: Path) -> None:
    done = run("chat", data=tmp_path, input=b"search aa1\n\nhello\n/nonsense\nsearch bb2")
    assert done.code == 0
    order = ["aa1", "No mail matches.", "Hello. I answer", "/nonsense", "bb2", "No mail matches."]
    place = 0
    for text in order:
        place = done.out.index(text, place) + len(text)
    assert "you " not in done.out.splitlines()
    assert "Still at work" not in done.out
    assert "\x1b" not in done.out


def test_letters_in_a_pipe_answer_nothing(tmp_path: Path) -> None:
    run("chat", "--once", 'create "Rent" 2031-11-30 10:00', data=tmp_path)
    run("chat", "--once", "y", data=tmp_path)
    run("chat", data=tmp_path, input=b"\ny\n/approve\n")
    [call] = run("calls", "list", "--json", data=tmp_path).value
    assert call["state"] == "parked"
